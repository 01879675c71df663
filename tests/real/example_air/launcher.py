"""Serve Example Air as it is; run by the interpreter of `served.py`, never imported by a test.

One JSON line comes in on standard input: `{"agents": [{"issuer", "jwks"}…], "audience"?}`.
One goes out on standard output once connections are taken: `{"card", "interface", "audience",
"base", "approver", "hooks"}`. The server ends when standard input closes, so it cannot outlive
whoever started it.

The subject has no page where a User logs in or consents, only the Python call that such a page
would make. Beside its routes, below a path of ours, stand two more: the approver, which makes that
call, and the hooks. Whatever else is asked for goes to the subject.
"""

import json
import socket
import sys
import threading
import time
from typing import Any

import time_machine  # type: ignore[import-not-found]
import uvicorn
from agent_runtimes.protocols.pact.provider import (  # type: ignore[import-not-found]
    ExampleAir,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

AUDIENCE = "https://provider.example/a2a"  # what the subject itself assigns when not told
TESTER = "/tester"
APPROVER = f"{TESTER}/approver"
HOOKS = f"{TESTER}/hooks"

# Who logs in as what, and the id that the Brand knows them by.
ACCOUNTS = {"jane": ("jane-secret", "jane-4471"), "omar": ("omar-secret", "omar-1208")}


class Clock:
    """The time of this process, which is the subject's alone."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._travel: Any = None

    def advance(self, seconds: float) -> None:
        """Move it by so many seconds; it goes on from there."""
        if self._travel is not None:
            self._travel.stop()
        self._ahead += seconds
        self._travel = time_machine.travel(time.time() + self._ahead, tick=True)
        self._travel.start()


class Tester:
    """What the tester's side asks of the subject, answered by the subject's Python interface."""

    def __init__(self, brand: Any) -> None:  # noqa: ANN401  # the subject's types are not ours
        self._brand = brand
        self._clock = Clock()

    async def approve(self, request: Request) -> Response:
        """Play the User of the errand: log in, and approve or refuse.

        The subject knows no refusal but an approval of nothing, so that is what one becomes. A
        step-up link has no code, and nothing at the subject waits behind it: the login opens, and
        that is all.
        """
        errand = await request.json()
        password, user = ACCOUNTS.get(errand["account"]["username"], (None, ""))
        if password is None or errand["account"].get("password", password) != password:
            return JSONResponse({"error": "the login is refused"})
        code, is_look = errand["userCode"], errand["lookOnly"]
        if is_look and not code:
            return JSONResponse({"decided": "not asked"})
        try:
            asked = await self._brand.asked(code)
        except KeyError:
            return JSONResponse({"error": f"no flow waits under the code {code!r}"})
        if is_look:
            return JSONResponse({"decided": "not asked"})
        ids = [scope["id"] for scope in asked["scopes"]]
        ticked = ids if errand["approve"] is None else errand["approve"]
        self._brand.approve(code, user, [] if errand["deny"] else ticked)
        return JSONResponse({"decided": "denied" if errand["deny"] else "approved"})

    async def hook(self, request: Request) -> Response:
        """Do what a hook asks, 204, or say that the subject cannot, 501."""
        asked = await request.json()
        match asked["hook"]:
            case "advance_clock":
                self._clock.advance(asked["seconds"])
            case "expire_code":
                self.expire(asked["userCode"])
            case name:
                return Response(f"the subject has no {name}\n", 501)
        return Response(status_code=204)

    def expire(self, user_code: str) -> None:
        """Let a code's time be over.

        `InMemoryBrandStore` keeps no time with what it holds and drops nothing, so that a code
        whose time is over is one that is left as it is.
        """
        if user_code not in {grant.user_code for grant in self._brand.grants.values()}:
            raise LookupError(f"no flow has the code {user_code!r}")

    def app(self) -> Starlette:
        """The two routes."""
        return Starlette(
            routes=[
                Route(APPROVER, self.approve, methods=["POST"]),
                Route(HOOKS, self.hook, methods=["POST"]),
            ]
        )


def application(brand: Any) -> ASGIApp:  # noqa: ANN401  # likewise
    """What is served: the subject's own routes, and the tester's beside them."""
    subject, tester = brand.app(), Tester(brand).app()

    async def chosen(scope: Scope, receive: Receive, send: Send) -> None:
        is_ours = scope["type"] == "http" and scope["path"].startswith(f"{TESTER}/")
        await (tester if is_ours else subject)(scope, receive, send)

    return chosen


def made(settings: dict[str, Any], base: str) -> Any:  # noqa: ANN401  # likewise
    """The Brand at `base`, with its personal agents registered (PACT §3.1)."""
    brand = ExampleAir(base=base, audience=settings.get("audience") or AUDIENCE)
    for agent in settings["agents"]:
        brand.register(agent["issuer"], agent["jwks"])
    return brand


def end_with_input(server: uvicorn.Server) -> None:
    """Let the server end once standard input is closed."""
    sys.stdin.read()
    server.should_exit = True


def main() -> None:
    """Bind first, because the card names the URL under which it is served."""
    settings = json.loads(sys.stdin.readline())
    with socket.create_server(("127.0.0.1", 0)) as listening:
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        brand = made(settings, base)
        server = uvicorn.Server(
            uvicorn.Config(
                application(brand),
                access_log=False,  # it would go to standard output
                log_level="error",
                timeout_graceful_shutdown=1,
            )
        )
        threading.Thread(target=end_with_input, args=(server,), daemon=True).start()
        ready = {
            "card": f"{brand.interface_url}/.well-known/agent-card.json",
            "interface": brand.interface_url,
            "audience": brand.audience,
            "base": base,
            "approver": f"{base}{APPROVER}",
            "hooks": f"{base}{HOOKS}",
        }
        sys.stdout.write(json.dumps(ready) + "\n")
        sys.stdout.flush()
        server.run(sockets=[listening])


if __name__ == "__main__":
    main()
