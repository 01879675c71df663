"""The client sends what it is told to, and records what comes of it."""

import json
import threading
from dataclasses import dataclass

import pytest

from pact_conformance.journal.answer import NOT_JSON, Answer
from pact_conformance.journal.client import NoAnswer, RecordingClient
from pact_conformance.journal.exchange import Exchange, Header
from pact_conformance.journal.journal import Journal, read
from pact_conformance.journal.mask import Mask
from pact_conformance.journal.placeholder import DELEGATION_TOKEN, PA_JWT, placeholder
from pact_conformance.wire.errors import envelope

from .raw_server import OK, Conversation, RawServer, Talk, answers, reply


@dataclass(frozen=True)
class ATestToken:
    text: str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln"
    label: str = "ES256 kid=k1"
    forgery: str | None = None


def keeps(said: list[bytes], answer: bytes = OK) -> Conversation:
    def conversation(talk: Talk) -> None:
        while True:
            said.append(talk.request())
            talk.send(answer)

    return conversation


def recorded_by(journal: Journal) -> list[Exchange]:
    return list(read(journal.path))


def lines(request: bytes) -> list[bytes]:
    return request.partition(b"\r\n\r\n")[0].split(b"\r\n")


def test_headers_go_out_in_order_and_may_repeat(client: RecordingClient) -> None:
    said: list[bytes] = []
    headers: list[Header] = [("X-One", "1"), ("x-two", "ü"), ("X-One", ""), ("Accept", "a/b")]
    with RawServer(keeps(said)) as server:
        client.exchange("GET", f"{server.url}/a%3Ab?c=d", operation="other", headers=headers)

    first, host, *rest = lines(said[0])
    assert first == b"GET /a%3Ab?c=d HTTP/1.1"
    assert host == f"Host: {server.url.removeprefix('http://')}".encode()
    assert rest[:4] == [b"X-One: 1", "x-two: ü".encode(), b"X-One: ", b"Accept: a/b"]
    assert rest[4] == b"Accept-Encoding: identity"
    assert rest[5].startswith(b"User-Agent: pact-conformance/")
    assert rest[6:] == []


def test_a_body_goes_out_as_it_is_without_a_content_type_of_ours(client: RecordingClient) -> None:
    said: list[bytes] = []
    with RawServer(keeps(said)) as server:
        client.exchange("POST", server.url, operation="message:send", content=b'{"a":\xff}')

    assert said[0].endswith(b'Content-Length: 7\r\n\r\n{"a":\xff}')
    assert b"content-type" not in said[0].lower()


@pytest.mark.parametrize(("method", "length"), [("POST", True), ("GET", False), ("DELETE", False)])
def test_a_length_is_sent_without_a_body_where_one_is_expected(
    client: RecordingClient, method: str, *, length: bool
) -> None:
    said: list[bytes] = []
    with RawServer(keeps(said)) as server:
        client.exchange(method, server.url, operation="other")

    assert (b"Content-Length: 0" in said[0]) is length


def test_the_token_goes_into_the_authorization_header(client: RecordingClient) -> None:
    said: list[bytes] = []
    with RawServer(keeps(said)) as server:
        client.exchange("GET", server.url, operation="tasks", token=ATestToken())

    assert f"Authorization: Bearer {ATestToken.text}".encode() in lines(said[0])


@pytest.mark.parametrize("headers", [[], [("authorization", "bearer x")]])
def test_the_token_stays_at_home_when_told_so(
    client: RecordingClient, headers: list[Header]
) -> None:
    said: list[bytes] = []
    with RawServer(keeps(said)) as server:
        client.exchange(
            "GET",
            server.url,
            operation="tasks",
            token=ATestToken(),
            headers=headers,
            bearer=bool(headers),
        )

    assert ATestToken.text.encode() not in said[0]


