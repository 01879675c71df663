import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pact_conformance.report.comparison import Change, Comparison, compare
from pact_conformance.report.comparison_json import to_json
from pact_conformance.report.comparison_text import markdown, text
from pact_conformance.report.outcome import Outcome
from pact_conformance.verdicts import Verdict
from pact_conformance.wire.schema import problems
from tests.report import making
from tests.report.making import FAILED, PASSED, UNTESTED, WARNED

Document = dict[str, Any]


def report(*outcomes: Outcome, roles: tuple[str, ...] = ("provider",)) -> Document:
    document: Document = making.as_read(making.built(outcomes, roles=roles))
    return document


def result(verdict: Verdict, **members: Any) -> Outcome:  # noqa: ANN401 - any of its members
    return replace(FAILED, **{"verdict": verdict, "expected": "", "got": "", **members})


def only(found: Comparison) -> Change:
    [change] = [it for profile in found.profiles for it in profile.changes]
    return change


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("passed", "failed", "worse"),
        ("passed", "warned", "worse"),
        ("passed", "inconclusive", "worse"),
        ("warned", "failed", "worse"),
        ("inconclusive", "failed", "worse"),
        ("not applicable", "failed", "worse"),
        ("failed", "passed", "better"),
        ("failed", "inconclusive", "better"),
        ("warned", "passed", "better"),
        ("untested", "passed", "newly tested"),
        ("untested", "failed", "newly tested"),
        ("untested", "not applicable", "newly tested"),
        ("not applicable", "passed", "newly tested"),
        ("passed", "untested", "no longer tested"),
        ("failed", "untested", "no longer tested"),
        ("failed", "not applicable", "no longer tested"),
    ],
)
def test_a_result_went_one_way(old: Verdict, new: Verdict, kind: str) -> None:
    found = compare(report(result(old)), report(result(new)))

    assert only(found).kind == kind
    assert (only(found).old, only(found).new) == (old, new)
    assert found.regressed is (kind == "worse")


def test_one_case_more_that_fails_is_worse_though_the_requirement_failed_before() -> None:
    other = result("passed", case="alg-hs256")

    found = compare(report(FAILED, other), report(FAILED, replace(other, verdict="failed")))

    assert only(found).kind == "worse"
    assert only(found).case == "alg-hs256"


def test_equal_reports_have_no_changes() -> None:
    found = compare(report(*making.OUTCOMES), report(*making.OUTCOMES))

    assert not any(found.counts.values())
    assert text(found).endswith("nothing changed\n")
    assert "Nothing changed." in markdown(found)


def test_a_requirement_that_nothing_was_tried_for_is_newly_tested() -> None:
    assert only(compare(report(), report(PASSED))).kind == "newly tested"


def test_a_check_that_the_other_suite_does_not_have_says_nothing_of_the_subject() -> None:
    old = report(result("passed"))
    new = report(result("passed"), result("failed", name="a_new_check"))
    new["suite"]["version"] = "99"

    found = compare(old, new)

    assert only(found).kind == "changed by the suite"
    assert not found.regressed


def test_a_check_that_was_not_collected_was_not_tested() -> None:
    old = report(result("passed"))
    new = report(result("passed"), result("failed", case="another"))

    assert only(compare(old, new)).kind == "newly tested"


def test_a_finding_that_came_up_is_worse() -> None:
    finding = replace(FAILED, name="nothing_authenticates", case="", kind="finding")

    assert (
        only(compare(report(result("passed")), report(result("passed"), finding))).kind == "worse"
    )
    assert (
        only(compare(report(result("passed"), finding), report(result("passed")))).kind == "better"
    )


@pytest.mark.parametrize(("before", "kind"), [({"fuzzing": {}}, "worse"), ({}, "newly tested")])
def test_what_fuzzing_found_is_worse_where_it_found_nothing_before(
    before: Document, kind: str
) -> None:
    cause = replace(FAILED, name="forged_tokens_get_what_is_due", case="alg", kind="cause")
    old, new = report(result("passed")) | before, report(result("passed"), cause) | {"fuzzing": {}}

    assert only(compare(old, new)).kind == kind


