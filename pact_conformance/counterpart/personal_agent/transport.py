"""HTTP to Brands, who may be anybody: each request is bounded in time and size.

Every request has a connection of its own. That costs little here, and no answer is ever lost
because the other side had just closed an idle one.
"""

import ssl
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import httpcore
import httpx

from pact_conformance.counterpart.personal_agent.connecting import Bounded
from pact_conformance.counterpart.personal_agent.failure import Failure, Unanswered, Unsendable

_NOT_SENT = (
    httpcore.ConnectError,
    httpcore.ConnectTimeout,
    httpx.ConnectError,
    httpx.ConnectTimeout,
)
_UNSENDABLE = (
    httpx.InvalidURL,
    httpcore.UnsupportedProtocol,
    httpcore.LocalProtocolError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    UnicodeError,
    ValueError,
)
_LATE = (httpcore.TimeoutException, httpx.TimeoutException)
_UNANSWERED = (httpcore.NetworkError, httpcore.ProtocolError, httpx.HTTPError)


@dataclass(frozen=True)
class Request:
    """What is sent: the URL as it is, without what HTTP adds by itself."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes | None = field(default=None, repr=False)
    seconds: float = 10.0
    """For the whole answer."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    url: str
    status: int
    headers: httpx.Headers = field(repr=False)
    body: bytes = field(repr=False)


class Transport:
    """Sends requests; follows no redirect, and knows no cookies.

    Args:
        longest: bytes of the longest body that is read.
        ca_file: certificates to trust besides the usual ones.
    """

    def __init__(self, *, longest: int = 1 << 20, ca_file: Path | None = None) -> None:
        self.longest = longest
        self._ca_file = ca_file

    def send(self, request: Request) -> Answer:
        """Return the answer.

        Raises:
            Unsendable: the request is none that can be sent.
            Unanswered: no whole answer within the time.
            Failure: the body is longer than is read, or coded in a way that was not asked for.
        """
        try:
            return self.exchange(request)
        except _NOT_SENT as error:
            raise Unanswered(f"{_host(request)} cannot be reached", arrived=False) from error
        except _UNSENDABLE as error:
            raise Unsendable(f"{request.url!r} cannot be asked: {error}") from error
        except _LATE as error:
            raise Unanswered(f"{_host(request)} did not answer in time", arrived=True) from error
        except _UNANSWERED as error:
            raise Unanswered(f"{_host(request)} did not answer: {error}", arrived=True) from error

    def close(self) -> None:
        """Close what is open: here nothing is, between two requests."""

    def exchange(self, request: Request) -> Answer:
        """Return the answer, or raise what httpx or httpcore does."""
        built = self.build(request)
        is_secure = built.url.scheme == "https"
        if not built.url.host or not (is_secure or built.url.scheme == "http"):
            raise httpcore.UnsupportedProtocol("it is no http(s) URL")
        connections = httpcore.ConnectionPool(
            ssl_context=self.trusted if is_secure else None,
            network_backend=Bounded(request.seconds),
        )
        assert isinstance(built.stream, httpx.SyncByteStream)
        url, content = _as_written(built.url), iter(built.stream)
        with (
            connections,
            connections.stream(
                built.method, url, headers=built.headers.raw, content=content
            ) as answer,
        ):
            headers = httpx.Headers(answer.headers)
            return Answer(request.url, answer.status, headers, self._read(answer, headers))

    def build(self, request: Request) -> httpx.Request:
        """Return a request as it goes on the wire."""
        built = httpx.Request(
            request.method, request.url, headers=request.headers, content=request.body
        )
        built.headers.setdefault("Accept", "*/*")
        built.headers.update(OWN)
        return built

    def _read(self, answer: httpcore.Response, headers: httpx.Headers) -> bytes:
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise Failure("the answer is coded in a way that was not asked for")
        data = bytearray()
        for chunk in answer.iter_stream():
            data += chunk
            if len(data) > self.longest:
                raise Failure(f"the answer has more than {self.longest} bytes")
        return bytes(data)

    @cached_property
    def trusted(self) -> ssl.SSLContext:
        """The certificates that are trusted."""
        context = httpx.create_ssl_context(trust_env=False)
        if self._ca_file is not None:
            context.load_verify_locations(self._ca_file)
        return context


# A body that grows beyond what has arrived could not be bounded.
OWN = {"User-Agent": "pact-conformance-mock-agent", "Accept-Encoding": "identity"}


def _as_written(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )


def _host(request: Request) -> str:
    try:
        return httpx.URL(request.url).host or request.url
    except httpx.InvalidURL:
        return request.url
