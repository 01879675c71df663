"""Every exchange ends: at its deadline, at its bound, or where the connection ends."""

import gzip
import time
import zlib
from collections.abc import Iterator

import httpx
import pytest

from pact_conformance.journal.transport import Incoming, Outgoing, Transport, target
from pact_conformance.journal.unanswered import Unanswered

from .raw_server import OK, Conversation, RawServer, Talk, answers, reply

MANY = 100_000


def zipped(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)  # the same bytes in every process that collects tests


@pytest.fixture
def transport() -> Iterator[Transport]:
    transport = Transport(most_bytes=MANY)
    yield transport
    transport.close()


def send(
    transport: Transport, url: str, *, seconds: float = 5.0, method: str = "GET", body: bytes = b""
) -> Incoming:
    headers = [(b"Host", b"test")]
    if body:
        headers.append((b"Content-Length", str(len(body)).encode()))
    outgoing = Outgoing(method, target(url), headers, body)
    return transport.send(outgoing, time.monotonic() + seconds)


def failure_of(transport: Transport, url: str, *, seconds: float = 5.0, body: bytes = b"") -> str:
    with pytest.raises(Unanswered) as caught:
        send(transport, url, seconds=seconds, method="POST", body=body)

    return caught.value.failure.kind


def drips(data: bytes) -> Conversation:
    def conversation(talk: Talk) -> None:
        talk.request()
        talk.drip(data)

    return conversation


def hangs_after(data: bytes) -> Conversation:
    def conversation(talk: Talk) -> None:
        talk.request()
        talk.send(data)
        talk.hang()

    return conversation


@pytest.mark.parametrize(
    "conversation",
    [
        pytest.param(drips(OK[:-2] + b" " * 1000), id="header-and-body-drip"),
        pytest.param(drips(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1000), id="header-drips"),
        pytest.param(drips(b"HTTP/1.1 100 Continue\r\n\r\n" * 100), id="never-final"),
        pytest.param(hangs_after(OK[:-1]), id="last-byte-missing"),
        pytest.param(hangs_after(b""), id="silence"),
        pytest.param(lambda talk: talk.hang(), id="request-not-read"),
    ],
)
def test_an_answer_that_is_late_ends_at_the_deadline(
    transport: Transport, conversation: Conversation
) -> None:
    with RawServer(conversation) as server:
        started = time.monotonic()

        assert failure_of(transport, server.url, seconds=0.2) == "deadline"
        assert time.monotonic() - started < 2


def test_a_body_that_nobody_reads_ends_at_the_deadline(transport: Transport) -> None:
    with RawServer(lambda talk: talk.hang()) as server:
        assert failure_of(transport, server.url, seconds=0.2, body=b"x" * 32_000_000) == "deadline"


def test_a_deadline_in_the_past_sends_nothing(transport: Transport) -> None:
    with RawServer(answers(OK)) as server:
        assert failure_of(transport, server.url, seconds=0) == "deadline"
        assert server.connections == 0


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        pytest.param(b"", "closed", id="nothing"),
        pytest.param(b"HTTP/1.1 200", "closed", id="half-a-status-line"),
        pytest.param(OK[:-1], "closed", id="half-a-body"),
        pytest.param(b"\x16\x03\x01 garbage\r\n\r\n", "protocol", id="garbage"),
        pytest.param(b"HTTP/2 200\r\n\r\n", "protocol", id="another-version"),
        pytest.param(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000, "too-large", id="huge-header"),
        pytest.param(reply(200, b"x" * (MANY + 1)), "too-large", id="huge-body"),
        pytest.param(
            reply(200, zipped(b"0" * (MANY + 1)), "Content-Encoding: gzip"),
            "too-large",
            id="gzip-bomb",
        ),
        pytest.param(
            reply(200, b"{}", "Content-Encoding: gzip"), "protocol", id="gzip-that-is-none"
        ),
        pytest.param(
            reply(200, zipped(b"{}")[:-4], "Content-Encoding: gzip"),
            "protocol",
            id="half-a-gzip",
        ),
    ],
)
def test_what_is_no_answer_says_why(transport: Transport, said: bytes, kind: str) -> None:
    with RawServer(answers(said)) as server:
        assert failure_of(transport, server.url) == kind


def test_a_reset_counts_as_closed(transport: Transport) -> None:
    def conversation(talk: Talk) -> None:
        talk.request()
        talk.reset()

    with RawServer(conversation) as server:
        assert failure_of(transport, server.url) == "closed"


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", zipped(b"{}")),
        ("X-GZIP", zipped(b"{}")),
        ("deflate", zlib.compress(b"{}")),
        ("deflate", zlib.compress(b"{}", wbits=-15)),
        ("deflate, gzip", zipped(zlib.compress(b"{}"))),
        ("identity", b"{}"),
        ("br", b"{}"),
        ("gzip, gzip, gzip, gzip", b"{}"),
    ],
)
def test_a_coding_we_did_not_ask_for_is_undone(
    transport: Transport, coding: str, body: bytes
) -> None:
    with RawServer(answers(reply(200, body, f"Content-Encoding: {coding}"))) as server:
        assert send(transport, server.url).body == b"{}"


def test_an_event_stream_that_stays_open_is_cut_at_the_deadline(transport: Transport) -> None:
    said = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n"
    with RawServer(hangs_after(said)) as server:
        incoming = send(transport, server.url, seconds=0.2)

    assert (incoming.body, incoming.cut) == (b"data: {}\n\n", True)