def test_the_record_tells_the_exchange_without_its_secrets(
    client: RecordingClient, journal: Journal, mask: Mask
) -> None:
    mask.add("open sesame", "password")
    answer = reply(400, b'{"got": "open sesame"}', "Content-Type: application/json")
    with RawServer(answers(answer)) as server:
        client.exchange(
            "POST",
            f"{server.url}/message:send",
            operation="message:send",
            headers=[("X-A2A-User-Delegation", f"Bearer {ATestToken.text}")],
            content=b'{"say": "open sesame"}',
            token=ATestToken(forgery="alg-none"),
            purpose="a forged token",
            turn=True,
        )

    (exchange,) = recorded_by(journal)
    assert exchange.id == "main-1"
    assert (exchange.operation, exchange.purpose) == ("message:send", "a forged token")
    assert (exchange.credentials, exchange.token) == ("forged", "ES256 kid=k1")
    assert (exchange.turn, exchange.caused) == (True, False)
    assert exchange.sent.header("authorization") == f"Bearer {PA_JWT}"
    assert exchange.sent.header("x-a2a-user-delegation") == f"Bearer {DELEGATION_TOKEN}"
    assert exchange.sent.body == f'{{"say": "{placeholder("password")}"}}'
    assert exchange.answer is not None
    assert exchange.answer.status == 400
    assert exchange.answer.json == {"got": placeholder("password")}
    assert exchange.failure is None


@pytest.mark.parametrize(
    ("token", "credentials"),
    [(None, "none"), (ATestToken(), "good"), (ATestToken(forgery="x"), "forged")],
)
def test_what_the_credentials_are_worth_follows_from_the_token(
    client: RecordingClient, journal: Journal, token: ATestToken | None, credentials: str
) -> None:
    with RawServer(answers(OK)) as server:
        client.exchange("GET", server.url, operation="tasks", token=token)

    assert [it.credentials for it in recorded_by(journal)] == [credentials]


def test_an_exchange_without_an_answer_is_recorded_and_raised(
    client: RecordingClient, journal: Journal
) -> None:
    with pytest.raises(NoAnswer) as caught:
        client.exchange("GET", "http://127.0.0.1:1/card", operation="card")

    (exchange,) = recorded_by(journal)
    assert exchange.answer is None
    assert exchange.failure == caught.value.failure
    assert exchange.id == caught.value.exchange_id
    assert str(caught.value) == "no connection to http://127.0.0.1:1: refused (exchange main-1)"


def test_a_url_that_cannot_be_asked_for_is_recorded_too(
    client: RecordingClient, journal: Journal
) -> None:
    with pytest.raises(NoAnswer):
        client.exchange("GET", "javascript:alert(1)", operation="card")

    assert [it.sent.url for it in recorded_by(journal)] == ["javascript:alert(1)"]


def test_extra_headers_go_out_and_are_masked(journal: Journal, mask: Mask) -> None:
    said: list[bytes] = []
    client = RecordingClient(journal, mask, deadline=5, extra_headers=[("X-Gateway", "key")])
    with RawServer(keeps(said)) as server:
        client.exchange("GET", server.url, operation="card")
    client.close()

    assert b"X-Gateway: key" in lines(said[0])
    assert recorded_by(journal)[0].sent.header("X-Gateway") == placeholder("x-gateway")


def test_many_threads_share_a_client(client: RecordingClient, journal: Journal) -> None:
    def run() -> None:
        for _ in range(10):
            client.exchange("GET", server.url, operation="tasks", token=ATestToken())

    with RawServer(keeps([])) as server:
        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert len({exchange.id for exchange in recorded_by(journal)}) == 40


def answer_to(client: RecordingClient, said: bytes) -> Answer:
    with RawServer(answers(said)) as server:
        return client.exchange("GET", server.url, operation="tasks")


def test_an_answer_shows_the_a2a_error_that_it_holds(client: RecordingClient) -> None:
    body = json.dumps(envelope("TASK_NOT_FOUND", "no such task")).encode()
    answer = answer_to(client, reply(404, body, "Content-Type: application/a2a+json"))

    assert answer.error is not None
    assert answer.error.reason == "TASK_NOT_FOUND"
    assert answer.headers["content-type"] == "application/a2a+json"


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"{", b"NaN", b'{"a": Infinity}', b"[" * 100_000, b"\xff\xfe", b"1" * 5000],
)
def test_a_body_that_is_no_json_has_no_value(client: RecordingClient, body: bytes) -> None:
    answer = answer_to(client, reply(200, body))

    assert answer.json is NOT_JSON
    assert answer.error is None


def test_undecodable_bytes_are_replaced(client: RecordingClient, journal: Journal) -> None:
    assert answer_to(client, reply(200, b"a\xffb")).text == "a\N{REPLACEMENT CHARACTER}b"

    (exchange,) = recorded_by(journal)
    assert exchange.answer is not None
    assert exchange.answer.body == "a\N{REPLACEMENT CHARACTER}b"
