"""What the mock personal agent does about a server that is slow, endless or silent."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import httpx
import pytest

from pact_conformance.counterpart.personal_agent.adapter import built_in
from pact_conformance.counterpart.personal_agent.failure import Failure, Unanswered, Unsendable
from pact_conformance.counterpart.personal_agent.transport import Request, Transport

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@contextmanager
def server(serve: Callable[[socket.socket, threading.Event], None]) -> Iterator[str]:
    """Let `serve` talk on the one connection that comes; the event is set when it is over."""
    over = threading.Event()

    def run() -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            connection.recv(65536)
            serve(connection, over)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/a?b=%20"
        finally:
            over.set()
            thread.join(5)


def ask(url: str, seconds: float = 5.0) -> Request:
    return Request("GET", url, seconds=seconds)


def test_an_answer_is_read_whole() -> None:
    def serve(connection: socket.socket, _over: threading.Event) -> None:
        connection.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")

    with server(serve) as url:
        answer = Transport().send(ask(url))

    assert (answer.status, answer.body, answer.url) == (200, b"{}", url)


def test_a_connection_that_closes_without_an_answer_may_have_taken_the_message() -> None:
    with server(lambda _connection, _over: None) as url, pytest.raises(Unanswered) as raised:
        Transport().send(ask(url))

    assert raised.value.arrived


def test_half_an_answer_is_none() -> None:
    def serve(connection: socket.socket, _over: threading.Event) -> None:
        connection.sendall(HEAD + b"Content-Length: 20\r\n\r\n{")

    with server(serve) as url, pytest.raises(Unanswered) as raised:
        Transport().send(ask(url))

    assert raised.value.arrived


def test_an_answer_that_trickles_in_ends_at_the_deadline() -> None:
    def serve(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(HEAD)
        while not over.wait(0.05):
            connection.sendall(b"X-A: b\r\n")

    with server(serve) as url, pytest.raises(Unanswered, match="in time"):
        Transport().send(ask(url, 0.4))


def test_an_endless_body_is_not_read_to_its_end() -> None:
    def serve(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        while not over.is_set():
            connection.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")

    with server(serve) as url, pytest.raises(Failure, match="more than"):
        Transport(longest=10_000).send(ask(url))


def test_a_body_that_is_coded_all_the_same_is_not_decoded() -> None:
    def serve(connection: socket.socket, _over: threading.Event) -> None:
        connection.sendall(HEAD + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}")

    with server(serve) as url, pytest.raises(Failure, match="coded"):
        Transport().send(ask(url))


def test_nobody_there_is_told_from_a_lost_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]

    with pytest.raises(Unanswered) as raised:
        Transport().send(ask(f"http://127.0.0.1:{port}/"))

    assert not raised.value.arrived


@pytest.mark.parametrize(
    "url",
    ["", "x", "/a", "ftp://a.example/", "http://", "http://a:b/", "http://\ud800"],
)
def test_what_is_no_url_cannot_be_asked(url: str) -> None:
    with pytest.raises(Unsendable):
        Transport().send(ask(url))


def test_a_header_that_would_be_two_is_not_sent() -> None:
    request = Request("GET", "http://127.0.0.1:9/", (("A", "b\r\nC: d"),))

    with pytest.raises(Failure):
        Transport().send(request)


def test_a_variant_sends_two_requests_over_one_connection() -> None:
    def serve(connection: socket.socket, _over: threading.Event) -> None:
        for _ in range(2):
            connection.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")
            connection.recv(65536)

    with server(serve) as url, varied("keeps-its-connections") as transport:
        # The server takes one connection alone.
        assert [transport.send(ask(url)).status for _ in range(2)] == [200, 200]


def test_a_variant_sends_a_body_in_chunks() -> None:
    def serve(connection: socket.socket, _over: threading.Event) -> None:
        connection.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")

    with varied("sends-its-requests-in-chunks") as transport, server(serve) as url:
        request = Request("POST", url, body=b"a body of two chunks")
        built, answer = transport.build(request), transport.send(request)

    assert answer.status == 200
    assert isinstance(built.stream, httpx.SyncByteStream)
    assert list(built.stream) == [b"a body of t", b"wo chunks"]
    assert built.headers["Transfer-Encoding"] == "chunked"
    assert "Content-Length" not in built.headers


@contextmanager
def varied(name: str) -> Iterator[Transport]:
    """Give the transport of an agent with a variant."""
    adapter = built_in(lambda *_: None, variants=[name])
    try:
        yield adapter.agent.transport
    finally:
        adapter.close()
