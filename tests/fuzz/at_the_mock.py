"""Forged tokens at the mock Provider's verifier, in this process: no server, no socket."""

import asyncio
import json
from collections.abc import Iterable
from functools import cache

import httpx
from starlette.requests import Request

from pact_conformance.counterpart.provider.configuration import AgentConfig, ProviderConfig
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.serving import assemble
from pact_conformance.fuzz.forged_tokens.family import ForgedTokens
from pact_conformance.fuzz.forged_tokens.making import Maker
from pact_conformance.journal.answer import Answer
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.tokens.token import Token
from pact_conformance.wire.errors import envelope

AUDIENCE = "urn:pact-conformance:mock-provider"
ACCEPTED = json.dumps(envelope("INVALID_PARAMS", "blank")).encode()


@cache
def caller(name: str) -> Caller:
    """A personal agent, made once."""
    algs = ("ES256", "RS256", "ES384", "ES512", "EdDSA") if name == "primary" else ("ES256",)
    keys = tuple(SigningKey.generate(alg, kid=f"{name}-{alg.lower()}") for alg in algs)
    return Caller(f"https://{name}.personal-agent.example", AUDIENCE, keys)


class AtTheMock(ForgedTokens):
    """The family as it is, but for what carries a token to the Provider."""

    def __init__(self, flaws: Iterable[str] = (), variants: Iterable[str] = ()) -> None:
        both = {f"https://{it.issuer}/jwks": it for it in (caller("primary"), caller("other"))}
        agents = tuple(AgentConfig(issuer=it.issuer, jwks_uri=uri) for uri, it in both.items())
        config = ProviderConfig(audience=AUDIENCE, agents=agents)
        self.mock = assemble(config, "http://127.0.0.1:1", flaws=flaws, variants=variants)

        async def fetch(uri: str) -> bytes:
            return json.dumps(both[uri].jwks()).encode()

        self.mock.verifier.keys.fetch = fetch
        self._loop = asyncio.new_event_loop()
        self._turns = self._controls = 0
        self._caller = caller("primary")
        self._maker = Maker(self._caller, caller("other"))
        self.kinds = self._maker.possible()
        self.knocks = 0

    def close(self) -> None:
        self._loop.close()

    def _user(self) -> str:
        return self._caller.user("someone")

    def _good(self, alg: str) -> Token:
        return self._caller.token(self._user(), alg=alg)

    def _knock(self, token: Token) -> Answer:
        self.knocks += 1
        header = (b"authorization", f"Bearer {token.text}".encode())
        status = self._loop.run_until_complete(self._status(Request(_scope(header))))
        body = ACCEPTED if status == 400 else b""
        return Answer(status, httpx.Headers(), body, 0.0, f"x-{self.knocks}", "message:send", 0.0)

    async def _status(self, request: Request) -> int:
        try:
            await self.mock.verifier.verify(self.mock.bearer_token(request), self._caller.clock())
        except Unauthenticated:
            return 401
        except Exception:  # noqa: BLE001 - what a server answers then
            return 500
        return 400


def _scope(header: tuple[bytes, bytes]) -> dict[str, object]:
    return {"type": "http", "method": "POST", "path": "/", "headers": [header]}
