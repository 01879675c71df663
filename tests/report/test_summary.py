"""The summary at the terminal tells what was selected, and what nothing could be decided for."""

from dataclasses import replace

import pytest

from pact_conformance.report import folding, text
from pact_conformance.report import summary as summing
from pact_conformance.report.fitting import fitted
from pact_conformance.report.folding import NOT_SELECTED
from pact_conformance.report.outcome import Outcome
from tests.report.making import CATALOGUE, FAILED, FINDING, PASSED, UNTESTED

BLOCKED = Outcome(
    "nothing_authenticates", "", ("3.2-es256",), "inconclusive", got="401", kind="finding"
)


def summary(*outcomes: Outcome, finding: str | None = None) -> list[str]:
    """The lines of a run with these outcomes."""
    decided = folding.fold(CATALOGUE, outcomes, role="provider", finding=finding)
    decided = tuple(it for it in decided if it.requirement.profile == "identity")
    profiles = [folding.profile("identity", "provider", decided)]
    head = summing.head(profiles, outcomes)
    return [*head, *fitted(summing.blocks(decided, outcomes), None, text.WIDTH)]


def deselected(id_: str) -> Outcome:
    """A check that was not selected."""
    return Outcome("another", "", (id_,), "untested", reason=NOT_SELECTED, kind="deselected")


def test_what_was_not_selected_is_counted_in_one_line() -> None:
    lines = summary(PASSED, deselected("3.2-aud"))

    (counted,) = [line for line in lines if NOT_SELECTED in line]
    assert counted.startswith("  not selected: ")
    assert "3.2-aud" not in "\n".join(lines)


def test_a_small_selection_is_told_one_by_one() -> None:
    lines = summary(PASSED, FAILED, UNTESTED, deselected("3.2-exp-expired"))

    assert "  passed       3.2-exp-expired" in lines
    assert "  untested     4.2-foreign-brand" in lines
    assert len([line for line in lines if "3.2-alg" in line]) == 1, "a failure is told once"


def test_a_large_selection_is_not() -> None:
    rows = CATALOGUE.of(role="provider", profile="identity")[: summing.SELECTED_SHOWN]
    lines = summary(*(replace(PASSED, requirements=(row.id,)) for row in rows))

    assert not [line for line in lines if line.startswith("  passed ")]


def test_a_whole_run_speaks_of_no_selection() -> None:
    rows = CATALOGUE.of(role="provider", profile="identity")
    lines = summary(*(replace(PASSED, requirements=(row.id,)) for row in rows))

    assert not [line for line in lines if "selected" in line or line.startswith("  passed ")]


@pytest.mark.parametrize(
    ("more", "said"),
    [((), "nothing could be decided"), ((PASSED,), "not everything could be decided")],
)
def test_a_finding_is_named_where_it_blocks(more: tuple[Outcome, ...], said: str) -> None:
    first = summary(BLOCKED, *more, finding=str(FINDING["id"]))[0]

    assert f"INCOMPLETE: {said}, see nothing-authenticates" in first
    assert "nothing failed" not in first
