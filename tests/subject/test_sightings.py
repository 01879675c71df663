"""What the stage has seen is read once, in order, by whoever looks first."""

import threading
from collections.abc import Callable

import pytest

from pact_conformance.subject.seen import Seen
from pact_conformance.subject.sightings import Part, Sightings


def seen(n: int, brand: str | None = "a") -> Seen:
    return Seen(n, 0.0, 0.0, brand, "card", "GET", "http://x/", (), "", None, None)


class Asked:
    """A stage that has seen some requests; it tells two at once, and waits for nothing."""

    def __init__(self, *requests: Seen) -> None:
        self.requests = list(requests)
        self.pages: list[tuple[int, str | None]] = []
        self.before: Callable[[], None] = lambda: None

    def page(self, since: int, brand: str | None, wait: float) -> Part:
        self.pages.append((since, brand))
        if wait:
            self.requests.append(seen(len(self.requests)))
        self.before()
        found = self.requests[since : since + 2]
        return Part(found, since + len(found), len(self.requests))


def test_each_request_is_read_and_taken_once() -> None:
    stage, taken = Asked(seen(0), seen(1), seen(2)), list[int]()
    sightings = Sightings(stage.page, lambda it: taken.append(it.n))
    first = sightings.all()
    stage.requests.append(seen(3))
    then = sightings.all()

    assert [len(first), len(then)] == [3, 4]
    assert taken == [0, 1, 2, 3]
    assert [since for since, _ in stage.pages] == [0, 2, 3]


def test_a_look_is_one_question() -> None:
    stage = Asked(seen(0))
    sightings = Sightings(stage.page, lambda _: None)
    sightings.of("a")
    sightings.of("b")

    assert stage.pages == [(0, None), (1, None)]


def test_requests_are_told_apart_by_their_brand() -> None:
    stage = Asked(seen(0, "a"), seen(1, "b"), seen(2, None), seen(3, "a"))
    sightings = Sightings(stage.page, lambda _: None)

    assert [[it.n for it in sightings.of(brand)] for brand in ("a", "b", None, "c")] == [
        [0, 3],
        [1],
        [2],
        [],
    ]


def test_waiting_goes_on_from_what_was_read() -> None:
    stage = Asked(seen(0, "b"))
    sightings = Sightings(stage.page, lambda _: None)
    found = sightings.until("a", lambda it: len(it) >= 2, 10)

    assert [it.n for it in found] == [1, 2]
    assert stage.pages == [(0, None), (1, "a"), (1, None), (2, "a"), (2, None)]


def test_what_cannot_be_taken_is_told_once_and_seen_all_the_same() -> None:
    stage = Asked(seen(0), seen(1))

    def take(it: Seen) -> None:
        if it.n == 0:
            raise OSError("the disk is full")

    sightings = Sightings(stage.page, take)
    with pytest.raises(OSError, match="full"):
        sightings.all()

    assert [it.n for it in sightings.all()] == [0, 1]


class Door:
    """A lock that tells who arrives at it."""

    def __init__(self) -> None:
        self.arrived = threading.Semaphore(0)
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self.arrived.release()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_who_looks_meanwhile_shares_one_look_that_begins_after_it_asked() -> None:
    stage, door = Asked(seen(0)), Door()
    sightings = Sightings(stage.page, lambda _: None)
    sightings._lock = door  # type: ignore[assignment]
    lookers = [threading.Thread(target=sightings.all) for _ in range(5)]

    def others_ask() -> None:
        stage.before = lambda: None
        for it in lookers:
            it.start()
        for _ in (stage, *lookers):
            assert door.arrived.acquire(timeout=10)

    stage.before = others_ask
    sightings.all()
    for it in lookers:
        it.join()

    assert stage.pages == [(0, None), (1, None)]
