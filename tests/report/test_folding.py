"""From checks to requirements, from requirements to profiles."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from pact_conformance.catalogue import load
from pact_conformance.report import folding
from pact_conformance.report.folding import Decided
from pact_conformance.report.outcome import Outcome
from pact_conformance.verdicts import Verdict

CATALOGUE = load()
ROW = replace(CATALOGUE.requirements["3.2-exp-expired"], planned=False, reason="")
WORST_FIRST: tuple[Verdict, ...] = (
    "failed",
    "inconclusive",
    "untested",
    "warned",
    "passed",
    "not applicable",
)


def outcome(verdict: Verdict, *requirements: str, kind: str = "check", **said: str) -> Outcome:
    return Outcome("a_check", "", requirements or (ROW.id,), verdict, kind=kind, **said)  # type: ignore[arg-type]


@pytest.mark.parametrize(("worse", "better"), [*combinations(WORST_FIRST, 2)])
def test_of_two_verdicts_the_worse_one_is_the_requirements(worse: Verdict, better: Verdict) -> None:
    assert folding.verdict_of([better, worse, better]) == worse
    assert folding.verdict_of([better]) == better


def test_there_is_no_verdict_of_nothing() -> None:
    with pytest.raises(ValueError, match=r"^no verdicts to fold$"):
        folding.verdict_of([])


def test_the_outcome_that_decides_gives_the_reason() -> None:
    told = [
        outcome("passed", reason="a", do="b"),
        outcome("untested", reason="no second Brand", do="set E2E_OTHER_BRAND"),
        outcome("untested", reason="c", do="d"),
    ]
    decided = folding.decide(ROW, told, finding="nothing-authenticates", unfinished="interrupted")

    assert decided == Decided(
        ROW, tuple(told), "untested", "no second Brand", "set E2E_OTHER_BRAND"
    )


@pytest.mark.parametrize(
    ("members", "why", "reason", "do"),
    [
        ({"planned": True, "reason": "x"}, {"finding": "f"}, "there is no check for it yet", ""),
        ({"reason": "inside"}, {"finding": "f", "unfinished": "x"}, "inside", ""),
        ({}, {"finding": "f", "unfinished": "x"}, "see the finding f", ""),
        ({}, {"unfinished": "interrupted"}, "interrupted", "run the suite again, to its end"),
        ({}, {}, "not selected", "select it, or run the whole suite"),
    ],
)
def test_a_requirement_without_outcomes_says_why(
    members: dict[str, object], why: dict[str, str], reason: str, do: str
) -> None:
    row = replace(ROW, **members)  # type: ignore[arg-type]
    decided = folding.decide(
        row, [], finding=why.get("finding"), unfinished=why.get("unfinished", "")
    )

    assert decided == Decided(row, (), "untested", reason, do)


def folded(outcomes: Iterable[Outcome], role: str = "provider", **why: str) -> dict[str, Decided]:
    decided = folding.fold(CATALOGUE, outcomes, role=role, **why)
    return {it.requirement.id: it for it in decided}


@pytest.mark.parametrize("role", ["provider", "personal-agent"])
def test_every_requirement_of_a_role_is_decided_in_the_order_of_the_specification(
    role: str,
) -> None:
    rows = CATALOGUE.requirements.values()

    assert list(folded([], role)) == [it.id for it in rows if it.role == role]


def test_an_outcome_decides_each_requirement_that_it_cites() -> None:
    cited = ("3.2-exp-expired", "3.2-alg")
    found = folded([outcome("passed", *cited), outcome("failed", "3.2-alg")])

    assert [found[it].verdict for it in cited] == ["passed", "failed"]
    assert [len(found[it].outcomes) for it in cited] == [1, 2]


def test_that_fuzzing_found_nothing_passes_nothing() -> None:
    found = folded([outcome("failed", kind="fuzz"), outcome("passed", "3.2-alg")])

    assert found[ROW.id].outcomes == ()
    assert found["3.2-alg"].verdict == "passed"


def test_what_was_not_come_to_is_told_of_every_requirement() -> None:
    name = "3.2-alg"

    assert folded([])[name].reason == folding.decide(ROW, []).reason == "not selected"
    assert folded([], finding="f")[name].reason == "see the finding f"
    assert folded([], unfinished="interrupted")[name].reason == "interrupted"


def decided(verdict: Verdict, **members: object) -> Decided:
    return Decided(replace(ROW, **members), (), verdict)  # type: ignore[arg-type]


def profile(name: str, rows: Sequence[Decided], role: str = "provider") -> folding.Profile:
    return folding.profile(name, role, rows)


IDENTITY = decided("passed", profile="identity", level="MUST")


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (decided("passed", level="MUST"), "conformant"),
        (decided("warned", level="MUST"), "conformant"),
        (decided("not applicable", level="MUST"), "conformant"),
        (decided("untested", level="MUST"), "incomplete"),
        (decided("inconclusive", level="MUST"), "incomplete"),
        (decided("untested", level="SHOULD"), "conformant"),
        (decided("inconclusive", level="MAY"), "conformant"),
        (decided("failed", level="MUST"), "not conformant"),
        (decided("failed", level="SHOULD"), "not conformant"),
        (decided("failed", observed="not"), "conformant"),
        (decided("failed", role="personal-agent"), "conformant"),
        (decided("failed", profile="delegated"), "conformant"),
    ],
)
def test_a_profile_is_as_good_as_what_it_rests_on(row: Decided, verdict: str) -> None:
    assert profile("identity", [IDENTITY, row]).verdict == verdict


def test_one_failure_outweighs_what_is_undecided() -> None:
    rows = [decided("untested", id="u"), decided("failed", id="f"), decided("inconclusive", id="i")]
    found = profile("identity", rows)

    assert (found.verdict, found.failed, found.undecided) == ("not conformant", ("f",), ("u", "i"))
    assert found.counts == {"untested": 1, "failed": 1, "inconclusive": 1}


def test_a_profile_that_rests_on_nothing_is_incomplete() -> None:
    assert profile("identity", []).verdict == "incomplete"


def test_delegated_comprises_identity() -> None:
    rows = [decided("failed", profile="identity"), decided("passed", profile="delegated")]

    assert profile("delegated", rows).counts == {"failed": 1, "passed": 1}
    assert profile("delegated", rows).verdict == "not conformant"


def test_verdicts_are_counted() -> None:
    assert profile("identity", [IDENTITY, IDENTITY, decided("warned")]).counts == {
        "passed": 2,
        "warned": 1,
    }


def test_a_profile_of_a_personal_agent_is_called_so() -> None:
    assert profile("identity", []).key == "identity"
    assert profile("delegated", [], "personal-agent").key == "agent-delegated"
