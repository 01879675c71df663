"""What is made of a run of the matrix: of a flaw, of a variant, of a run that came to no end."""

from dataclasses import replace

from pact_conformance.matrix.forked import Ran
from pact_conformance.matrix.judged import again, judge

from .making import CHECKED, RULE, ran


def by_section(it: Ran) -> Ran:
    return replace(it, subject=replace(it.subject, sections=frozenset({"2.2", "6"})))


def test_a_flaw_trips_what_it_breaks_by_failing_or_warning() -> None:
    tripped = {CHECKED: "failed", RULE: "warned", "4.2-reply": "untested"}

    assert judge(ran("flaw", {CHECKED, RULE}, tripped)).problem == ""


def test_a_flaw_that_is_not_seen_or_trips_more_is_told() -> None:
    problem = judge(ran("flaw", {CHECKED}, {RULE: "failed"})).problem

    assert problem == f"missed {CHECKED}; tripped {RULE} besides"


def test_a_flaw_that_trips_nothing_is_caught_by_nothing() -> None:
    assert judge(ran("flaw", {CHECKED}, {CHECKED: "passed"})).problem == "caught by nothing"


def test_a_variant_may_leave_nothing_inconclusive() -> None:
    problem = judge(ran("variant", set(), {CHECKED: "inconclusive"})).problem

    assert problem == f"failed or left inconclusive: {CHECKED}"


def test_a_variant_warns_of_what_it_declares() -> None:
    assert judge(ran("variant", {CHECKED}, {CHECKED: "warned"}, 0)).problem == ""
    assert judge(ran("variant", set(), {CHECKED: "warned"}, 0)).problem != ""


def test_a_run_that_came_to_no_end_proves_nothing() -> None:
    whole = ran("flaw", {CHECKED}, {CHECKED: "failed"}, 3)

    assert judge(whole).problem == "the run ended with 3"
    assert judge(replace(whole, exit_code=1, report=None)).problem != ""


def test_what_other_sections_may_show_is_looked_for_in_the_whole() -> None:
    missed_rule = ran("flaw", {CHECKED, RULE}, {CHECKED: "failed"})
    missed_check = ran("flaw", {CHECKED, RULE}, {RULE: "failed"})

    assert again(by_section(missed_rule))
    assert not again(missed_rule)
    assert not again(by_section(missed_check))
    assert not again(replace(by_section(missed_rule), exit_code=3))
