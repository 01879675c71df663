"""Every flaw trips exactly what it declares, and no variant is failed.

Variants are held against the whole suite, and so is every tenth flaw, others at each commit; the
rest against the sections of what they break. `.ci/nightly` holds all against the whole.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import flaws, variants

ROWS = load()


@pytest.fixture(scope="session")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    reports: Path = tmp_path_factory.mktemp("matrix")
    done = subprocess.run(
        [sys.executable, "-m", "pact_conformance.matrix", "--by-section", f"--reports={reports}"],
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout)
    path = reports / "matrix.json"
    assert path.is_file(), done.stdout + done.stderr
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