def without(document: Document, id_: str) -> Document:
    left = copy.deepcopy(document)
    left["requirements"] = [it for it in left["requirements"] if it["id"] != id_]
    left["suite"]["catalogue"]["digest"] = "0" * 64
    return left


def test_a_requirement_of_another_catalogue_says_nothing_of_the_subject() -> None:
    whole = report(FAILED)

    added = only(compare(without(whole, "3.2-alg"), whole))
    dropped = only(compare(whole, without(whole, "3.2-alg")))

    assert (added.kind, added.old, added.new) == ("changed by the suite", None, "failed")
    assert (dropped.kind, dropped.old, dropped.new) == ("changed by the suite", "failed", None)


def test_what_another_level_made_of_a_verdict_says_nothing_of_the_subject() -> None:
    old, new = report(result("warned")), report(result("failed"))
    for row in old["requirements"]:
        if row["id"] == "3.2-alg":
            row["level"] = "SHOULD"

    change = only(compare(old, new))

    assert (change.kind, change.said) == ("changed by the suite", "another level")


def test_a_profile_that_is_no_longer_judged_is_no_longer_tested() -> None:
    old = report(PASSED, result("passed", requirements=("5.1-scheme",)))
    new = copy.deepcopy(old)
    del new["profiles"]["delegated"]
    new["requirements"] = [it for it in new["requirements"] if it["profile"] == "identity"]

    found = compare(old, new)

    assert only(found).kind == "no longer tested"
    assert [(it.name, it.new) for it in found.profiles][1] == ("delegated", None)


def partial(document: Document) -> None:
    document["partial"] = True


def another_card(document: Document) -> None:
    document["subject"][0]["card"] = "https://other.example/card"


def another_role(document: Document) -> None:
    document["subject"] = [{"role": "personal-agent", "issuer": "https://agent.example"}]


def another_catalogue(document: Document) -> None:
    document["suite"]["catalogue"]["digest"] = "f" * 64


def stricter(document: Document) -> None:
    document["settings"]["given"]["strict"] = True


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (partial, "NEW is of a run that was ended early"),
        (another_card, f"another Provider was tested: {making.CARD}, then https://other.example"),
        (another_role, "another role was tested: Provider, then Personal agent"),
        (another_catalogue, "the catalogue is another: "),
        (stricter, "it was judged otherwise: strict was as usual, then true"),
    ],
)
def test_what_cannot_be_compared_is_said(change: Callable[[Document], None], said: str) -> None:
    new = report(PASSED)
    change(new)

    [objection] = compare(report(PASSED), new).objections

    assert objection.startswith(said)


def test_what_is_built_in_is_the_same_at_any_address() -> None:
    old, new = report(PASSED), report(PASSED)
    for document, card in ((old, "http://127.0.0.1:1/card"), (new, "http://127.0.0.1:2/card")):
        document["subject"][0] |= {"card": card, "built_in": True}

    assert compare(old, new).objections == ()


EVERYTHING = compare(
    report(PASSED, FAILED, WARNED, *(result("passed", case=f"c{i}") for i in range(30))),
    report(
        result("passed"),
        UNTESTED,
        *(result("failed", case=f"c{i}", got="`x` <b>") for i in range(30)),
    ),
)


def test_the_terminal_gathers_cases_and_reasons() -> None:
    lines = text(EVERYTHING)

    assert "PACT Identity: not conformant" in lines
    assert "c0, c1, c2, c3, c4, c5 and 24 more" in " ".join(lines.split())
    assert "  untested now 2-unknown-members, 3.2-exp-expired: not selected" in lines
    assert lines.splitlines()[-1] == "30 worse, 1 better, 2 no longer tested"


def test_markdown_takes_what_the_subject_said_for_text() -> None:
    said = markdown(EVERYTHING)

    assert "### ❌ Worse (30)" in said
    assert "``got `x` <b>``" in said


def test_the_json_is_what_its_schema_describes() -> None:
    found = json.loads(json.dumps(to_json(EVERYTHING)))

    assert problems(found, "comparison") == []
    assert found["regressed"] is True
