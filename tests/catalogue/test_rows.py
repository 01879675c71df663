"""What holds for every row."""

import re

import pytest

from pact_conformance.catalogue import Requirement, load

ROWS = load().requirements.values()
# Sections of PACT 1.0 (§7) that make up each profile; §6 also speaks of OAuth's errors.
SECTIONS = {
    "identity": {"2", "2.1", "2.2", "3.1", "3.2", "3.3", "3.4", "4.1", "4.2", "4.3", "6"},
    "delegated": {"5", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "6"},
}

each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)


@each_row
def test_an_id_names_its_section_and_its_role(row: Requirement) -> None:
    section, _, slug = row.id.partition("-")

    assert section == row.section
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)
    if row.id != "3.2-agent-binding":  # the Provider's: it binds a token to its personal agent
        assert slug.startswith("agent-") == (row.role == "personal-agent")


@each_row
def test_a_row_belongs_to_a_profile_that_has_its_section(row: Requirement) -> None:
    assert row.section in SECTIONS[row.profile]


@each_row
def test_a_statement_is_one_sentence_in_plain_space(row: Requirement) -> None:
    assert " ".join(row.statement.split()) == row.statement
    assert row.statement[-1] == "."
    assert re.search(r"\. [A-Z]", row.statement) is None


@each_row
def test_a_row_is_tried_or_says_why_not(row: Requirement) -> None:
    if row.observed == "not":
        assert row.reason
        assert not row.planned
        assert not row.rule
    else:
        assert row.sent
        assert row.expected
        assert row.pitfalls
        assert not row.reason


@each_row
def test_only_a_row_observed_with_something_given_has_needs(row: Requirement) -> None:
    assert bool(row.needs) == (row.observed == "given")


def test_no_two_rows_make_the_same_statement() -> None:
    statements = [row.statement for row in ROWS]

    assert len(set(statements)) == len(statements)


def test_every_section_with_statements_has_rows_of_both_roles() -> None:
    for role in ("provider", "personal-agent"):
        sections = {row.section for row in ROWS if row.role == role}

        assert sections == SECTIONS["identity"] | SECTIONS["delegated"]
