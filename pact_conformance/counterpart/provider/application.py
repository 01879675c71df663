"""The Provider as an ASGI application: each request answered, dated and logged."""

import hashlib
import sys
import time
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request

from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.control import PATH as CONTROL

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

    from pact_conformance.counterpart.provider.provider import Provider


class Application:
    """Speaks ASGI for a Provider."""

    def __init__(self, provider: "Provider", *, log: bool = False) -> None:
        self._provider = provider
        self._log = log

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request, or the server's start and end."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)

    async def _serve(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        started = time.perf_counter()
        scope = self._below_the_root(scope)
        call = Call.of(Request(scope, receive))
        try:
            response = await self._answer(call)
        except ClientDisconnect:
            return
        response.headers.setdefault("Date", self._provider.clock.date(call.brand_id))
        if self._log:
            _write_line(call, response, time.perf_counter() - started)
        await response(scope, receive, send)

    def _below_the_root(self, scope: "Scope") -> "Scope":
        """Take off the path below which the Provider is; nothing of it is anywhere else."""
        root, (_, port) = self._provider.config.root_path, scope.get("server") or (None, None)
        if not root or self._provider.domains.brand_at(port) is not None:
            return scope
        path: str = scope["path"]
        below = path.removeprefix(root) if path.startswith(f"{root}/") else "/"
        return {**scope, "path": below}

    async def _answer(self, call: Call) -> "Response":
        provider, control = self._provider, self._provider.control
        _, port = call.request.scope.get("server") or (None, None)
        owner = provider.domains.brand_at(port)
        if owner is not None:
            brand = provider.brands[owner]
            if brand.delegates and call.path == provider.login.path:
                return await provider.login.answer(provider, brand, call.request)
            return provider.site(provider, brand, call.request)
        if control.is_meant(call.path):
            return await control.answer(provider, call.request)
        return await provider.respond(call)

    async def _live(self, receive: "Receive", send: "Send") -> None:
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await self._provider.aclose()
        await send({"type": "lifespan.shutdown.complete"})


def _write_line(call: Call, response: "Response", seconds: float) -> None:
    """Write who asked for what; no secret, and of `sub` only what tells Users apart."""
    request = call.request
    who = "-"
    if call.user is not None:
        who = f"{call.user.issuer} {hashlib.sha256(call.user.sub.encode()).hexdigest()[:8]}"
    path = request.scope["path"].encode("unicode_escape").decode()
    if path.startswith(CONTROL):
        path = f"{CONTROL}…"
    sys.stderr.write(
        f"{request.method} {path} {response.status_code} {who} {seconds * 1000:.1f} ms\n"
    )
