"""HTTP to Brands, who may be anybody: each request is bounded in time and size.

Every request has a connection of its own. That costs little here, and no answer is ever lost
because the other side had just closed an idle one.
"""

import asyncio
import ssl
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import httpx

from pact_conformance.counterpart.personal_agent.failure import Failure, Unanswered, Unsendable

CONNECT_SECONDS = 5.0
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout)
_UNSENDABLE = (
    httpx.InvalidURL,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    UnicodeError,
    ValueError,
)


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
        except TimeoutError as error:
            raise Unanswered(f"{_host(request)} did not answer in time", arrived=True) from error
        except httpx.HTTPError as error:
            raise Unanswered(f"{_host(request)} did not answer: {error}", arrived=True) from error

    def close(self) -> None:
        """Close what is open: here nothing is, between two requests."""

    def exchange(self, request: Request) -> Answer:
        """Return the answer, or raise what httpx does."""
        return asyncio.run(self._send(request))

    def build(self, client: httpx.AsyncClient | httpx.Client, request: Request) -> httpx.Request:
        """Return a request as httpx sends it."""
        built = client.build_request(
            request.method, request.url, headers=request.headers, content=request.body
        )
        for name in ("User-Agent", "Accept-Encoding"):
            built.headers[name] = _OWN[name]
        return built

    async def _send(self, request: Request) -> Answer:
        timeout = httpx.Timeout(request.seconds, connect=min(CONNECT_SECONDS, request.seconds))
        # Proxies of the environment are not for a counterpart.
        client = httpx.AsyncClient(trust_env=False, timeout=timeout, verify=self.trusted)
        async with client, asyncio.timeout(request.seconds):
            answer = await client.send(self.build(client, request), stream=True)
            try:
                body = await self._read(answer)
            finally:
                await answer.aclose()
        return Answer(request.url, answer.status_code, answer.headers, body)

    async def _read(self, answer: httpx.Response) -> bytes:
        if answer.headers.get("content-encoding", "identity").lower() != "identity":
            raise Failure("the answer is coded in a way that was not asked for")
        data = bytearray()
        async for chunk in answer.aiter_raw():
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
_OWN = {"User-Agent": "pact-conformance-mock-agent", "Accept-Encoding": "identity"}


def _host(request: Request) -> str:
    try:
        return httpx.URL(request.url).host or request.url
    except httpx.InvalidURL:
        return request.url
