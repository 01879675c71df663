"""The rooms of the package and the walls between them, which `lint-imports` knows."""

import subprocess
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

from .tree import CHECKOUT, PACKAGE, text

# What a check may import besides the standard library and pytest.
OPEN_TO_SUITES = {
    *(
        "rig",
        "gate",
        "spares",
        "delegation",
        "grants",
        "fuzz",
        "expect",
        "subject",
        "wire",
        "tokens",
    ),
    *("settings", "verdicts", "rig_fixtures"),
}


def contracts() -> dict[str, dict[str, Any]]:
    configuration = tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]
    return {contract["id"]: contract for contract in configuration["contracts"]}


def rooms() -> set[str]:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    return folders | {path.stem for path in PACKAGE.glob("[!_]*.py")}


def placed() -> list[str]:
    floors = contracts()["floors"]["layers"]
    return [name.strip() for floor in floors for name in floor.replace(":", "|").split("|") if name]


def closed_to_suites() -> set[str]:
    forbidden = contracts()["suites"]["forbidden_modules"]
    return {module.removeprefix("pact_conformance.") for module in forbidden}


def test_imports_keep_to_the_walls() -> None:
    tool = Path(sysconfig.get_path("scripts")) / "lint-imports"
    ended = subprocess.run(
        [str(tool), "--no-cache"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 0, ended.stdout


def test_every_room_has_its_floor() -> None:
    assert sorted(placed()) == sorted(rooms())


def test_a_room_is_open_to_the_suites_or_closed_to_them() -> None:
    assert closed_to_suites() | OPEN_TO_SUITES == rooms()
    assert not closed_to_suites() & OPEN_TO_SUITES


def test_of_the_journal_the_suites_see_answers_alone() -> None:
    (exception,) = contracts()["suites"]["ignore_imports"]

    assert exception == "suites.** -> pact_conformance.journal.answer"


def test_a_counterpart_sees_the_wire_alone() -> None:
    modules = contracts()["counterpart"]["forbidden_modules"]
    forbidden = {module.removeprefix("pact_conformance.") for module in modules}
    floors = contracts()["floors"]["layers"]
    own = next(number for number, floor in enumerate(floors) if "counterpart" in floor)
    above = {name.strip() for floor in floors[:own] for name in floor.replace(":", "|").split("|")}

    assert forbidden | above | {"wire", "assets", "counterpart"} == rooms()
