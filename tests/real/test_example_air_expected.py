"""The oracle is complete, and each of its lines says why."""

from pathlib import Path

import pytest

from pact_conformance.catalogue import load

from .example_air.oracle import DELEGATED, IDENTITY, expectations

PROFILES = {"identity": IDENTITY, "delegated": DELEGATED}
EACH = pytest.mark.parametrize("path", PROFILES.values(), ids=PROFILES)


def ids(profile: str) -> set[str]:
    return {
        row.id
        for row in load().requirements.values()
        if (row.role, row.profile) == ("provider", profile)
    }


def decidable(profile: str) -> set[str]:
    rows = load().requirements
    return {id_ for id_ in ids(profile) if not rows[id_].planned}


@pytest.mark.parametrize("profile", PROFILES)
def test_every_requirement_with_a_check_has_a_line(profile: str) -> None:
    assert decidable(profile) - set(expectations(PROFILES[profile])) == set()


@pytest.mark.parametrize("profile", PROFILES)
def test_every_line_is_for_a_requirement_of_its_profile(profile: str) -> None:
    assert set(expectations(PROFILES[profile])) - ids(profile) == set()


@EACH
def test_every_line_says_why(path: Path) -> None:
    assert [line.id for line in expectations(path).values() if len(line.why) < 20] == []


@EACH
def test_what_deviates_says_in_which_cases(path: Path) -> None:
    lines = expectations(path).values()

    assert {line.id for line in lines if line.deviating} == {
        line.id for line in lines if line.verdict in {"failed", "warned"}
    }
