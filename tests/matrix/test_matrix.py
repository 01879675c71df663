"""Every flaw of the mock Provider trips exactly what it declares, and no variant is failed.

Flaws are held against the sections of what they break, and a tenth of them against the whole suite,
another at each commit. Of the variants a fifth is run, another at each commit: those of delegation
against PACT Delegated, the others against the whole.
`.ci/nightly` holds everything against the whole, the flaws and variants of the mock personal agent
as well.
"""

import json
from typing import Any, Literal

import pytest

from pact_conformance.catalogue import load
from pact_conformance.catalogue.requirement import Role
from pact_conformance.counterpart import flaws, variants
from pact_conformance.matrix.subjects import HONEST

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


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_mock_passes_everything(matrix: dict[str, dict[str, Any]], name: str) -> None:
    assert matrix[name]["problem"] == ""
    assert matrix[name]["tripped"] == []


def test_every_flaw_trips_exactly_what_it_breaks(matrix: dict[str, dict[str, Any]]) -> None:
    assert set(flaws.of("provider")) <= matrix.keys()
    assert _problems(matrix, "flaw") == {}


def test_no_variant_is_failed_by_anything(matrix: dict[str, dict[str, Any]]) -> None:
    ran = matrix.keys() & variants.of("provider").keys()

    assert len(ran) >= len(variants.of("provider")) // 5
    assert _problems(matrix, "variant") == {}


def _problems(matrix: dict[str, dict[str, Any]], kind: str) -> dict[str, str]:
    return {
        name: row["problem"]
        for name, row in matrix.items()
        if row["kind"] == kind and row["problem"]
    }


# What a check can see of no flaw: where the keys are is not the agent's own doing, and what is
# amiss with a document that nobody has to publish is only noted.
NOT_SHOWN = {"3.1-agent-jwks-https", "3.1-agent-oidc-discovery"}


@pytest.mark.parametrize("role", ["provider", "personal-agent"])
@pytest.mark.parametrize("profile", ["identity", "delegated"])
def test_every_requirement_with_a_check_has_a_flaw(
    role: Role, profile: Literal["identity", "delegated"]
) -> None:
    broken = {it for flaw in flaws.ALL.values() for it in flaw.breaks}
    checked = [
        row.id
        for row in ROWS.of(role=role, profile=profile)
        if row.observed != "not" and not row.planned and not row.reason
    ]

    assert [it for it in checked if it not in broken | NOT_SHOWN] == []
