"""docs/architecture.md draws the floors that `lint-imports` knows."""

import re

from .test_walls import contracts
from .tree import SUITES, text

DOCUMENT = text("docs/architecture.md")


def drawn() -> list[set[str]]:
    """The rooms of each floor, from the top."""
    floors: list[set[str]] = []
    for number, rooms in re.findall(
        r"^\| (\d*) ?\| ((?:`\w+`(?:, )?)+) \|", DOCUMENT, re.MULTILINE
    ):
        if number:
            floors.append(set())
        floors[-1] |= set(re.findall(r"`(\w+)`", rooms))
    return floors


def test_the_floors_are_those_of_the_contract() -> None:
    layers = contracts()["floors"]["layers"]

    assert drawn() == [{room.strip() for room in floor.split(":")} for floor in layers]


def test_the_modules_that_it_names_exist() -> None:
    for room, module in re.findall(r"\*\*`(\w+)\.(\w+)`\*\*", DOCUMENT):
        assert (SUITES.parent / "pact_conformance" / room / f"{module}.py").is_file(), module


def test_every_folder_of_the_house_is_drawn() -> None:
    house = DOCUMENT.partition("## The house\n")[2].partition("\n\nIn the wheel")[0]
    for folder in re.findall(r"^ {4}(\S+)/|(?<=/ )(\S+)/", house, re.MULTILINE):
        assert (SUITES.parent / "".join(folder)).is_dir(), folder
