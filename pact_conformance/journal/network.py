"""Sockets whose every operation ends at the exchange's deadline.

HTTP libraries bound each single read. A subject that sends one byte every 100 ms never exceeds
such a bound, so that an answer can take for ever. Here the time that is left of the whole exchange
bounds each operation: look-up, connect, TLS handshake, read and write.
"""

import ipaddress
import queue
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpcore

if TYPE_CHECKING:
    import ssl

_CHUNK = 16 * 1024


@dataclass(slots=True)
class Attempt:
    """One attempt at an exchange: until when it may take, and how far it came."""

    deadline: float
    """On the monotonic clock."""
    connected: bool = False
    """It opened a connection of its own instead of taking one that was kept."""
    received: int = 0

    def left(self, error: type[httpcore.TimeoutException]) -> float:
        """Return the seconds that are left, or raise `error` when there are none."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise error("the deadline has passed")
        return seconds


_current: ContextVar[Attempt] = ContextVar("attempt")


@contextmanager
def attempting(attempt: Attempt) -> Iterator[None]:
    """Bind what this thread does on the network to an attempt."""
    token = _current.set(attempt)
    try:
        yield
    finally:
        _current.reset(token)


class DeadlineStream(httpcore.NetworkStream):
    """A connection that follows the deadline of whatever attempt uses it."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the deadline binds
        """Read what comes next."""
        attempt = _current.get()
        data = self._inner.read(max_bytes, attempt.left(httpcore.ReadTimeout))
        attempt.received += len(data)
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Write all of it, chunk by chunk, for a reader may drip as well."""
        attempt = _current.get()
        for start in range(0, len(buffer), _CHUNK):
            chunk = buffer[start : start + _CHUNK]
            self._inner.write(chunk, attempt.left(httpcore.WriteTimeout))

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def start_tls(
        self,
        ssl_context: "ssl.SSLContext",
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> "DeadlineStream":
        """Secure the connection."""
        left = _current.get().left(httpcore.ConnectTimeout)
        return DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - httpcore's interface
        """Return what httpcore asks of the socket."""
        return self._inner.get_extra_info(info)


class DeadlineBackend(httpcore.NetworkBackend):
    """Opens connections within the deadline of the current attempt."""

    def __init__(self) -> None:
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> DeadlineStream:
        """Try each address of the host, leaving time for the ones behind it."""
        attempt = _current.get()
        attempt.connected = True
        addresses = _addresses(host, port, attempt)
        for position, address in enumerate(addresses, start=1):
            share = attempt.left(httpcore.ConnectTimeout) / (len(addresses) - position + 1)
            try:
                stream = self._inner.connect_tcp(
                    address, port, share, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if position == len(addresses):
                    raise
            else:
                return DeadlineStream(stream)
        raise httpcore.ConnectError(f"{host} has no address")


def _addresses(host: str, port: int, attempt: Attempt) -> list[str]:
    """Look a host up. The system's resolver knows no deadline, so a thread waits for it."""
    if _needs_no_network(host):
        return _look_up(host, port)
    found: queue.SimpleQueue[list[str] | httpcore.ConnectError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            found.put(_look_up(host, port))
        except httpcore.ConnectError as error:
            found.put(error)

    threading.Thread(target=look_up, daemon=True, name=f"look-up of {host}").start()
    try:
        result = found.get(timeout=attempt.left(httpcore.ConnectTimeout))
    except queue.Empty:
        raise httpcore.ConnectTimeout(f"the look-up of {host} took too long") from None
    if isinstance(result, httpcore.ConnectError):
        raise result
    return result


def _needs_no_network(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _look_up(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(str(error)) from error
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
