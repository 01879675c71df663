"""What is seen on the stage, and that it is there at once."""

import socket
import threading
import time
from urllib.parse import urlsplit

import pytest

from pact_conformance.counterpart.provider.stage.seen import Record, Records, SeenAnswer
from tests.counterpart.stage.acting import READ, Acting


def test_a_request_is_seen_whole(acts: Acting) -> None:
    scene = acts.stage.open(approve={"auto": "all"})
    token = acts.token(scene)["access_token"]
    acts.say(scene, "Grüße", delegation=token)
    begun, polled, said = scene.seen()

    assert begun.parameter("scope") == READ
    assert polled.form[0] == ("client_id", acts.agent.issuer)
    assert said.message["parts"] == [{"text": "Grüße"}]
    assert said.url == f"{scene.interface}/message:send"
    assert (said.method, said.header("A2A-Version"), said.delegation) == ("POST", "1.0", token)
    assert said.token is not None
    assert said.token.claims["sub"] == "user-1"
    assert said.answer is not None
    assert said.answer.json["message"]["role"] == "ROLE_AGENT"
    assert abs(said.at - time.time()) < 5
    assert abs(said.monotonic - time.monotonic()) < 5


def test_the_brands_clock_tells_when(acts: Acting) -> None:
    scene = acts.stage.open()
    scene.pass_time(1000)
    acts.card(scene)

    assert 900 < scene.seen()[0].at - time.time() < 1100


def test_who_lives_in_a_time_of_their_own_follows_a_clock(acts: Acting) -> None:
    scene = acts.stage.open(interface_path="/odd/clock/")
    moved: list[tuple[str, float]] = []
    acts.stage.clock_followers.append(lambda interface, seconds: moved.append((interface, seconds)))
    scene.pass_time(100)
    for url in ("/odd/clock", "/odd/clock/"):
        acts.stage.move_clock(acts.running.base + url, 50)
    acts.stage.move_clock(scene.card, 50)
    acts.stage.clock_followers.clear()
    acts.card(scene)

    assert moved == [(scene.interface, 100)]
    assert 240 < scene.seen()[0].at - time.time() < 260


def test_strays_are_what_came_since_the_brand_was_opened(acts: Acting) -> None:
    acts.client.get(f"{acts.running.base}/before")
    scene = acts.stage.open(cardPath="/far/away.json")
    acts.client.get(f"{acts.running.base}/.well-known/agent-card.json")

    assert [it.path for it in scene.strays()] == ["/.well-known/agent-card.json"]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, ""),
        ({"aud": "https://elsewhere.example"}, "aud"),
        ({"exp": None}, "exp is no integer"),
        ({"iss": "https://nobody.example"}, "iss"),
    ],
)
def test_the_token_is_verified_by_the_provider_too(
    acts: Acting, changed: dict[str, object], why: str
) -> None:
    scene = acts.stage.open()
    token = acts.agent.token(**changed)  # type: ignore[arg-type]
    acts.client.get(scene.card, headers={"Authorization": f"Bearer {token}"})
    verified = scene.seen()[0].verified

    assert verified is not None
    assert (verified.why, verified.ok) == (why, not why)
    assert (verified.signature_good, verified.kid_published) == (True, True)


def test_a_foreign_signature_is_told_from_an_unpublished_kid(acts: Acting) -> None:
    scene = acts.stage.open()
    for token in (
        acts.agent.token(key=type(acts.agent)().ec_key),
        acts.agent.token(header={"kid": "other"}),
        "no.token",
    ):
        acts.client.get(scene.card, headers={"Authorization": f"Bearer {token}"})
    acts.card(scene)
    foreign, unknown, none, without = (it.verified for it in scene.seen())

    assert foreign is not None
    assert unknown is not None
    assert none is not None
    assert (foreign.kid_published, foreign.signature_good) == (True, False)
    assert (unknown.kid_published, unknown.signature_good) == (False, True)
    assert (none.ok, without) == (False, None)


def test_waiting_ends_as_soon_as_enough_has_come(acts: Acting) -> None:
    scene = acts.stage.open()
    later = threading.Timer(0.3, acts.say, [scene])
    start = time.monotonic()
    later.start()
    seen = scene.wait_for("message:send", 1, seconds=10)
    took = time.monotonic() - start
    later.join()

    assert len(seen) == 1
    assert took < 5
    assert time.monotonic() - seen[0].monotonic < 5


def test_waiting_ends_when_the_time_is_up(acts: Acting) -> None:
    scene = acts.stage.open()
    acts.card(scene)
    start = time.monotonic()

    assert scene.wait_for("message:send", 1, seconds=0.2) == ()
    assert 0.2 <= time.monotonic() - start < 3


def test_a_request_that_was_given_up_is_not_processed(acts: Acting) -> None:
    scene = acts.stage.open(answers={"message:send": [{"status": 503}]})
    url = urlsplit(scene.interface)
    with socket.create_connection((url.hostname or "", url.port or 0)) as connection:
        head = f"POST {url.path}/message:send HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
        connection.sendall(head.encode() + b"half")
    seen = scene.wait_for("message:send", 1, seconds=10)[0]

    assert (seen.body, seen.truncated, seen.answer) == ("half", True, None)
    assert acts.say(scene).status_code == 503


def test_a_long_body_is_seen_in_part(acts: Acting) -> None:
    scene = acts.stage.open()
    answer = acts.say(scene, "x" * (2 << 20))
    seen = scene.seen("message:send")[0]

    assert answer.status_code == 400
    assert seen.truncated
    assert len(seen.body) == 1 << 20


def test_everything_is_seen_in_order(acts: Acting) -> None:
    first, second = acts.stage.open(), acts.stage.open()
    acts.card(first)
    acts.card(second)
    acts.card(first)
    last = acts.stage.everything()[-3:]

    assert [it.brand for it in last] == [first.brand_id, second.brand_id, first.brand_id]
    assert [it.n for it in last] == [last[0].n + i for i in range(3)]


def record(body: str, brand: str = "b") -> Record:
    return Record(0.0, 0.0, brand, "card", "GET", "u", [], body, None, SeenAnswer(200, [], ""))


def test_of_each_brand_the_first_records_are_kept() -> None:
    records = Records(most=2)
    for number in range(5):
        records.add(record(str(number), brand="b"))
    records.add(record("6", brand="a"))
    page = records.page(0, None)

    assert [it["body"] for it in page.seen] == ["0", "1", "6"]
    assert (page.lost, page.next) == (3, 3)
    assert records.page(0, "a").lost == 0


def test_a_page_has_a_size() -> None:
    records = Records()
    for _ in range(3):
        records.add(record("x" * (8 << 20)))

    assert [len(records.page(n, None).seen) for n in range(4)] == [1, 1, 1, 0]


def test_a_page_has_a_length() -> None:
    records = Records()
    for number in range(5):
        records.add(record(str(number), brand="ab"[number % 2]))
    page = records.page(0, "a", most=2)
    rest = records.page(page.next, "a", most=2)

    assert [it["body"] for it in page.seen + rest.seen] == ["0", "2", "4"]
