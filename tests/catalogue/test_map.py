"""docs/specification-map.md and the catalogue say the same."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from pact_conformance.catalogue import load

MAP = Path(__file__).parents[2] / "docs" / "specification-map.md"


class Row(NamedTuple):
    section: str
    number: int
    sentence: str
    cell: str

    @property
    def ids(self) -> list[str]:
        return re.findall(r"`([^`]+)`", self.cell) if self.informative is None else []

    @property
    def informative(self) -> str | None:
        return self.cell.partition("informative:")[2] or None


def rows() -> list[Row]:
    found = []
    section = ""
    for line in MAP.read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"## ([\d.]*).*", line):
            section = heading[1]
        elif row := re.fullmatch(r"\| (\d+) \| (.+) \| (.+) \|", line):
            found.append(Row(section, int(row[1]), row[2], row[3]))
    return found


ROWS = rows()
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.section}-{row.number}")


@each_row
def test_a_sentence_is_found_by_its_first_words(row: Row) -> None:
    assert re.match(r'["`].+["`]: \S', row.sentence)


@each_row
def test_a_sentence_has_known_requirements_or_a_reason_to_have_none(row: Row) -> None:
    if row.informative is not None:
        assert len(row.informative.split()) >= 2
    else:
        assert row.cell == ", ".join(f"`{identifier}`" for identifier in row.ids)
        assert row.ids
        assert all(load()[identifier] for identifier in row.ids)


def test_every_requirement_rests_on_a_sentence() -> None:
    mapped = {identifier for row in ROWS for identifier in row.ids}

    assert mapped == set(load().requirements)


def test_a_requirement_rests_on_a_sentence_of_its_own_section_or_its_chapter() -> None:
    chapters: dict[str, set[str]] = {}
    for row in ROWS:
        for identifier in row.ids:
            chapters.setdefault(identifier, set()).add(row.section.partition(".")[0])
    strangers = {
        identifier
        for identifier, found in chapters.items()
        if load()[identifier].section.partition(".")[0] not in found
    }

    assert strangers == set()


def test_sentences_are_numbered_without_a_gap() -> None:
    for section in {row.section for row in ROWS}:
        numbers = [row.number for row in ROWS if row.section == section]

        assert numbers == list(range(1, len(numbers) + 1))


def test_the_sections_of_the_specification_are_all_there() -> None:
    sections = list(dict.fromkeys(row.section for row in ROWS))

    assert sections == [
        "",
        "1",
        *("2", "2.1", "2.2"),
        *("3", "3.1", "3.2", "3.3", "3.4"),
        *("4", "4.1", "4.2", "4.3"),
        *("5", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6"),
        "6",
        *("7", "7.1"),
    ]
