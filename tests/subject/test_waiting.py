import pytest

from pact_conformance.subject.waiting import Waited, wait_until


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def __call__(self) -> float:
        return self.now


def waited(holds_at: float, longest: float) -> tuple[Waited, Time]:
    time = Time()
    start = time.now
    found = wait_until(
        lambda: time.now - start >= holds_at,
        longest=longest,
        why="for it",
        sleep=time.sleep,
        now=time,
    )
    return found, time


def test_what_holds_is_not_waited_for() -> None:
    found, time = waited(0, 10)

    assert found == Waited(0, came=True)
    assert time.slept == []


def test_it_is_asked_again_after_longer_and_longer_pauses() -> None:
    found, time = waited(2, 10)

    assert found.came
    assert time.slept == sorted(time.slept)
    assert 2 <= found.seconds < 4


def test_nothing_is_waited_for_beyond_the_bound_and_it_is_asked_there_once_more() -> None:
    found, time = waited(10, 10)

    assert found == Waited(10, came=True)
    assert sum(time.slept) == pytest.approx(10)


def test_what_never_comes_ends_at_the_bound() -> None:
    found, _ = waited(99, 1)

    assert not found.came
    assert 1 <= found.seconds < 1.01


def test_it_is_asked_once_where_nothing_may_be_waited() -> None:
    assert waited(5, 0)[0] == Waited(0, came=False)
