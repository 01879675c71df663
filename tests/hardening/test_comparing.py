"""Two series of times: told apart where they differ, and never by chance."""

import random
from collections.abc import Callable, Iterator

import httpx
import pytest

from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Deviation, Inconclusive, Notebook, Untested, notebook
from suites.hardening.comparing import Ask, Compared, must_take_as_long, signed_rank


@pytest.fixture
def book() -> Iterator[Notebook]:
    with notebook() as opened:
        yield opened


def answering(seconds: Callable[[], float], status: int = 400) -> Ask:
    return lambda _: Answer(status, httpx.Headers(), b"", seconds(), "x-1", "tasks/{id}", 0.0)


def test_the_rank_test_agrees_with_tables() -> None:
    # Wilcoxon's own example of 1945 (heights of plants): T = 24 of 15 pairs, p = 0.041 exactly.
    differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]

    assert signed_rank(differences) == pytest.approx(0.041, abs=0.003)


@pytest.mark.parametrize("differences", [[], [0.0] * 40, [1.0, -1.0] * 20])
def test_no_difference_is_no_surprise(differences: list[float]) -> None:
    assert signed_rank(differences) == pytest.approx(1.0, abs=0.02)


def test_forty_pairs_that_agree_are_none_of_chance() -> None:
    assert signed_rank([0.001 * it for it in range(1, 41)]) < 1e-7


def test_the_sign_of_the_difference_does_not_matter_to_p() -> None:
    found = [0.3, -0.1, 0.7, 0.2, -0.9, 0.4]

    assert signed_rank(found) == signed_rank([-it for it in found])


def test_a_difference_is_no_more_than_it_takes_to_be_seen() -> None:
    slow = tuple(0.2 + 0.0001 * it for it in range(40))

    assert not Compared(slow, tuple(it + 0.002 for it in slow)).tells  # a hundredth of it all
    assert Compared(slow, tuple(it + 0.03 for it in slow)).tells


def test_two_that_take_different_times_are_told_apart(book: Notebook) -> None:
    chance = random.Random(1)
    fast, slow = (lambda: chance.gauss(0.02, 0.002)), (lambda: chance.gauss(0.028, 0.002))

    with pytest.raises(Deviation, match="ms more for theirs than for nobody's, in two rounds"):
        must_take_as_long(("nobody's", answering(fast)), ("theirs", answering(slow)))

    measured = {it.what: it.value for it in book.measures}
    assert measured["median for theirs"] == pytest.approx(28, abs=2)
    assert measured["median of the paired differences"] == pytest.approx(8, abs=2)
    assert measured["pairs"] == 80


def test_noise_tells_nothing(book: Notebook) -> None:
    for seed in range(200):
        chance = random.Random(seed)
        alike = answering(lambda it=chance: it.lognormvariate(-4, 1))  # type: ignore[misc]

        must_take_as_long(("one", alike), ("other", alike))

    assert len(book.measures) == 200 * 5


def test_what_drifts_drifts_for_both() -> None:
    now = iter(range(1_000_000))
    drifting = answering(lambda: 0.02 + 0.001 * next(now))

    must_take_as_long(("one", drifting), ("other", drifting))


def test_one_round_alone_is_no_proof() -> None:
    asked = iter(range(1_000_000))
    # Slow for as long as the first round lasts: a neighbour on the machine.
    other = answering(lambda: 0.02 if next(asked) > 45 else 0.05)

    must_take_as_long(("one", answering(lambda: 0.02)), ("other", other))


def test_what_is_answered_differently_needs_no_clock() -> None:
    same = lambda: 0.02  # noqa: E731 - a time

    with pytest.raises(Untested, match="answered differently anyway, by 400 and 404"):
        must_take_as_long(("one", answering(same)), ("other", answering(same, 404)))


@pytest.mark.parametrize("status", [429, 503])
def test_a_rate_limit_and_a_gateway_say_nothing_of_time(status: int) -> None:
    limited = answering(lambda: 0.02, status)

    with pytest.raises(Inconclusive):
        must_take_as_long(("one", limited), ("other", limited))
