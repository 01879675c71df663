"""Fetching documents of personal agents, who may be anybody: bounded in time and size."""

import asyncio

import httpx

UNFETCHED = (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError, RecursionError)
"""What a document raises that cannot be fetched or read."""


class Fetcher:
    """Fetches documents by HTTP.

    Args:
        longest: bytes of the longest document that is read.
        seconds: for a whole document, however steadily it arrives.
        ca_file: of CAs that are trusted beside the public ones.
    """

    def __init__(
        self, *, longest: int = 1 << 20, seconds: float = 5.0, ca_file: str | None = None
    ) -> None:
        self._longest = longest
        self._seconds = seconds
        self._ca_file = ca_file
        self._client: httpx.AsyncClient | None = None

    async def fetch(self, uri: str) -> bytes:
        """Return what a URI serves.

        Raises:
            httpx.HTTPError: nothing, or with another status than 200; a redirect is not followed,
                for it would leave the registered URI.
            TimeoutError: not everything within the time.
            ValueError: more than a document may have.
        """
        if self._client is None:
            # Proxies of the environment are not for servers.
            context = httpx.create_ssl_context()
            if self._ca_file is not None:
                context.load_verify_locations(self._ca_file)
            self._client = httpx.AsyncClient(trust_env=False, timeout=self._seconds, verify=context)
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        async with asyncio.timeout(self._seconds):
            async with self._client.stream("GET", uri, headers=headers) as answer:
                if answer.status_code != 200:
                    raise httpx.HTTPError(f"{uri} answers {answer.status_code}")
                return await self._read(answer)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _read(self, answer: httpx.Response) -> bytes:
        data = bytearray()
        # Raw: a body that is compressed all the same would grow beyond what has arrived.
        async for chunk in answer.aiter_raw():
            data += chunk
            if len(data) > self._longest:
                raise ValueError(f"{answer.url} serves more than {self._longest} bytes")
        return bytes(data)
