"""A server that says on each connection exactly what a test tells it to, byte by byte."""

import contextlib
import socket
import threading
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Self, TypeAlias

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}"


class Talk:
    """One connection, from the server's end."""

    def __init__(self, connection: socket.socket, stop: threading.Event) -> None:
        self._connection = connection
        self._stop = stop

    def request(self) -> bytes:
        """Read one request with its body, or what came before the client closed."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, body = data.partition(b"\r\n\r\n")
        lengths = [it for it in head.lower().split(b"\r\n") if it.startswith(b"content-length:")]
        length = int(lengths[0].split(b":")[1]) if lengths else 0
        while len(body) < length:
            body += self._more()
        return head + b"\r\n\r\n" + body

    def send(self, data: bytes) -> None:
        self._connection.sendall(data)

    def drip(self, data: bytes) -> None:
        """Send a byte every 10 ms until the client has had enough."""
        for start in range(len(data)):
            if self._stop.wait(0.01):
                return
            self._connection.sendall(data[start : start + 1])

    def hang(self) -> None:
        """Keep the connection open and say nothing."""
        self._stop.wait(10)

    def reset(self) -> None:
        """Close so that the client sees a reset instead of an end."""
        self._connection.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00"
        )

    def _more(self) -> bytes:
        data = self._connection.recv(65536)
        if not data:
            raise ConnectionError
        return data


Conversation: TypeAlias = Callable[[Talk], None]


class RawServer:
    """Holds one conversation for each connection, in order; the last one is held again."""

    def __init__(self, *conversations: Conversation) -> None:
        self._conversations = list(conversations)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._open: list[socket.socket] = []
        self.connections = 0
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        for connection in self._open:
            with contextlib.suppress(OSError):  # a conversation may have closed it
                connection.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):  # wakes the thread that waits for a connection
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        for thread in list(self._threads):
            thread.join(5)
        self._listener.close()

    def _start(self, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            if self._stop.is_set():
                connection.close()
                return
            self.connections += 1
            self._open.append(connection)
            self._start(partial(_hold, connection, self._next(), self._stop))

    def _next(self) -> Conversation:
        if len(self._conversations) > 1:
            return self._conversations.pop(0)
        return self._conversations[0]


def _hold(connection: socket.socket, conversation: Conversation, stop: threading.Event) -> None:
    with connection, contextlib.suppress(OSError):
        conversation(Talk(connection, stop))


def answers(*replies: bytes) -> Conversation:
    """Return a conversation that answers one request after the other, and then closes."""

    def conversation(talk: Talk) -> None:
        for reply in replies:
            talk.request()
            talk.send(reply)

    return conversation


def reply(status: int = 200, body: bytes = b"", *headers: str) -> bytes:
    """Return the bytes of an answer."""
    lines = [f"HTTP/1.1 {status} Any", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
