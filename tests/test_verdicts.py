"""How a check ends, and what its notebook keeps."""

import time
from threading import Thread

import pytest

from pact_conformance.verdicts import (
    Deviation,
    Inconclusive,
    NotApplicable,
    Notebook,
    Unsettled,
    Untested,
    notebook,
    open_notebook,
)


def test_a_deviation_says_what_was_expected_and_what_came() -> None:
    deviation = Deviation("401", "200 with a Message")

    assert (deviation.expected, deviation.got) == ("401", "200 with a Message")
    assert str(deviation) == "expected 401; got 200 with a Message"


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        (Inconclusive, "inconclusive"),
        (Untested, "untested"),
        (NotApplicable, "not applicable"),
    ],
)
def test_a_check_that_settles_nothing_says_why_and_what_to_do(
    kind: type[Unsettled], verdict: str
) -> None:
    ended = kind("no second Brand", do="set one")

    assert (ended.verdict, ended.reason, ended.do) == (verdict, "no second Brand", "set one")
    assert str(ended) == "no second Brand"
    assert kind("x").do == ""


def test_the_notebook_of_the_running_check_is_the_innermost() -> None:
    with notebook() as outer:
        with notebook(Notebook(name="inner")) as inner:
            assert open_notebook() is inner
        assert open_notebook() is outer
    assert open_notebook() is not outer


def test_outside_of_checks_a_notebook_is_thrown_away() -> None:
    open_notebook().notes.append("lost")

    assert open_notebook() == Notebook()


def test_another_thread_has_no_part_in_it() -> None:
    seen: list[Notebook] = []
    with notebook() as book:
        thread = Thread(target=lambda: seen.append(open_notebook()))
        thread.start()
        thread.join()

    assert seen[0] is not book


def test_a_deadline_is_put_off_by_what_others_took() -> None:
    book = Notebook(until=100.0)
    book.wait_longer(7.5)

    assert book.until == 107.5


def test_where_no_deadline_applies_none_is_put_off() -> None:
    book = Notebook()
    book.wait_longer(7.5)

    assert (book.until, book.left) == (None, None)


def test_what_is_left_of_a_deadline_is_never_nothing() -> None:
    assert Notebook(until=time.monotonic() - 5).left == 0.001
    assert 50 < (Notebook(until=time.monotonic() + 60).left or 0) <= 60