def test_a_kept_connection_is_used_again(transport: Transport) -> None:
    with RawServer(answers(OK, OK)) as server:
        send(transport, server.url)
        send(transport, server.url)

        assert server.connections == 1


def test_a_server_that_closes_after_an_error_does_not_fail_the_next_exchange(
    transport: Transport,
) -> None:
    with RawServer(answers(reply(400, b"{}"))) as server:
        statuses = [send(transport, server.url).status for _ in range(20)]

    assert statuses == [400] * 20


def closes_on_second_request(talk: Talk) -> None:
    talk.request()
    talk.send(OK)
    talk.request()


def test_a_request_on_a_connection_that_went_stale_is_sent_once_more(transport: Transport) -> None:
    with RawServer(closes_on_second_request, answers(OK)) as server:
        send(transport, server.url)
        again = send(transport, server.url, method="POST", body=b"{}")

        assert (again.status, server.connections) == (200, 2)


@pytest.mark.parametrize("said", [reply(204) + b"{}", OK + b"\r\nHTTP/1.1 500 No\r\n\r\n"])
def test_what_a_server_says_beyond_its_answer_does_not_reach_the_next(
    transport: Transport, said: bytes
) -> None:
    with RawServer(answers(said, OK), answers(OK)) as server:
        send(transport, server.url)

        assert send(transport, server.url, method="POST", body=b"{}").body == b"{}"
        assert server.connections == 2


def test_a_request_on_a_new_connection_is_never_sent_twice(transport: Transport) -> None:
    with RawServer(answers(b"")) as server:
        assert failure_of(transport, server.url, body=b"{}") == "closed"
        assert server.connections == 1


def test_a_stale_connection_buys_one_further_request_and_no_more(transport: Transport) -> None:
    with RawServer(closes_on_second_request, answers(b"")) as server:
        send(transport, server.url)

        assert failure_of(transport, server.url, body=b"{}") == "closed"
        assert server.connections == 2


def test_a_request_that_was_answered_by_a_byte_is_not_sent_again(transport: Transport) -> None:
    with RawServer(answers(OK, b"H"), answers(OK)) as server:
        send(transport, server.url)

        assert failure_of(transport, server.url, body=b"{}") == "closed"
        assert server.connections == 1


def test_an_error_that_comes_before_the_body_was_sent_is_an_answer(transport: Transport) -> None:
    def refuses_early(talk: Talk) -> None:
        talk.send(reply(413, b"", "Connection: close"))
        talk.request()

    with RawServer(refuses_early) as server:
        assert send(transport, server.url, method="POST", body=b"x" * 10_000).status == 413


@pytest.mark.parametrize(
    "url",
    [
        "",
        "card.json",
        "ftp://host/",
        "javascript:alert(1)",
        "http://",
        "http://[::1",
        "http://a:b/",
    ],
)
def test_a_url_that_cannot_be_asked_for_says_so(url: str) -> None:
    with pytest.raises(Unanswered) as caught:
        target(url)

    assert caught.value.failure.kind == "url"


@pytest.mark.parametrize(
    ("url", "kind", "words"),
    [
        ("http://127.0.0.1:1/", "connect", "no connection to http://127.0.0.1:1: refused"),
        (
            "http://nowhere.invalid/",
            "connect",
            "no connection to http://nowhere.invalid: no such host",
        ),
    ],
)
def test_no_connection_says_why(transport: Transport, url: str, kind: str, words: str) -> None:
    with pytest.raises(Unanswered) as caught:
        send(transport, url)

    assert (caught.value.failure.kind, caught.value.failure.message) == (kind, words)


def test_a_server_without_tls_is_named(transport: Transport) -> None:
    def speaks_plainly(talk: Talk) -> None:
        talk.send(OK)
        talk.hang()

    with RawServer(speaks_plainly) as server:
        assert failure_of(transport, server.url.replace("http", "https")) == "tls"


def test_a_request_that_is_no_http_is_our_error(transport: Transport) -> None:
    with RawServer(answers(OK)) as server, pytest.raises(ValueError, match="cannot be sent"):
        transport.send(Outgoing("GET", target(server.url), []), time.monotonic() + 1)


def test_it_serves_an_httpx_client(transport: Transport) -> None:
    body = gzip.compress(b"{}")
    with (
        RawServer(answers(reply(200, body, "Content-Encoding: gzip"))) as server,
        httpx.Client(transport=transport) as client,
    ):
        assert client.get(server.url).json() == {}


def test_a_proxy_is_left_alone_on_loopback(
    transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with RawServer(answers(OK)) as server:
        assert send(transport, server.url).status == 200


def test_a_proxy_of_the_environment_is_gone_through(
    transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []

    def proxy(talk: Talk) -> None:
        asked.append(talk.request())
        talk.send(OK)

    with RawServer(proxy) as server:
        monkeypatch.setenv("http_proxy", server.url.replace("//", "//user:pass@"))
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)

        assert send(transport, "http://provider.invalid/card").status == 200
        assert asked[0].startswith(b"GET http://provider.invalid/card HTTP/1.1\r\n")
        assert b"roxy-Authorization: Basic dXNlcjpwYXNz\r\n" in asked[0]


def test_a_proxy_of_another_kind_is_named(
    transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)

    assert failure_of(transport, "http://provider.invalid/") == "connect"
