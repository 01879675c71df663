"""The stage as an ASGI application: finds the Brand, plays its script, and keeps what it sees."""

import asyncio
import contextlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pact_conformance.counterpart.provider.operations import Operations
from pact_conformance.counterpart.provider.refusals import NoSuchRoute, WrongMethod
from pact_conformance.counterpart.provider.stage.judging import judge
from pact_conformance.counterpart.provider.stage.places import Host
from pact_conformance.counterpart.provider.stage.playing import Heard, play
from pact_conformance.counterpart.provider.stage.script import Answer
from pact_conformance.counterpart.provider.stage.seen import LONGEST_BODY, Record, SeenAnswer
from pact_conformance.counterpart.provider.stage.stage import SITES, Stage

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.stage.scene import Scene

HANG_UP = "pact.hang_up"
"""The extension of the ASGI scope that closes a connection; `protocol.py` offers it."""

_LONGEST_WAIT = 60.0

_NOWHERE = "/nowhere"
"""A path that the Provider has no route for."""

_OPERATIONS: Mapping[str, str] = {
    "send": "message:send",
    "stream": "message:stream",
    "list": "tasks",
    "get": "tasks/{id}",
    "cancel": "tasks/{id}:cancel",
    "subscribe": "tasks/{id}:subscribe",
    "subscribe by GET": "tasks/{id}:subscribe",
    "create push config": "push-config",
    "list push configs": "push-config",
    "get push config": "push-config",
    "delete push config": "push-config",
    "extended card": "extended-card",
    "card": "card",
    "device authorization": "device_authorization",
    "token": "token",
    "metadata": "metadata",
    "jwks": "jwks",
}
"""What the Provider's routes are called on the stage; the others are pages for the User."""


@dataclass(frozen=True)
class Asked:
    """What a request turns out to ask for."""

    scope: Scope
    """As the Provider gets it, with the path that it knows."""
    brand_id: str | None
    operation: str


