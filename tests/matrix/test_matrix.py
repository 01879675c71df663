"""Every flaw of a mock trips exactly what it declares, and no variant is failed.

Flaws are held against the sections of what they break, and a tenth of them against the whole suite;
of the variants a fifth is run: those of delegation against PACT Delegated, the others against the
whole. Of the mock personal agent's flaws and variants a sixteenth
is run likewise. Others have their turn at each commit.
`.ci/nightly` holds everything against the whole.
"""

import json
from typing import Any, Literal

import pytest

from pact_conformance.catalogue import load
from pact_conformance.catalogue.requirement import Role
from pact_conformance.counterpart import flaws, variants
from pact_conformance.matrix.findings import NOT_SHOWN
from pact_conformance.matrix.subjects import HONEST
from pact_conformance.wire.schema import problems

from .conftest import AGENTS, MATRIX

ROWS = load()


@pytest.fixture(scope="session")
def matrix(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What came of the matrix, which began when the tests were collected."""
    running = request.config.stash[MATRIX]
    told = running.wait()
    print(told)
    path = running.reports / "matrix.json"
    assert path.is_file(), told
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def test_every_subject_is_as_declared(matrix: dict[str, Any]) -> None:
    problems_of = {it["name"]: it["problem"] for it in matrix["subjects"] if it["problem"]}

    assert problems_of == {}
    assert matrix["partial"] is False
    assert matrix["every_flaw_of"] == ["provider"]


def test_it_was_run_of_enough(matrix: dict[str, Any]) -> None:
    provider, agent = (matrix["counts"][role] for role in ("provider", "personal-agent"))

    assert provider["flaws"] == len(flaws.of("provider"))
    assert provider["variants"] >= len(variants.of("provider")) // 5
    assert agent["flaws"] >= len(flaws.of("personal-agent")) // AGENTS
    assert agent["variants"] >= len(variants.of("personal-agent")) // AGENTS
    assert {it["name"] for it in matrix["subjects"] if it["kind"] == "honest"} == {*HONEST}


def test_what_it_writes_obeys_the_schema(matrix: dict[str, Any]) -> None:
    assert problems(matrix, "matrix") == []


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

    assert [it for it in checked if it not in broken | NOT_SHOWN.keys()] == []
