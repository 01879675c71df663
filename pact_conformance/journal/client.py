"""Sends requests on behalf of checks and records every one of them."""

import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Protocol

import httpx

from pact_conformance.journal.answer import Answer
from pact_conformance.journal.exchange import Credentials, Failure, Header, Operation
from pact_conformance.journal.journal import Journal
from pact_conformance.journal.mask import Mask
from pact_conformance.journal.private import without_contents
from pact_conformance.journal.recording import Asked, recorded
from pact_conformance.journal.transport import Incoming, Outgoing, Transport, Verify, target
from pact_conformance.journal.unanswered import NoAnswer, Unanswered
from pact_conformance.verdicts import open_notebook

__all__ = ["NoAnswer", "RecordingClient", "TokenLike"]

_DEFAULTS: tuple[Header, ...] = (
    ("Accept", "*/*"),
    ("Accept-Encoding", "identity"),
    ("User-Agent", f"pact-conformance/{version('pact-conformance')}"),
)
_DELEGATION = "x-a2a-user-delegation"
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
_DEFAULT_PORTS = {b"http": 80, b"https": 443}


class TokenLike(Protocol):
    """What the client needs of a token."""

    @property
    def text(self) -> str:
        """What goes on the wire."""

    @property
    def label(self) -> str:
        """What people read instead."""


class RecordingClient:
    """One for each process: it keeps connections, and serves any number of threads.

    The extra headers, which may be a gateway's credentials, go only where `extra_to` says.
    """

    def __init__(
        self,
        journal: Journal,
        mask: Mask,
        *,
        deadline: float,
        verify: Verify = True,
        extra_headers: Sequence[Header] = (),
        extra_to: Callable[[str], bool] = lambda _url: True,
    ) -> None:
        self._journal = journal
        self._mask = mask
        self._deadline = deadline
        self._extra = tuple(extra_headers)
        self._extra_to = extra_to
        self._transport = Transport(verify=verify)
        mask.hide_headers(name for name, _ in extra_headers)

    def exchange(
        self,
        method: str,
        url: str,
        *,
        operation: Operation,
        headers: Sequence[Header] = (),
        content: bytes | None = None,
        token: TokenLike | None = None,
        bearer: bool = True,
        credentials: Credentials | None = None,
        delegation: Credentials | None = None,
        purpose: str = "",
        turn: bool = False,
        caused: bool = False,
        deadline: float | None = None,
        private: bool = False,
    ) -> Answer:
        """Send a request, record what comes of it, and return the answer.

        Args:
            method: the HTTP method.
            url: where to.
            operation: what the request is for.
            headers: headers in order; names may repeat. Host, Content-Length, Accept, User-Agent
                and `Accept-Encoding: identity` are added where they are missing, nothing else.
            content: the body, as it is; None sends none.
            token: goes into `Authorization: Bearer`, unless `headers` has an Authorization of its
                own or `bearer` is false; its text is masked in any case.
            bearer: whether to send the token that way.
            credentials: what the token is worth; by default `none` without one, `forged` if it has
                a `forgery`, else `good`.
            delegation: what the delegation token among the headers is worth; by default `none`
                without one, else `other`.
            purpose: what a reader should know about this request.
            turn: it is meant to reach the Brand's agent.
            caused: the suite made the subject fail.
            deadline: seconds for the whole exchange, if not the client's.
            private: it is one of the User's browser: no body and no value of a form or a query
                is recorded.

        Raises:
            NoAnswer: there is none; the exchange is recorded all the same.
            ValueError: the request cannot be written in HTTP/1.1.
        """
        pairs = self._headers(url, headers, token if bearer else None)
        self._remember(pairs, token)
        asked = Asked(
            id=self._journal.next_id(),
            at=time.time(),
            operation=operation,
            purpose=purpose,
            method=method,
            url=url,
            headers=_complete(pairs, method, url, content),
            content=content,
            token=None if token is None else token.label,
            credentials=credentials or _worth(token),
            delegation=delegation or _delegated(pairs),
            turn=turn,
            caused=caused,
            hardening=open_notebook().hardening,
        )
        seconds = self._deadline if deadline is None else deadline
        return self._perform(asked, seconds, private=private)

    def hide(self, value: str, name: str) -> None:
        """Mask a secret that an answer gave wherever it is written from now on."""
        self._mask.learn(value, name)

    def close(self) -> None:
        """Close every connection; the journal stays open."""
        self._transport.close()

    def _perform(self, asked: Asked, seconds: float, *, private: bool) -> Answer:
        started = time.monotonic()
        outcome: Incoming | Failure
        try:
            outgoing = Outgoing(
                asked.method, target(asked.url), _encoded(asked.headers), asked.content or b""
            )
            outcome = self._transport.send(outgoing, started + seconds)
        except Unanswered as unanswered:
            outcome = unanswered.failure
        elapsed = time.monotonic() - started
        kept = without_contents(asked, outcome) if private else (asked, outcome)
        exchange = recorded(*kept, elapsed, self._mask)
        self._journal.record(exchange)
        if isinstance(outcome, Failure):
            raise NoAnswer(exchange.failure or outcome, asked.id)
        return Answer(
            status=outcome.status,
            headers=httpx.Headers(outcome.headers),
            body=outcome.body,
            elapsed=elapsed,
            exchange_id=asked.id,
            operation=asked.operation,
            at=asked.at,
            complete=not outcome.cut,
        )

    def _headers(
        self, url: str, headers: Sequence[Header], token: TokenLike | None
    ) -> list[Header]:
        pairs = [*headers, *(self._extra if self._extra_to(url) else ())]
        if token is not None and all(name.lower() != "authorization" for name, _ in pairs):
            pairs.insert(0, ("Authorization", f"Bearer {token.text}"))
        return pairs

    def _remember(self, pairs: Sequence[Header], token: TokenLike | None) -> None:
        if token is not None:
            self._mask.remember(token.text, "pa-jwt")
        for name, value in pairs:
            if name.lower() == _DELEGATION:
                self._mask.remember(value.rpartition(" ")[2], "delegation-token")


def _worth(token: TokenLike | None) -> Credentials:
    if token is None:
        return "none"
    return "forged" if getattr(token, "forgery", None) else "good"


def _delegated(pairs: Sequence[Header]) -> Credentials:
    return "other" if any(name.lower() == _DELEGATION for name, _ in pairs) else "none"


def _complete(
    pairs: Sequence[Header], method: str, url: str, content: bytes | None
) -> list[Header]:
    """Add what HTTP/1.1 needs and what keeps the answer plain, where the check has not said it."""
    given = {name.lower() for name, _ in pairs}
    complete = [] if "host" in given else [("Host", _authority(url))]
    complete += pairs
    complete += [pair for pair in _DEFAULTS if pair[0].lower() not in given]
    framed = not given.isdisjoint({"content-length", "transfer-encoding"})
    if not framed and (content is not None or method in _WITH_BODY):
        complete.append(("Content-Length", str(len(content or b""))))
    return complete


def _authority(url: str) -> str:
    try:
        where = target(url)
    except Unanswered:
        return ""
    host = where.host.decode("ascii")
    host = f"[{host}]" if ":" in host else host
    if where.port in {None, _DEFAULT_PORTS[where.scheme]}:
        return host
    return f"{host}:{where.port}"


def _encoded(headers: Sequence[Header]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("ascii"), value.encode("utf-8")) for name, value in headers]
