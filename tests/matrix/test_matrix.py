"""Every flaw trips exactly what it declares, and no variant is failed.

Flaws are held against the sections of what they break, variants of delegation against PACT
Delegated, other variants against the whole suite, and so is a tenth of all, another at each commit.
`.ci/nightly` holds everything against the whole.
"""

import json
from typing import Any, Literal

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import flaws, variants

from .conftest import MATRIX

ROWS = load()


@pytest.fixture(scope="session")
def matrix(request: pytest.FixtureRequest) -> dict[str, dict[str, Any]]:
    """What came of each subject; the matrix began when the tests were collected."""
    running = request.config.stash[MATRIX]
    told = running.wait()
    print(told)
    path = running.reports / "matrix.json"
    assert path.is_file(), told
    return {row["name"]: row for row in json.loads(path.read_text(encoding="utf-8"))}


def test_the_honest_mock_passes_everything(matrix: dict[str, dict[str, Any]]) -> None:
    assert matrix["honest"]["problem"] == ""
    assert matrix["honest"]["tripped"] == []


@pytest.mark.parametrize("name", flaws.ALL)
def test_a_flaw_trips_exactly_what_it_breaks(matrix: dict[str, dict[str, Any]], name: str) -> None:
    assert matrix[name]["problem"] == ""


@pytest.mark.parametrize("name", variants.ALL)
def test_a_variant_is_failed_by_nothing(matrix: dict[str, dict[str, Any]], name: str) -> None:
    assert matrix[name]["problem"] == ""


@pytest.mark.parametrize("profile", ["identity", "delegated"])
def test_every_requirement_with_a_check_has_a_flaw(
    profile: Literal["identity", "delegated"],
) -> None:
    broken = {it for flaw in flaws.ALL.values() for it in flaw.breaks}
    checked = [
        row.id
        for row in ROWS.of(role="provider", profile=profile)
        if row.observed != "not" and not row.planned and not row.reason
    ]

    assert [it for it in checked if it not in broken] == []
