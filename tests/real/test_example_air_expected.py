"""The oracle is complete, and each of its lines says why."""

from pact_conformance.catalogue import load

from .example_air.oracle import expectations


def decidable() -> set[str]:
    return {
        row.id
        for row in load().requirements.values()
        if row.role == "provider" and row.profile == "identity" and not row.planned
    }


def test_every_requirement_with_a_check_has_a_line() -> None:
    assert decidable() - set(expectations()) == set()


def test_no_line_is_for_a_requirement_that_does_not_exist() -> None:
    assert set(expectations()) - set(load().requirements) == set()


def test_every_line_says_why() -> None:
    assert [line.id for line in expectations().values() if len(line.why) < 20] == []


def test_what_deviates_says_in_which_cases() -> None:
    deviates = {line.id for line in expectations().values() if line.deviating}

    assert deviates == {
        line.id for line in expectations().values() if line.verdict in {"failed", "warned"}
    }
