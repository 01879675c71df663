"""Checks, journal rules and the catalogue say the same; the map's own test holds it to both."""

import json
import subprocess
import sys

import pytest

from pact_conformance.catalogue import Requirement, load
from pact_conformance.journal.rules import ALL
from tests.plugin.suite import shell

from . import collected
from .tree import CHECKOUT

ROWS = load().requirements
RULED = {rule.requirement for rule in ALL}

each_row = pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())


@pytest.fixture(scope="module")
def cited(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The names of the checks that cite each requirement."""
    target = tmp_path_factory.mktemp("collected") / "checks.json"
    listed = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--collect-only", "-q"),
            *("-p", "no:cacheprovider", "-p", collected.__name__, "suites"),
        ],
        cwd=CHECKOUT,
        env=shell({collected.TARGET: str(target)}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert listed.returncode == 0, listed.stdout + listed.stderr

    found: dict[str, list[str]] = {}
    for check in json.loads(target.read_text(encoding="utf-8")):
        for identifier in check["cites"]:
            found.setdefault(identifier, []).append(check["name"])
        assert check["cites"], f"{check['name']} cites nothing"
    return found


def test_every_check_cites_what_the_catalogue_knows(cited: dict[str, list[str]]) -> None:
    assert set(cited) <= set(ROWS)


def test_every_rule_of_the_journal_decides_a_row_that_says_so() -> None:
    assert {row.id for row in ROWS.values() if row.rule and not row.planned} == RULED


@each_row
def test_a_row_has_a_check_or_a_rule_or_says_why_not(
    row: Requirement, cited: dict[str, list[str]]
) -> None:
    decided = row.id in cited or row.id in RULED
    excused = row.planned or bool(row.reason)

    assert decided != excused, (
        "it has a check: the row need not say that there is none"
        if decided
        else "neither a check nor a rule decides it, and its row does not say `planned`"
    )


@each_row
def test_a_row_that_is_not_observed_says_why(row: Requirement) -> None:
    if row.observed == "not":
        assert row.reason


def test_how_many_rows_are_planned(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to hold against: it is said, so that a run of the tests shows what is missing."""
    planned = [row for row in ROWS.values() if row.planned]
    musts = sum(1 for row in planned if row.level == "MUST")

    with capsys.disabled():
        print(f"\n{len(planned)} of {len(ROWS)} requirements are planned, {musts} of them MUST")
