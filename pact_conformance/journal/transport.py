"""HTTP/1.1 with a real end: every exchange is over at its deadline, and bounded in size.

No redirects, no cookies, no defaults: what goes out is what a check asked for. Built on httpcore
because only there can the socket be reached (see `network`); httpx would add a good part of a
millisecond and headers of its own to each exchange.
"""

import ssl
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeAlias

import httpcore
import httpx

from pact_conformance.journal import coding
from pact_conformance.journal.exchange import Failure
from pact_conformance.journal.network import Attempt, DeadlineBackend, attempting
from pact_conformance.journal.proxies import proxy_for
from pact_conformance.journal.unanswered import NETWORK_ERRORS, Unanswered, failure
from pact_conformance.wire.media_types import EVENT_STREAM, essence

Verify: TypeAlias = bool | str | Path | ssl.SSLContext
"""False, or a CA file that is trusted in addition to the public ones, or a context."""

_KEPT_FOR = 2.0
"""Seconds; shorter than servers keep idle connections, so that few go stale."""

_MOST_KEPT = 16


@dataclass(frozen=True)
class Outgoing:
    """A request, complete with its Host and Content-Length."""

    method: str
    url: httpcore.URL
    headers: Sequence[tuple[bytes, bytes]]
    content: bytes = b""


