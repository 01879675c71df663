"""A mock Provider in this process, asked as a rig's client asks, without a server or a socket."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import unquote_to_bytes, urlsplit

import httpx

from pact_conformance.counterpart.provider.application import Application
from pact_conformance.counterpart.provider.configuration import (
    AgentConfig,
    BrandConfig,
    ProviderConfig,
)
from pact_conformance.counterpart.provider.domain import Domain
from pact_conformance.counterpart.provider.serving import assemble, deployed
from pact_conformance.journal.answer import Answer
from pact_conformance.journal.client import NoAnswer, RecordingClient
from pact_conformance.journal.exchange import Failure, Operation
from pact_conformance.rig import Rig
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.subject.turns import Turns
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.wire.card import Card

AUDIENCE = "urn:pact-conformance:mock-provider"
BASE = "http://127.0.0.1:1"
DOMAIN_PORT = 2


@cache
def caller(name: str = "primary") -> Caller:
    """A personal agent, made once."""
    keys = [SigningKey.generate(it, kid=f"{name}-{it.lower()}") for it in ("ES256", "RS256")]
    return Caller(f"https://{name}.personal-agent.example/agent", AUDIENCE, tuple(keys))


class InProcess:
    """The mock Provider, and what a family needs of a rig.

    Stands for the client as well: an exchange is a call of the ASGI application.
    """

    def __init__(
        self, flaws: Iterable[str] = (), variants: Iterable[str] = (), *, max_wait: float = 0.0
    ) -> None:
        both = {f"{it.issuer}/jwks": it for it in (caller(), caller("other"))}
        agents = tuple(AgentConfig(issuer=it.issuer, jwks_uri=uri) for uri, it in both.items())
        brand = BrandConfig(
            id="01JD4M7Q2ZC8T5V9X3B6N1K0WA", name="Fernweh", domain_listen="127.0.0.1:0"
        )
        config = ProviderConfig(audience=AUDIENCE, agents=agents, brands=(brand,))
        config = deployed(config, variants)
        base = BASE + config.root_path
        self.mock = assemble(config, base, flaws=flaws, variants=variants)
        self.mock.domains.add(brand.id, Domain("http://localhost:2", DOMAIN_PORT))

        async def fetch(uri: str) -> bytes:
            return json.dumps(both[uri].jwks()).encode()

        self.mock.verifier.keys.fetch = fetch
        self._application = Application(self.mock)
        self._loop = asyncio.new_event_loop()
        self.sent: list[tuple[str, str, bytes]] = []
        self.turns = Turns()
        self.settings = SimpleNamespace(max_wait=max_wait, allow_origins=())
        found = Card(self.mock.card(self.mock.brands[brand.id], base), self.mock.card_url(brand.id))
        self.client = cast("RecordingClient", self)
        patience = Patience(max_wait)
        self.provider = Provider(self.client, found, caller(), patience, self.turns)
        self.other_caller = caller("other")

    @property
    def rig(self) -> Rig:
        """Itself."""
        return cast("Rig", self)

    def close(self) -> None:
        """Close the loop."""
        self._loop.close()

    def hide(self, value: str, name: str) -> None:
        """Nothing is written."""

    def exchange(
        self,
        method: str,
        url: str,
        *,
        operation: Operation,
        headers: Sequence[tuple[str, str]] = (),
        content: bytes | None = None,
        **_: object,
    ) -> Answer:
        """Answer as the client does; what h11 would not send is refused as there."""
        for name, value in headers:
            if value != value.strip(" \t") or any(it in value for it in "\r\n\0"):
                raise ValueError(f"no header {name}: {value!r}")
        self.sent.append((method, url, content or b""))
        parts = urlsplit(str(httpx.URL(url)))
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": unquote_to_bytes(parts.path).decode("utf-8", "replace"),
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
            "server": ("127.0.0.1", 1),
        }
        status, answered, body = self._loop.run_until_complete(self._call(scope, content or b""))
        number = f"x-{len(self.sent)}"
        return Answer(status, httpx.Headers(answered), body, 0.0, number, operation, 0.0)

    async def _call(
        self, scope: dict[str, Any], content: bytes
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        found: dict[str, Any] = {"body": b""}

        came = iter([{"type": "http.request", "body": content, "more_body": False}])

        async def receive() -> dict[str, Any]:
            message = next(came, None)
            if message is None:
                await asyncio.Event().wait()  # nobody goes away
            return message or {}

        async def send(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                found.update(status=message["status"], headers=message["headers"])
            else:
                found["body"] += message.get("body", b"")

        await self._application(scope, receive, send)
        return found["status"], found["headers"], found["body"]


class Elsewhere:
    """A Provider behind something else: each request gets the answer that is set."""

    def __init__(self, world: InProcess) -> None:
        self._world = world
        self.status: int | None = None
        self.body = b""
        self.failure: Failure | None = None

    @property
    def rig(self) -> Rig:
        """What a family needs of a rig."""
        world = self._world
        return cast(
            "Rig",
            SimpleNamespace(
                provider=world.provider,
                client=self,
                settings=world.settings,
                turns=world.turns,
                other_caller=world.other_caller,
            ),
        )

    def hide(self, value: str, name: str) -> None:
        """Nothing is written."""

    def exchange(self, *given: object, **named: object) -> Answer:
        answer = self._world.exchange(*given, **named)  # type: ignore[arg-type]
        if self.failure is not None:
            raise NoAnswer(self.failure, answer.exchange_id)
        if self.status is None:
            return answer
        return Answer(self.status, answer.headers, self.body, 0.0, answer.exchange_id, "other", 0.0)
