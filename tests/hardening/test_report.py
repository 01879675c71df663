"""What a report says of the pack: folded for itself, told apart, and only ever text."""

import json
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.catalogue.advice import load
from pact_conformance.report import fitting, hardening, html, junit, markdown
from pact_conformance.report.cited import cited
from pact_conformance.report.outcome import Outcome
from pact_conformance.wire.schema import problems
from tests.report import making

IDENTITY = frozenset({("provider", "identity")})
DELEGATED = IDENTITY | {("provider", "delegated")}
HOSTILE = "<script>alert(1)</script> \x1b[31m ::error::"


def outcome(advice: str, verdict: Any, **more: Any) -> Outcome:  # noqa: ANN401 - any of its members
    return Outcome("it_is_so", "", (), verdict, kind="advice", advice=advice, **more)


MEASURED = {"what": "fetches", "value": 48.0, "unit": ""}
LEFT = outcome(
    "hardening-jwks-storm",
    "warned",
    expected="few fetches",
    got=HOSTILE,
    measures=(MEASURED, {"what": "p", "value": 3.2e-8, "unit": ""}),
)
OUTCOMES = (
    LEFT,
    outcome("hardening-new-key", "passed", measures=({**MEASURED, "unit": "s"},)),
    outcome(
        "hardening-stale-key", "untested", reason="no keys are served", do="set PA_JWKS_LISTEN"
    ),
    outcome("hardening-code-entropy", "inconclusive", reason="no answer: deadline"),
)


@pytest.fixture
def document() -> dict[str, Any]:
    """The report of a run with the pack, as it comes back from disk."""
    selected = {it.advice for it in OUTCOMES}
    found = hardening.section(OUTCOMES, judged=DELEGATED, selected=selected)
    return dict(making.as_read({**making.built(), "hardening": found}))


def test_it_obeys_the_schema_and_reads_without_the_pack(document: dict[str, Any]) -> None:
    assert problems(document, "report") == []
    assert problems(making.as_read(making.built()), "report") == []


def test_each_piece_of_advice_is_folded_for_itself(document: dict[str, Any]) -> None:
    found = {it["id"]: it["verdict"] for it in document["hardening"]["advice"]}

    assert {it.advice: it.verdict for it in OUTCOMES}.items() <= found.items()
    assert found["hardening-framing"] == "untested"
    assert document["hardening"]["counts"] == {
        "warned": 1,
        "passed": 1,
        "untested": 14,
        "inconclusive": 1,
    }


def test_no_requirement_and_no_profile_rests_on_it(document: dict[str, Any]) -> None:
    without = making.as_read(making.built())

    assert document["profiles"] == without["profiles"]
    assert document["requirements"] == without["requirements"]


def test_advice_for_what_is_not_judged_is_left_out() -> None:
    found = hardening.section((), judged=IDENTITY, selected=())

    assert {it["profile"] for it in found["advice"]} == {"identity"}
    assert {it["role"] for it in found["advice"]} == {"provider"}
    assert {it["reason"] for it in found["advice"]} == {"not selected"}


def test_what_is_amiss_in_one_case_is_not_hidden_by_another() -> None:
    cases = [
        outcome("hardening-open-redirect", verdict, got=verdict)
        for verdict in ("passed", "warned", "untested")
    ]
    found = hardening.section(cases, judged=DELEGATED, selected=())
    (row,) = (it for it in found["advice"] if it["id"] == "hardening-open-redirect")

    assert row["verdict"] == "warned"
    assert len(row["checks"]) == 3


def test_the_terminal_tells_what_is_not_followed_with_its_numbers(document: dict[str, Any]) -> None:
    found = document["hardening"]
    lines = "\n".join(fitting.fitted([hardening.block(found)], None, 96))

    assert hardening.headline(found) == (
        "Hardening: 1 passed, 1 warned, 1 inconclusive, 14 untested "
        "(advice; no profile rests on it)"
    )
    assert "fetches: 48, p: 3.2e-08" in " ".join(lines.split())
    assert "not measured: hardening-stale-key: set PA_JWKS_LISTEN" in " ".join(lines.split())
    assert "hardening-framing" not in lines
    assert "\x1b" not in lines


def test_the_summary_in_markdown_has_a_part_for_it(document: dict[str, Any]) -> None:
    text = markdown.summary(document)

    assert "### Hardening: advice, on which no profile rests" in text
    assert "- **hardening-jwks-storm**: " in text
    assert "got `<script>" in text
    assert "\x1b" not in text
    assert "Hardening" not in markdown.summary(making.built())


def test_the_page_has_a_part_for_it_in_which_all_is_text(
    document: dict[str, Any], tmp_path: Path
) -> None:
    journal = making.journal(tmp_path, [])
    page = html.render(document, journal, making.CATALOGUE)

    assert '<h2 id="h-hardening">Hardening <span class="count">17</span></h2>' in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert load()["hardening-jwks-storm"].why.replace("`", "")[:20] in page
    assert "set PA_JWKS_LISTEN" in page
    assert 'id="hardening"' not in html.render(making.built(), journal, making.CATALOGUE)


def test_what_gives_verdicts_to_others_leaves_it_out(document: dict[str, Any]) -> None:
    assert "hardening" not in junit.render(document)
    assert all("hardening" not in json.dumps(it.check) for it in cited(document))


def test_an_outcome_travels_as_plain_data() -> None:
    assert Outcome.from_json(making.as_read(LEFT.to_json())) == LEFT