class StageApplication:
    """Speaks ASGI for a stage; `inner` is the Provider's own application."""

    def __init__(self, stage: Stage, inner: ASGIApp) -> None:
        self._stage = stage
        self._inner = inner
        self.control_port: int | None = None
        """The port that is for control alone; None: it is below the Provider's URL."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the server's start and end."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        if self.control_port not in (None, _port(scope)):
            await self._serve(scope, receive, send)
        elif scope["path"] == f"{self._stage.provider.control.path}/seen":
            await self._show(scope, receive, send)
        elif self.control_port is not None or self._is_control(scope):
            await self._inner(scope, receive, send)
        else:
            await self._serve(scope, receive, send)

    def _is_control(self, scope: Scope) -> bool:
        return self._stage.provider.control.is_meant(scope["path"])

    async def _show(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with what was seen: of a `brand` or of all, `since` a number, after a `wait`."""
        query = Request(scope).query_params
        try:
            since, wait = int(query.get("since", "0")), float(query.get("wait", "0"))
            seconds = min(max(wait, 0.0), _LONGEST_WAIT)
            page = await self._stage.records.wait(since, query.get("brand"), seconds)
            # Its parts are turned into objects one by one; copies of all of it would cost as much.
            response = Response(json.dumps(page, default=vars), media_type="application/json")
        except ValueError as error:
            response = Response(f"{error}\n", 400, media_type="text/plain")
        await response(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        monotonic, provider = time.monotonic(), self._stage.provider
        asked = self._read(scope)
        at = provider.clock.now(asked.brand_id)
        body, is_whole = await _body(receive)
        verified = await judge(provider, Request(scope), asked.brand_id)
        scene = self._stage.scene(asked.brand_id)
        answer = None if scene is None or not is_whole else scene.next_answer(asked.operation)
        heard = await self._answer(asked, body, scene, answer, at) if is_whole else None
        self._stage.records.add(
            Record(
                at=at,
                monotonic=monotonic,
                brand=asked.brand_id,
                operation=asked.operation,
                method=scope["method"],
                url=self._url(scope),
                headers=_pairs(scope["headers"]),
                body=_text(body),
                verified=verified,
                answer=None if heard is None else _seen(heard),
                truncated=len(body) > LONGEST_BODY or not is_whole,
                apart=scene is not None and scene.script.apart,
            )
        )
        if not is_whole:
            return
        if answer is not None and answer.delay:
            await self._pause(answer.delay)
        await (_hang_up(scope, receive) if heard is None else heard.send(send))

    async def _pause(self, seconds: float) -> None:
        """Let some seconds pass, unless the stage ends."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stage.records.ended.wait()

    async def _answer(
        self, asked: Asked, body: bytes, scene: "Scene | None", answer: Answer | None, at: float
    ) -> Heard | None:
        """Return what a request is answered with; None: the connection ends."""
        honest = None
        if answer is None or answer.processes:
            honest = await Heard.of(self._inner, asked.scope, body)
        if answer is None or scene is None:
            return honest
        if answer.close:
            return None
        filled = answer.model_copy(
            update={
                name: scene.fill(getattr(answer, name), at)
                for name in ("headers", "body", "text", "patch")
            }
        )
        date = self._stage.provider.clock.date(asked.brand_id)
        return play(filled, honest, date=date, is_a2a=asked.operation not in _PLAIN)

    def _read(self, scope: Scope) -> Asked:
        """Find out whose a request is, and what for."""
        provider, path = self._stage.provider, scope["path"]
        owner = provider.domains.brand_at(_port(scope))
        site, _, rest = path.removeprefix(SITES).partition("/")
        if owner is None and path.startswith(SITES) and site in self._stage.scenes:
            return self._at_site(scope, site, f"/{rest}")
        if owner is not None:
            return self._at_site(scope, owner, path)
        host: Host = self._stage.host(_port(scope))
        found = self._stage.places.find(host, path)
        if found.path is not None:
            rest = found.path.removeprefix(f"/a2a/{found.brand_id}")
            operation = self._operation(found.brand_id, scope["method"], rest)
            return Asked(_at(scope, found.path), found.brand_id, operation)
        return self._elsewhere(scope, found.brand_id)

    def _elsewhere(self, scope: Scope, brand_id: str | None) -> Asked:
        """Return what a request is that is to no place of the stage."""
        segments = scope["path"].split("/")
        if brand_id is not None or segments[1:2] != ["a2a"]:
            return Asked(_at(scope, _NOWHERE), brand_id, "unmatched")
        known = segments[2:3] and segments[2] in self._stage.provider.brands
        if known:
            rest = "".join(f"/{it}" for it in segments[3:])
            operation = self._operation(segments[2], scope["method"], rest)
            return Asked(scope, segments[2], operation)
        return Asked(scope, None, "other-brand")

    def _at_site(self, scope: Scope, brand_id: str, path: str) -> Asked:
        provider = self._stage.provider
        is_login = path == provider.login.path and provider.brands[brand_id].delegates
        port = provider.domains.port(brand_id)
        moved = {**_at(scope, path), "server": (scope["server"][0], port)}
        return Asked(moved, brand_id, "login" if is_login else "domain")

    def _operation(self, brand_id: str | None, method: str, path: str) -> str:
        provider = self._stage.provider
        brand = provider.brands.get(brand_id or "")
        table: Operations = provider.delegation.table(brand, path) or provider.operations
        try:
            operation, _ = table.match(method, path)
        except (NoSuchRoute, WrongMethod):
            return "unmatched"
        return _OPERATIONS.get(operation.name, "page")

    def _url(self, scope: Scope) -> str:
        """Return the URL as it was asked for, as far as a request tells."""
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
        public = self._stage.provider.config.public_url
        if public is not None:
            return f"{public.rstrip('/')}{raw.decode('latin-1')}{query}"
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host = hosts[0].decode("latin-1") if hosts else "{}:{}".format(*scope["server"])
        return f"{scope['scheme']}://{host}{raw.decode('latin-1')}{query}"


_PLAIN = frozenset(
    {"card", "device_authorization", "token", "metadata", "jwks", "login", "page", "domain"}
)
"""What has the media type of plain JSON."""


def _port(scope: Scope) -> int | None:
    server = scope.get("server")
    return None if server is None else server[1]


def _at(scope: Scope, path: str) -> dict[str, Any]:
    """Return a scope with another path."""
    return {**scope, "path": path, "raw_path": path.encode()}


async def _body(receive: Receive) -> tuple[bytes, bool]:
    """Return the body, or its beginning where it is longer than what is kept.

    Also whether the caller was still there when it ended: of a body that was given up nothing
    follows.
    """
    body = bytearray()
    while len(body) <= LONGEST_BODY:
        message: Message = await receive()
        if message["type"] == "http.disconnect":
            return bytes(body), False
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body), True


async def _hang_up(scope: Scope, receive: Receive) -> None:
    """End the connection, and wait until it has ended."""
    hang_up = scope.get("extensions", {}).get(HANG_UP)
    if hang_up is None:
        raise ConnectionResetError("the script ends the connection")
    hang_up()
    while (await receive())["type"] != "http.disconnect":
        pass


def _pairs(headers: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - ASGI's pairs of bytes
    return [(name.decode("latin-1"), _header(value)) for name, value in headers]


def _header(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _text(body: bytes) -> str:
    return body[:LONGEST_BODY].decode("utf-8", "replace")


def _seen(heard: Heard) -> SeenAnswer:
    return SeenAnswer(heard.status, _pairs(heard.headers), _text(heard.body))
