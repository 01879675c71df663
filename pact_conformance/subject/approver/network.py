"""What a browser asks for on the way of one errand, and what is kept from being asked for."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email import message_from_bytes
from urllib.parse import parse_qsl, urldefrag

from playwright.sync_api import Error, Page, Request, Response, Route

from pact_conformance.subject.approver.choosing import Act
from pact_conformance.subject.approver.errand import HoldBack, Step
from pact_conformance.subject.approver.shown import Pair
from pact_conformance.subject.origins import origin

Headers = Mapping[str, str]


@dataclass
class _Asked:
    request: Request
    pairs: tuple[Pair, ...]
    status: int = 0


class Network:
    """Watches one page of a browser.

    Args:
        page: whose requests.
        hold_back: which request is not to be sent.
        extra: headers for a gateway, by the URL that is asked for.
    """

    def __init__(
        self, page: Page, hold_back: HoldBack, extra: Callable[[str], Headers] | None
    ) -> None:
        self._page = page
        self._hold_back = hold_back
        self._extra = extra
        self._asked: list[_Asked] = []
        self._flying: set[Request] = set()
        self._last = time.monotonic()
        self._login: str | None = None
        self._deciding = False
        self.held: Step | None = None
        page.on("request", self._began)
        page.on("response", self._answered)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)
        if hold_back or extra is not None:
            page.route("**/*", self._route)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The pages that were asked for, and what scripts posted."""
        return tuple(_step(it.request, it.pairs, it.status) for it in self._asked)

    def about_to(self, act: Act, url: str) -> None:
        """Take note of what is done next, and where."""
        if act.kind == "sign in":
            self._login = url
        self._deciding = act.kind == "decide"

    def status_of(self, url: str) -> int:
        """Return the status that a page came with; 0 where it is not known."""
        for it in reversed(self._asked):
            if urldefrag(it.request.url).url == urldefrag(url).url and it.status:
                return it.status
        return 0

    def quiet(self, seconds: float) -> bool:
        """Say whether nothing has been asked for so long, and nothing is unanswered."""
        return not self._flying and time.monotonic() - self._last >= seconds

    # --- events ---------------------------------------------------------------------------

    def _began(self, request: Request) -> None:
        self._last = time.monotonic()
        if request.resource_type not in {"eventsource", "websocket"}:
            self._flying.add(request)
        if self._is_of_user(request):
            self._asked.append(_Asked(request, _pairs(request)))

    def _answered(self, response: Response) -> None:
        for it in self._asked:
            if it.request == response.request:
                it.status = response.status

    def _ended(self, request: Request) -> None:
        self._last = time.monotonic()
        self._flying.discard(request)

    def _is_of_user(self, request: Request) -> bool:
        """Say whether a request takes the User somewhere, or tells what they did."""
        navigates = request.is_navigation_request() and request.frame == self._page.main_frame
        return navigates or request.method != "GET"

    # --- holding back ---------------------------------------------------------------------

    def _route(self, route: Route, request: Request) -> None:
        try:
            if self.held is None and self._holds(request):
                self.held = _step(request, _pairs(request), 0)
            if self.held is not None and self._is_of_user(request):
                route.abort()
            else:
                extra = self._extra(request.url) if self._extra else {}
                route.continue_(headers={**request.headers, **extra} if extra else None)
        except Error:
            return  # the page is gone, and the request with it

    def _holds(self, request: Request) -> bool:
        if not self._is_of_user(request):
            return False
        if self._hold_back == "consent":
            return self._deciding
        crosses = self._login is not None and origin(self._login) != origin(request.url)
        return self._hold_back == "return" and crosses and request.method == "POST"


def _step(request: Request, pairs: tuple[Pair, ...], status: int) -> Step:
    headers = request.headers
    came_from = headers.get("origin") or origin(headers.get("referer", ""))
    came_from = "" if came_from in {"null", "://"} else came_from
    return Step(request.method, request.url, status, dict(pairs), None, pairs, came_from)


def _pairs(request: Request) -> tuple[Pair, ...]:
    """Return the fields of a body: of a form, or the texts of a JSON object."""
    body = request.post_data_buffer
    kind = request.headers.get("content-type", "")
    if request.method == "GET" or not body:
        return ()
    if kind.startswith("multipart/"):
        parts = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + body).walk()
        return tuple(
            (str(it.get_param("name", header="content-disposition")), str(it.get_payload()))
            for it in parts
            if not it.is_multipart()
        )
    text = body.decode("utf-8", "replace")
    if "json" in kind:
        return _members(text)
    return tuple(parse_qsl(text, keep_blank_values=True))


def _members(text: str) -> tuple[Pair, ...]:
    try:
        value = json.loads(text)
    except ValueError:
        return ()
    members = value.items() if isinstance(value, dict) else ()
    return tuple((name, it) for name, it in members if isinstance(it, str))
