"""Connections on which all that is done together takes no longer than it may."""

import ssl
import time
from collections.abc import Callable, Iterable
from typing import Any

import httpcore

CONNECT_SECONDS = 5.0


class Bounded(httpcore.NetworkBackend):
    """Connects, and lets every read and write end when the time is up.

    A timeout of a single read would be outlived by an answer that comes a byte at a time.

    Args:
        seconds: for everything, from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._backend = httpcore.SyncBackend()

    def left(self) -> float:
        """Return the seconds that are left.

        Raises:
            httpcore.TimeoutException: there are none.
        """
        seconds = self._until - time.monotonic()
        if seconds <= 0:
            raise httpcore.ReadTimeout("the time is up")
        return seconds

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect (see `httpcore.NetworkBackend`)."""
        del timeout
        stream = self._backend.connect_tcp(
            host, port, min(CONNECT_SECONDS, self.left()), local_address, socket_options
        )
        return _Stream(stream, self.left)


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, left: Callable[[], float]) -> None:
        self._stream = stream
        self._left = left

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        del timeout
        return self._stream.read(max_bytes, self._left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        del timeout
        self._stream.write(buffer, self._left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        del timeout
        secure = self._stream.start_tls(ssl_context, server_hostname, self._left())
        return _Stream(secure, self._left)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - httpcore's
        return self._stream.get_extra_info(info)
