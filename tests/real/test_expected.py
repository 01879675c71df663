"""Each oracle is complete, and each of its lines says why."""

import pytest

from pact_conformance.catalogue import load

from .oracle import EXAMPLE_AIR, PACT_PERSONAL_AGENT, Oracle

PROFILES = ("identity", "delegated")

pytestmark = [
    pytest.mark.parametrize("oracle", [EXAMPLE_AIR, PACT_PERSONAL_AGENT], ids=lambda it: it.folder),
    pytest.mark.parametrize("profile", PROFILES),
]


def ids(oracle: Oracle, profile: str) -> set[str]:
    return {
        row.id
        for row in load().requirements.values()
        if (row.role, row.profile) == (oracle.role, profile)
    }


def decidable(oracle: Oracle, profile: str) -> set[str]:
    rows = load().requirements
    return {id_ for id_ in ids(oracle, profile) if not rows[id_].planned}


def test_every_requirement_with_a_check_has_a_line(oracle: Oracle, profile: str) -> None:
    assert decidable(oracle, profile) - set(oracle.of(profile)) == set()


def test_every_line_is_for_a_requirement_of_its_profile(oracle: Oracle, profile: str) -> None:
    assert set(oracle.of(profile)) - ids(oracle, profile) == set()


def test_every_line_says_why(oracle: Oracle, profile: str) -> None:
    assert [line.id for line in oracle.of(profile).values() if len(line.why) < 20] == []


def test_what_deviates_says_in_which_cases(oracle: Oracle, profile: str) -> None:
    lines = oracle.of(profile).values()

    assert {line.id for line in lines if line.deviating} == {
        line.id for line in lines if line.verdict in {"failed", "warned"}
    }
