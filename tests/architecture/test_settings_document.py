"""docs/settings.md names every setting there is."""

import re

import pytest

from pact_conformance.file_tables import ApproverFields, Hooks
from pact_conformance.settings import ABSENCES, Settings

from .settings_document import BEGIN, DOCUMENT, END, table

TEXT = DOCUMENT.read_text(encoding="utf-8")


def rows(heading: str) -> set[str]:
    """The names in the first column below a heading."""
    below = re.split(r"^## ", TEXT.partition(f"## {heading}\n")[2], flags=re.MULTILINE)[0]
    first = [line.split(" | ")[0] for line in below.splitlines() if line.startswith("| `")]
    return {name.strip("[]") for cell in first for name in re.findall(r"`([^`]+)`", cell)}


def test_the_table_of_options_is_in_step() -> None:
    assert TEXT.partition(BEGIN)[2].partition(END)[0] == table(), (
        "run python -m tests.architecture.settings_document"
    )


def test_every_setting_is_named() -> None:
    named = rows("Settings with one value") | rows("Settings of the file alone")

    assert named == set(Settings.model_fields)


def test_every_hook_is_named() -> None:
    assert rows("Hooks") == set(Hooks.model_fields)


def test_every_name_of_the_approver_is_named() -> None:
    assert rows("The approver's names") == set(ApproverFields.model_fields)


def test_every_absence_is_named() -> None:
    assert rows("What never happens") == set(ABSENCES)


@pytest.mark.parametrize("heading", ["Hooks", "What never happens"])
def test_the_tables_are_found(heading: str) -> None:
    assert rows(heading)
