"""Two flaws at once: which are drawn, and what is made of one that nobody sees."""

from dataclasses import replace
from pathlib import Path

import pytest

from pact_conformance.counterpart import flaws
from pact_conformance.matrix.forked import Ran
from pact_conformance.matrix.gathering import Gathering
from pact_conformance.matrix.pairs import pair, sample
from pact_conformance.matrix.subjects import Subject, subjects

from .making import report, row

ONE, OTHER = subjects(["refuses-to-list-tasks", "accepts-a-lifetime-of-301-s"])
BOTH = pair(ONE, OTHER)
(LISTS,), (LIFETIME,) = ONE.declared, OTHER.declared


def ended(subject: Subject, lists: str, lifetime: str) -> Ran:
    """A run of the pair in which the two requirements ended so."""
    return Ran(subject, 1, report(row(LISTS, lists), row(LIFETIME, lifetime)), "")


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def gathering(tmp_path: Path, told: list[str]) -> Gathering:
    return Gathering(tmp_path, told.append)


def test_a_pair_is_the_mock_with_both_flaws_the_second_one_last() -> None:
    assert BOTH.options == {
        "provider": "mock",
        "profile": "identity",
        "mock_flaws": "refuses-to-list-tasks,accepts-a-lifetime-of-301-s",
    }


def test_the_same_turn_draws_the_same_pairs_and_another_one_others() -> None:
    everybody = list(subjects())

    drawn = [[it.name for it in sample(everybody, 20, number)] for number in (7, 7, 8)]

    assert len(set(drawn[0])) == 20
    assert drawn[0] == drawn[1]
    assert not set(drawn[0]) & set(drawn[2])


def test_a_pair_is_of_one_role_and_breaks_nothing_in_common() -> None:
    for drawn in sample(list(subjects()), 50, 1):
        one, other = (flaws.ALL[name] for name in drawn.parts)
        assert one.role == other.role == drawn.role
        assert not one.breaks & other.breaks


def test_of_few_flaws_there_are_few_pairs() -> None:
    assert [it.name for it in sample([ONE], 3, 1)] == []
    assert [set(it.parts) for it in sample([ONE, OTHER], 3, 1)] == [{ONE.name, OTHER.name}]


@pytest.mark.parametrize("other", ["failed", "warned", "inconclusive", "untested"])
def test_a_pair_is_as_it_must_be_where_both_are_seen_or_cannot_be(
    gathering: Gathering, other: str
) -> None:
    assert gathering.ended(ended(BOTH, "failed", other)) is None
    assert [it.problem for it in gathering.rows] == [""]


def test_a_flaw_that_is_hidden_is_looked_for_in_the_whole_then_the_other_way_round(
    gathering: Gathering,
) -> None:
    by_section = replace(BOTH, sections=frozenset({"2.2", "3.2"}))

    whole = gathering.ended(ended(by_section, "failed", "passed"))
    assert whole == BOTH
    swapped = gathering.ended(ended(BOTH, "failed", "passed"))
    assert swapped is not None
    assert swapped.parts == (OTHER.name, ONE.name)
    assert gathering.rows == []


def test_a_flaw_that_is_hidden_in_both_orders_is_told(
    gathering: Gathering, told: list[str]
) -> None:
    swapped = gathering.ended(ended(BOTH, "failed", "passed"))
    assert swapped is not None
    gathering.ended(ended(swapped, "failed", "passed"))

    (judged,) = gathering.rows
    assert judged.problem == f"nothing was seen of {OTHER.name}, whichever came last"
    assert judged.problem in told[-1]


def test_where_each_takes_the_place_of_the_other_nothing_is_hidden(gathering: Gathering) -> None:
    swapped = gathering.ended(ended(BOTH, "failed", "passed"))
    assert swapped is not None
    gathering.ended(ended(swapped, "passed", "failed"))

    assert [it.problem for it in gathering.rows] == [""]
