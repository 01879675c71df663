"""The catalogue as text for a terminal."""

import dataclasses

import pytest

from pact_conformance.catalogue import Requirement, explanation, listing, load

ROWS = load().requirements.values()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_an_explanation_says_what_the_row_says(row: Requirement) -> None:
    text = explanation(row)
    plain = " ".join(text.split())

    assert text.startswith(f"{row.id}\n")
    for part in (row.level, row.statement, row.sent, row.expected, row.pitfalls, row.reason):
        assert part in plain
    assert all(need in plain for need in row.needs)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_an_explanation_fits_a_terminal(row: Requirement) -> None:
    assert max(len(line) for line in explanation(row).splitlines()) <= 88


def test_a_planned_row_says_that_it_has_no_check() -> None:
    row = next(row for row in ROWS if not row.reason)
    planned = dataclasses.replace(row, planned=True)

    assert "no check is written yet" in " ".join(explanation(planned).split())


def test_a_listing_has_one_aligned_line_for_each_row() -> None:
    lines = listing(ROWS).splitlines()
    column = lines[0].index("level")

    assert len(lines) == len(ROWS) + 1
    assert all(
        line[:column].rstrip() == row.id and line[column:].startswith(row.level)
        for line, row in zip(lines[1:], ROWS, strict=True)
    )


def test_a_listing_of_nothing_is_its_heading() -> None:
    assert listing([]).split() == ["id", "level", "role", "profile", "observed"]