@dataclass(frozen=True)
class Incoming:
    """An answer, content codings undone."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    http_version: str
    cut: bool = False
    """An event stream that was still open at the deadline."""


class Transport(httpx.BaseTransport):
    """Sends requests one by one, from any thread."""

    def __init__(self, *, verify: Verify = True, most_bytes: int = 8 * 1024 * 1024) -> None:
        self._verify = verify
        self._most_bytes = most_bytes
        self._backend = DeadlineBackend()
        self._pools: dict[tuple[bytes, bytes, int | None, bool], httpcore.ConnectionPool] = {}
        self._lock = threading.Lock()

    def send(self, outgoing: Outgoing, deadline: float) -> Incoming:
        """Return the answer that is complete before `deadline` (on the monotonic clock).

        A server may close a kept connection just as a request goes out on it (RFC 9112 §9.5). Such
        a request was not answered by a single byte, and is sent once more on a new connection.

        Raises:
            Unanswered: there is no answer; it says why.
        """
        if deadline <= time.monotonic():
            raise Unanswered(Failure("deadline", "no time was left for this exchange"))
        attempt = Attempt(deadline)
        try:
            return self._attempt(outgoing, attempt, fresh=False)
        except Unanswered as unanswered:
            stale = not attempt.connected and not attempt.received
            if unanswered.failure.kind != "closed" or not stale:
                raise
        return self._attempt(outgoing, Attempt(deadline), fresh=True)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Serve an `httpx.Client`: `extensions["deadline"]` or the read timeout bounds it."""
        seconds = request.extensions.get("timeout", {}).get("read") or 5.0
        deadline = request.extensions.get("deadline", time.monotonic() + seconds)
        outgoing = Outgoing(
            request.method, target(str(request.url)), request.headers.raw, request.read()
        )
        incoming = self.send(outgoing, deadline)
        headers = [pair for pair in incoming.headers if pair[0].lower() != b"content-encoding"]
        return httpx.Response(incoming.status, headers=headers, content=incoming.body)

    def close(self) -> None:
        """Close every connection."""
        with self._lock:
            for pool in self._pools.values():
                pool.close()
            self._pools.clear()

    def _attempt(self, outgoing: Outgoing, attempt: Attempt, *, fresh: bool) -> Incoming:
        request = httpcore.Request(
            outgoing.method,
            outgoing.url,
            headers=outgoing.headers,
            content=outgoing.content,
        )
        try:
            with attempting(attempt):
                response = self._pool(outgoing.url, fresh=fresh).handle_request(request)
                try:
                    return self._receive(response)
                finally:
                    response.close()
        except httpcore.LocalProtocolError as error:
            raise ValueError(f"this request cannot be sent over HTTP/1.1: {error}") from error
        except NETWORK_ERRORS as error:
            raise Unanswered(failure(error, outgoing.url)) from error

    def _receive(self, response: httpcore.Response) -> Incoming:
        headers = list(response.headers)
        body, cut = bytearray(), False
        try:
            for part in response.iter_stream():
                body += part
                if len(body) > self._most_bytes:
                    raise self._too_large()
        except httpcore.ReadTimeout:
            types = [value for name, value in headers if name.lower() == b"content-type"]
            if not types or essence(types[0].decode("latin-1")) != EVENT_STREAM:
                raise
            cut = True
        if _has_leftover(response):
            response.extensions["network_stream"].close()
        version = response.extensions.get("http_version", b"HTTP/1.1").decode("ascii", "replace")
        plain = self._undo(bytes(body), headers)
        return Incoming(response.status, headers, plain, version, cut)

    def _undo(self, body: bytes, headers: list[tuple[bytes, bytes]]) -> bytes:
        listed = [
            value.decode("latin-1")
            for name, value in headers
            if name.lower() == b"content-encoding"
        ]
        if not listed:
            return body
        codings = [it.strip().lower() for it in ",".join(listed).split(",")]
        try:
            return coding.undo(body, codings, self._most_bytes)
        except coding.TooLarge:
            raise self._too_large() from None
        except coding.CodingError as error:
            message = f"the body is not what its Content-Encoding promises: {error}"
            raise Unanswered(Failure("protocol", message)) from error

    def _too_large(self) -> Unanswered:
        return Unanswered(Failure("too-large", f"the body exceeds {self._most_bytes} bytes"))

    def _pool(self, url: httpcore.URL, *, fresh: bool) -> httpcore.ConnectionPool:
        key = (url.scheme, url.host, url.port, fresh)
        with self._lock:
            if key not in self._pools:
                self._pools[key] = self._open(url, fresh=fresh)
            return self._pools[key]

    def _open(self, url: httpcore.URL, *, fresh: bool) -> httpcore.ConnectionPool:
        return httpcore.ConnectionPool(
            ssl_context=self._context if url.scheme == b"https" else None,
            proxy=proxy_for(url),
            max_connections=None,
            max_keepalive_connections=0 if fresh else _MOST_KEPT,
            keepalive_expiry=_KEPT_FOR,
            network_backend=self._backend,
        )

    @cached_property
    def _context(self) -> ssl.SSLContext:
        """What TLS trusts; made when first needed, for it takes 20 ms."""
        if isinstance(self._verify, ssl.SSLContext | bool):
            return httpx.create_ssl_context(self._verify)
        context = httpx.create_ssl_context()
        context.load_verify_locations(self._verify)
        return context


def _has_leftover(response: httpcore.Response) -> bool:
    """Say whether the server sent more than its answer, such as a body after a 204.

    h11 keeps the rest and would read it as the beginning of the next answer, whose exchange would
    then fail for the fault of this one. Only httpcore's inside shows it.
    """
    connection = getattr(getattr(response.stream, "_stream", None), "_connection", None)
    state = getattr(connection, "_h11_state", None)
    return state is not None and bool(state.trailing_data[0])


@lru_cache(maxsize=512)
def target(url: str) -> httpcore.URL:
    """Return what httpcore needs of a URL.

    Raises:
        Unanswered: nobody can be asked for it over HTTP; a card may well name such a URL.
    """
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, ValueError) as error:
        raise Unanswered(Failure("url", f"{url!r} is no URL: {error}")) from error
    if parsed.scheme not in {"http", "https"} or not parsed.raw_host:
        raise Unanswered(Failure("url", f"{url!r} is no http or https URL"))
    return httpcore.URL(
        scheme=parsed.raw_scheme, host=parsed.raw_host, port=parsed.port, target=parsed.raw_path
    )
