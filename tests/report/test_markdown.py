import dataclasses
import re

import pytest

from pact_conformance.report import markdown
from tests.report import making


def test_it_begins_with_the_verdicts_of_the_profiles() -> None:
    lines = markdown.summary(making.built()).splitlines()

    assert lines[0] == "## PACT 1.0 conformance"
    assert any(line.startswith("| PACT Identity | ❌ **not conformant** |") for line in lines)


def test_a_failure_says_what_was_expected_and_got() -> None:
    text = markdown.summary(making.built((making.FAILED,)))

    assert "**3.2-alg** (MUST, §3.2)" in text
    assert (
        "expected `401, as for every authentication failure`, got `200 with a Message` (`alg-none`)"
    ) in text


def test_cases_of_one_cause_share_a_line() -> None:
    cases = [dataclasses.replace(making.FAILED, case=f"case-{it}") for it in range(9)]

    text = markdown.summary(making.built(cases))

    assert text.count("200 with a Message") == 1
    assert "(`case-0`, `case-1`, `case-2` and 6 more)" in text


def test_it_stays_short_when_everything_fails() -> None:
    ids = [row.id for row in making.CATALOGUE.of(role="provider")]
    outcomes = [
        dataclasses.replace(making.FAILED, requirements=(it,), case=f"{it}-{number}", got="x" * 999)
        for it in ids
        for number in range(9)
    ]

    text = markdown.summary(making.built(outcomes))

    assert len(text) < 65_536 / 2
    assert re.search(r"… and \d+ more in the report", text)


def test_it_says_what_to_set() -> None:
    text = markdown.summary(making.built((making.UNTESTED,)))

    assert "- `set E2E_OTHER_BRAND` because `a second Brand is needed`: 4.2-foreign-brand" in text


def test_a_warning_and_a_finding_and_a_partial_run_are_told() -> None:
    text = markdown.summary(
        making.built((making.WARNED,), findings=(making.FINDING,), partial=True)
    )

    assert "unknown members of a part are refused" in text
    assert "**nothing authenticates**" in text
    assert "**Partial:**" in text


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("plain", "`plain`"),
        ("a `b` c", "``a `b` c``"),
        ("`b`", "`` `b` ``"),
        ("``` fence", "```` ``` fence ````"),
        ("@somebody <img src=x>", "`@somebody <img src=x>`"),
        ("two\n\n# lines", "`two # lines`"),
        ("\x1b[31m\u202e", "`\\x1b[31m\\u202e`"),
        ("", ""),
    ],
)
def test_text_of_a_subject_cannot_leave_its_code_span(text: str, span: str) -> None:
    assert markdown.code(text) == span


def test_long_text_is_cut() -> None:
    assert markdown.code("x" * 999) == f"`{'x' * 239}…`"
