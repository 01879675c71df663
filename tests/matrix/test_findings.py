"""What is told of a matrix: a sentence for each thing that is not as it must be."""

import pytest

from pact_conformance.counterpart import flaws
from pact_conformance.matrix import findings as module
from pact_conformance.matrix.catches import Catch, catches, checks_of
from pact_conformance.matrix.findings import findings
from pact_conformance.matrix.judged import Judged

from .making import CHECKED, RULE, check, gathering, judged, report, row


def everybody(**changed: Judged) -> list[Judged]:
    """Every flaw of the mock Provider, as declared but for those given by their names."""
    rows = {name: judged(name) for name in flaws.of("provider")}
    assert len(rows) > 300
    return list((rows | {it.name: it for it in changed.values()}).values())


def told(rows: list[Judged]) -> list[str]:
    return findings(rows, gathering(rows).checks)


def test_that_a_check_catches_nothing_is_told_when_every_flaw_was_run() -> None:
    assert told(everybody()) == [
        f"the rule a_rule ({RULE}) catches nothing: give it a flaw, or take it out"
    ]
    assert told(everybody()[1:]) == []


def test_a_check_that_what_is_amiss_with_the_whole_run_comes_before_may_catch_nothing() -> None:
    first = Catch("card-unreadable", "finding", (RULE,), "failed")

    rows = everybody(it=judged("pages-by-20", caught_by=(first,)))

    assert told(rows) == []


def test_a_check_of_what_cannot_be_shown_may_catch_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "NOT_SHOWN", {RULE: "for a reason"})

    assert told(everybody()) == []


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (
            judged("pages-by-20", tripped=frozenset(), problem="caught by nothing"),
            f"the flaw pages-by-20 is caught by nothing; it declares {CHECKED}",
        ),
        (
            judged("pages-by-20", problem=f"missed {RULE}"),
            f"the flaw pages-by-20 does not trip what it declares: missed {RULE}",
        ),
        (
            judged("shouts-bearer", "variant", problem=f"warned of {RULE} besides"),
            f"the variant shouts-bearer is legal, but warned of {RULE} besides",
        ),
        (
            judged("a+b", "pair", parts=("a", "b"), problem="nothing was seen of a"),
            "the flaws a and b at once: nothing was seen of a",
        ),
        (
            judged("honest", "honest", problem=f"failed or left inconclusive: {RULE}"),
            f"the mock Provider without any flaw: failed or left inconclusive: {RULE}",
        ),
        (
            judged("pages-by-20", problem="the run ended with 3"),
            "pages-by-20: the run ended with 3; terminal.txt in its folder says why",
        ),
    ],
    ids=lambda it: it.kind if isinstance(it, Judged) else "",
)
def test_a_subject_that_is_not_as_declared_is_told_in_a_sentence(
    row: Judged, sentence: str
) -> None:
    assert told([row]) == [sentence]


def test_what_told_of_a_subject_is_known_with_its_cases() -> None:
    made = report(
        row(CHECKED, "failed", [check("one", "warned", "a"), check("one", "failed", "b")]),
        row(RULE, "failed", [check("one", "failed", "b"), check("two", "passed")]),
    )

    assert catches(made) == (Catch("one", "check", (CHECKED, RULE), "failed", ("a", "b")),)


def test_every_check_and_rule_of_a_report_is_known_also_those_that_were_not_selected() -> None:
    made = report(
        row(
            CHECKED,
            "failed",
            [
                check("one", "passed"),
                check("two", "untested", kind="deselected"),
                check("three", "passed", kind="rule"),
                check("four", "failed", kind="finding"),
            ],
        )
    )

    assert {name: it.kind for name, it in checks_of(made).items()} == {
        "one": "check",
        "two": "check",
        "three": "rule",
    }
