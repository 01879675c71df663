"""A small Brand with a login and a small Provider with a consent page, whose pages a test changes.

The Brand is reached as localhost, the Provider as 127.0.0.1: cookies ignore ports.
"""

import secrets
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from email import message_from_bytes
from functools import cache
from html import escape
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

SCOPES = {
    "orders:read": "Look up your orders",
    "orders:cancel": "Look up your orders & cancel them",
    "a.b": "Say “hello” <b>",
}
ALL = tuple(SCOPES)
ACCOUNTS = {"jane": "jane-secret", "omar": "omar-secret"}
CODE = "WDJB-MJHT"

LOGIN = """<!doctype html><title>Sign in</title><h1>Sign in at Acme</h1>{error}
<form method=post action=login>
<input type=hidden name=csrf value=tok-123456><input type=hidden name=return_to value="{return_to}">
<label for=u>Name</label><input id=u name=username autocomplete=username>
<label>Password <input name=password type=password></label>
<label><input type=checkbox name=remember> Stay signed in</label>
<button>Sign in</button></form>"""

HANDOVER = """<!doctype html><body onload="document.forms[0].submit()">
<form method=post action="{action}"><input type=hidden name=proof value="{assertion}">
<input type=hidden name=code value="{code}"><noscript><button>Continue</button></noscript></form>"""

CONSENT = """<!doctype html><title>Consent</title><h1>Acme: pa.example wants access</h1>
<form method=get action=/search><input type=search name=q><button>Search</button></form>
<form method=post action="/consent"><input type=hidden name=code value="{code}">
<input type=hidden name=csrf value="{csrf}">{boxes}
<button name=decision value=approve>Allow</button> <button name=decision value=deny>Deny</button>
</form><form method=post action=/logout><button>Sign out</button></form>"""

BOX = (
    """<p><label><input type=checkbox name=scope value="{id}" checked> {description}</label></p>"""
)


