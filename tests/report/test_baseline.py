from collections.abc import Iterable
from dataclasses import replace
from datetime import date

import pytest

from pact_conformance.report.baseline import Baseline, Known, State
from pact_conformance.report.outcome import Outcome
from tests.report.making import FAILED, FAULT, INCONCLUSIVE, NOTED, PASSED, UNTESTED, WARNED

TODAY = date(2026, 11, 30)
ENTRY = Known("3.2-alg", FAILED.name, "alg-none", "the gateway is replaced in May")
ABOUT = {"3.2-alg", "3.2-exp-accepted-300", "2.1-interface-url"}


def baseline(*entries: Known, renewed: bool = False) -> Baseline:
    return Baseline(entries, TODAY, renewed=renewed)


def state(
    entry: Known, outcomes: Iterable[Outcome], *, about: Iterable[str] = ABOUT, whole: bool = True
) -> State:
    [standing] = baseline(entry).standings(tuple(outcomes), about=set(about), whole=whole)
    return standing.state


def test_a_failure_that_is_named_is_known_by_its_reason() -> None:
    assert baseline(ENTRY).marked(FAILED) == replace(FAILED, known=ENTRY.reason)


def test_its_verdict_stays_what_it_is() -> None:
    assert baseline(ENTRY).marked(FAILED).verdict == "failed"


@pytest.mark.parametrize(
    "other",
    [
        replace(FAILED, case="alg-hs256"),
        replace(FAILED, name="another_check"),
        replace(FAILED, requirements=("3.2-es256",)),
    ],
)
def test_another_failure_is_not_known(other: Outcome) -> None:
    assert not baseline(ENTRY).marked(other).known


def test_a_check_may_be_named_as_it_is_spoken() -> None:
    entry = replace(ENTRY, check="a forged token is refused")

    assert baseline(entry).marked(FAILED).known


def test_any_requirement_of_a_check_names_it() -> None:
    both = replace(FAILED, requirements=("3.2-es256", "3.2-alg"))

    assert baseline(ENTRY).marked(both).known


@pytest.mark.parametrize("outcome", [PASSED, WARNED, UNTESTED, NOTED])
def test_what_does_not_fail_is_never_known(outcome: Outcome) -> None:
    entry = Known(outcome.requirements[0], outcome.name, outcome.case, "a reason")

    assert baseline(entry, renewed=True).marked(outcome) == outcome


def test_what_could_not_be_told_may_be_known() -> None:
    entry = Known(INCONCLUSIVE.requirements[0], INCONCLUSIVE.name, "", "it is slow")

    assert baseline(entry).marked(INCONCLUSIVE).known


def test_a_fault_of_the_suite_is_never_known() -> None:
    entry = Known(FAULT.requirements[0], FAULT.name, "", "a reason")

    assert not baseline(entry, renewed=True).marked(FAULT).known
    assert not baseline(renewed=True).fresh([FAULT])


@pytest.mark.parametrize(("expires", "known"), [(29, False), (30, True)])
def test_an_entry_counts_on_its_last_day(expires: int, *, known: bool) -> None:
    entry = replace(ENTRY, expires=date(2026, 11, expires))

    assert bool(baseline(entry).marked(FAILED).known) is known
    assert state(entry, [FAILED]) == ("known" if known else "expired")


def test_an_expired_entry_is_not_renewed_by_a_machine() -> None:
    entry = replace(ENTRY, expires=date(2026, 11, 1))

    assert not baseline(entry, renewed=True).marked(FAILED).known
    assert not baseline(entry, renewed=True).fresh([FAILED])


@pytest.mark.parametrize("verdict", ["passed", "warned", "not applicable"])
def test_what_no_longer_fails_has_to_go(verdict: str) -> None:
    assert state(ENTRY, [replace(FAILED, verdict=verdict)]) == "no longer failing"  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["check", "deselected"])
def test_what_was_not_decided_may_still_fail(kind: str) -> None:
    assert state(ENTRY, [replace(FAILED, verdict="untested", kind=kind)]) == "undecided"


def test_what_was_not_selected_does_not_expire() -> None:
    entry = replace(ENTRY, expires=date(2026, 1, 1))
    left_out = replace(FAILED, verdict="untested", kind="deselected")

    assert state(entry, [left_out]) == "undecided"


def test_what_is_not_judged_is_undecided() -> None:
    assert state(ENTRY, [], about={"2.1-interface-url"}) == "undecided"


@pytest.mark.parametrize(("whole", "expected"), [(True, "no such check"), (False, "undecided")])
def test_a_whole_run_tells_what_does_not_exist(expected: State, *, whole: bool) -> None:
    assert state(replace(ENTRY, check="a_typo"), [FAILED], whole=whole) == expected


def test_what_is_wrong_with_an_entry_is_one_sentence() -> None:
    [standing] = baseline(ENTRY).standings(
        [replace(FAILED, verdict="passed")], about=ABOUT, whole=True
    )

    assert standing.said == (
        "3.2-alg: a forged token is refused [alg-none] no longer fails: take it out"
    )


def test_a_run_that_renews_takes_every_failure_for_known() -> None:
    found = baseline(renewed=True).marked(FAILED).known

    assert found == "found on 2026-11-30: got 200 with a Message"


def test_a_run_adds_what_fails_and_is_not_there_yet() -> None:
    [added] = baseline(ENTRY).fresh([PASSED, FAILED, INCONCLUSIVE])

    assert added == Known(
        "3.2-exp-accepted-300",
        INCONCLUSIVE.name,
        "",
        "found on 2026-11-30: no answer: deadline",
    )


def test_a_reason_that_quotes_the_subject_is_short_and_harmless() -> None:
    [added] = baseline().fresh([replace(FAILED, got="\x1b[31m\u202e" + "x" * 10_000)])

    assert len(added.reason) <= 200
    assert added.reason.isprintable()
