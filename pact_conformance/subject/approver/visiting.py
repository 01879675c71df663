"""Goes from page to page over HTTP as a browser does: cookies, redirects, Referer, Origin."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx

from pact_conformance.journal.answer import Answer
from pact_conformance.journal.client import NoAnswer, RecordingClient
from pact_conformance.subject.approver import cookies as jar
from pact_conformance.subject.approver.clock import Limit
from pact_conformance.subject.approver.errand import Answered, Step
from pact_conformance.subject.approver.foreign import HEADERS
from pact_conformance.subject.approver.pages import read
from pact_conformance.subject.approver.shown import Shown
from pact_conformance.subject.approver.submission import Request
from pact_conformance.subject.origins import origin
from pact_conformance.verdicts import Inconclusive, open_notebook

MOST_REDIRECTS = 20

ACCEPTED = "text/html,application/xhtml+xml,*/*;q=0.8"

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_KEEP_METHOD = frozenset({307, 308})


class Visit:
    """One way through the pages, in a browser with these cookies.

    Args:
        client: that records every exchange, without its contents.
        cookies: of the browser; they change on the way.
        limit: when the way is over.
        never: an origin that is not to be asked for anything; empty: there is none.
    """

    def __init__(
        self,
        client: RecordingClient,
        cookies: httpx.Cookies,
        limit: Limit,
        *,
        never: str = "",
    ) -> None:
        self._client = client
        self._cookies = cookies
        self._limit = limit
        self._never = never
        self.steps: list[Step] = []

    def open(
        self,
        request: Request,
        purpose: str,
        *,
        came_from: str = "",
        leaves: bool = False,
        foreign: bool = False,
    ) -> Shown:
        """Ask for a page and follow where it redirects to.

        Args:
            request: what the browser asks for first.
            purpose: what a reader of the journal should know.
            came_from: the URL of the page before; empty if there is none.
            leaves: the way may end here at another site, which need not be there.
            foreign: a page of another site sends it.

        Raises:
            Inconclusive: no answer came, or the redirects do not end.
        """
        here, first = came_from and origin(came_from), origin(request.url)
        extra = HEADERS if foreign else ()
        cookies = jar.across(self._cookies) if foreign else self._cookies
        for _ in range(MOST_REDIRECTS + 1):
            if self._never and origin(request.url) == self._never:
                self._note(request, None, here)
                return Shown(request.url, 0, "(it leads to another site)")
            try:
                answer = self._ask(request, purpose, came_from, here, cookies=cookies, extra=extra)
            except Inconclusive:
                if not leaves or origin(request.url) == first:
                    raise
                return Shown(request.url, 0, "(it leads to a site that cannot be reached)")
            target = answer.headers.get("location")
            if answer.status not in _REDIRECTS or not target:
                return self._shown(request.url, answer)
            try:
                followed, here = _redirected(request, answer.status, target, here)
            except ValueError as error:
                raise Inconclusive(f"the {purpose} redirects to no URL: {error}") from error
            if urlsplit(followed.url).scheme not in {"http", "https"}:
                text = f"(it leads out of the browser, to {urlsplit(followed.url).scheme}:)"
                return Shown(request.url, answer.status, text, exchange=answer.exchange_id)
            request, cookies = followed, self._cookies
        raise Inconclusive(
            f"the {purpose} redirects more than {MOST_REDIRECTS} times",
            do="see that the link ends at a page",
        )

    def _ask(
        self,
        request: Request,
        purpose: str,
        came_from: str,
        here: str,
        *,
        cookies: httpx.Cookies,
        extra: tuple[tuple[str, str], ...],
    ) -> Answer:
        content, media_type = request.body()
        headers = [("Accept", ACCEPTED), ("Accept-Language", "en"), *extra]
        cookie = jar.header(cookies, request.method, request.url)
        headers += [] if cookie is None else [("Cookie", cookie)]
        headers += [] if media_type is None else [("Content-Type", media_type)]
        if came_from:
            headers.append(("Referer", _referrer(came_from, request.url)))
        if request.method == "POST" and here:
            headers.append(("Origin", here))
        try:
            answer = self._client.exchange(
                request.method,
                request.url,
                operation="other",
                headers=headers,
                content=content,
                purpose=purpose,
                deadline=self._limit.need(),
                private=True,
            )
        except (NoAnswer, ValueError) as error:
            exchange = error.exchange_id if isinstance(error, NoAnswer) else None
            self._note(request, None, here, exchange)
            raise Inconclusive(f"{purpose}: {error}", do="see that it can be reached") from error
        self._note(request, answer, here, answer.exchange_id)
        jar.take(self._cookies, request.method, request.url, answer.headers)
        return answer

    def _note(
        self, request: Request, answer: Answer | None, here: str, exchange: str | None = None
    ) -> None:
        fields: Mapping[str, str] = dict(request.pairs)
        status, said = 0, None
        if answer is not None:
            status, said = answer.status, Answered(tuple(answer.headers.multi_items()))
        self.steps.append(
            Step(request.method, request.url, status, fields, exchange, request.pairs, here, said)
        )
        if exchange is not None:
            open_notebook().exchanges.append(exchange)

    def _shown(self, url: str, answer: Answer) -> Shown:
        kind, refresh = answer.headers.get("content-type", ""), answer.headers.get("refresh")
        shown = read(url, answer.status, kind, answer.body, refresh=refresh)
        said = Answered(tuple(answer.headers.multi_items()), shown.referrer)
        self.steps[-1] = replace(self.steps[-1], answered=said)
        return replace(shown, exchange=answer.exchange_id)


def _redirected(request: Request, status: int, target: str, here: str) -> tuple[Request, str]:
    """Return what a browser asks for after a redirect, and the Origin that it then names.

    Raises:
        ValueError: the target is no URL.
    """
    url = urldefrag(urljoin(request.url, target)).url
    crossed = origin(url) != origin(request.url) and here and here != origin(request.url)
    keeps = status in _KEEP_METHOD or request.method == "GET"
    followed = replace(request, url=url) if keeps else Request("GET", url)
    return followed, "null" if crossed else here


def _referrer(page: str, url: str) -> str:
    """Return what a browser tells of the page before (strict-origin-when-cross-origin)."""
    if origin(page) == origin(url):
        return urldefrag(page).url
    return f"{origin(page)}/"