@dataclass
class Site:
    """Both servers; what they saw."""

    login: str = LOGIN
    handover: str = HANDOVER
    consent: str = CONSENT
    box: str = BOX
    final: str = "<!doctype html><p>All set. You may close this window."
    wrong: str = "<p>Wrong name or password</p>"
    first: Callable[[Request], Response] | None = None
    """In place of the Brand's login page, for the first visit."""
    between: dict[str, Callable[[Request], Response]] = field(default_factory=dict)
    """Further pages, by path."""
    skip_consent: bool = False
    posts: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    assertions: dict[str, str] = field(default_factory=dict)
    decisions: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    """Of each decision the User, what was decided, and the scopes."""
    sessions: dict[str, str] = field(default_factory=dict)
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def __enter__(self) -> Self:
        self._server = _server()
        self._server.site = self
        self.brand, self.provider = self._server.urls
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.site = None

    @property
    def link(self) -> str:
        """What the personal agent shows."""
        return f"{self.brand}/login?{urlencode({'return_to': self.provider, 'user_code': CODE})}"

    async def serve(self, request: Request) -> Response:
        """Take note of a request and answer it."""
        self.requests.append((request.method, str(request.url)))
        self.headers.append(dict(request.headers))
        pairs = _pairs(request.headers.get("content-type", ""), await request.body())
        if request.method == "POST":
            self.posts.append((request.url.path, pairs))
        path = request.url.path
        if path in self.between:
            return self.between[path](request)
        if request.url.hostname == "localhost":
            return self.at_brand(request, {**dict(request.query_params), **dict(pairs)})
        return self.at_provider(request, pairs)

    def at_brand(self, request: Request, given: dict[str, str]) -> Response:
        """The Brand's answers."""
        user = self.sessions.get(request.cookies.get("brand_session", ""))
        if user is not None:
            return self.hand_over(user)
        if "login" in given:
            given["username"] = given["login"]
        if "username" not in given or "password" not in given:
            if self.first is not None and "first" not in given:
                return self.first(request)
            return self.page(self.login, return_to=self.provider, error="")
        if ACCOUNTS.get(given["username"]) != given["password"]:
            return self.page(self.login, return_to=self.provider, error=self.wrong, status=401)
        session = secrets.token_urlsafe(16)
        self.sessions[session] = given["username"]
        answer = self.hand_over(given["username"])
        answer.set_cookie("brand_session", session, httponly=True)
        return answer

    def hand_over(self, user: str) -> Response:
        """The page that takes the User to the Provider."""
        assertion = f"as.{secrets.token_urlsafe(24)}"
        self.assertions[assertion] = user
        action = f"{self.provider}/return"
        return self.page(self.handover, action=action, assertion=assertion, code=CODE)

    def at_provider(self, request: Request, pairs: list[tuple[str, str]]) -> Response:
        """The Provider's answers."""
        given = dict(pairs)
        if request.url.path == "/return":
            user = self.assertions.pop(given.get("proof", ""), None)
            if user is None:
                return HTMLResponse("<p>This proof was used before", 400)
            session = secrets.token_urlsafe(16)
            self.sessions[session] = user
            answer = RedirectResponse(f"/consent?user_code={CODE}", 303)
            answer.set_cookie("provider_session", session, httponly=True, secure=True)
            return answer
        user = self.sessions.get(request.cookies.get("provider_session", ""))
        if request.url.path != "/consent" or user is None:
            return HTMLResponse("<h1>Not found</h1>", 404)
        if request.method == "POST" or "decision" in request.query_params:
            every = pairs or list(request.query_params.multi_items())
            return self.decide(user, every)
        if self.skip_consent:
            return self.page(self.final)
        boxes = "".join(
            fill(self.box, id=escape(it), description=escape(text)) for it, text in SCOPES.items()
        )
        return self.page(self.consent, code=CODE, csrf=self.secret, boxes=boxes)

    def decide(self, user: str, every: list[tuple[str, str]]) -> Response:
        """Take a decision."""
        given = dict(every)
        if given.get("csrf", self.secret) != self.secret:
            return HTMLResponse("<p>Try again", 403)
        scopes = tuple(value for name, value in every if name == "scope")
        self.decisions.append((user, given.get("decision", ""), scopes))
        return self.page(self.final)

    @staticmethod
    def page(template: str, status: int = 200, **values: str) -> Response:
        """A page of a template."""
        return HTMLResponse(fill(template, **values), status)


def fill(template: str, **values: str) -> str:
    """Put values into a template that may hold other braces."""
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template


def _pairs(kind: str, body: bytes) -> list[tuple[str, str]]:
    if not kind.startswith("multipart/"):
        return parse_qsl(body.decode(), keep_blank_values=True)
    parts = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + body).walk()
    return [
        (str(it.get_param("name", header="content-disposition")), str(it.get_payload()))
        for it in parts
        if not it.is_multipart()
    ]


class _Server:
    """Both hosts in one thread, which ends with the process; the site behind them changes."""

    def __init__(self) -> None:
        self.site: Site | None = None
        routes = [Route("/{path:path}", self._serve, methods=["GET", "POST"])]
        config = uvicorn.Config(Starlette(routes=routes), log_level="error", lifespan="off")
        sockets = [_listening(), _listening()]
        self.urls = [
            f"http://{host}:{it.getsockname()[1]}"
            for host, it in zip(("localhost", "127.0.0.1"), sockets, strict=True)
        ]
        run = uvicorn.Server(config).run
        threading.Thread(target=run, args=(sockets,), daemon=True).start()

    async def _serve(self, request: Request) -> Response:
        if self.site is None:
            return HTMLResponse("nobody is here", 503)
        return await self.site.serve(request)


def _listening() -> socket.socket:
    # asyncio sends small pieces at once only where the protocol is named
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.bind(("127.0.0.1", 0))
    made.listen(64)
    return made


@cache
def _server() -> _Server:
    return _Server()
