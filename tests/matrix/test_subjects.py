"""Whom the matrix runs, and what it holds them against."""

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import flaws, variants
from pact_conformance.matrix import rotation
from pact_conformance.matrix.rotation import chosen
from pact_conformance.matrix.subjects import HONEST, by_section, subjects

ROWS = load()


def test_everybody_has_a_name_of_their_own() -> None:
    names = [subject.name for subject in subjects()]

    assert len(names) == len(set(names)) == len(HONEST) + len(flaws.ALL) + len(variants.ALL)


def test_one_without_delegation_is_held_against_identity_alone() -> None:
    for subject in subjects():
        delegates = any(ROWS[it].profile == "delegated" for it in subject.declared)
        if subject.kind == "flaw" and subject.role == "provider":
            assert (subject.profile == "delegated") == delegates
        elif delegates:
            assert subject.profile == "delegated"
    assert {it.profile for it in subjects(HONEST)} == {"delegated"}


def test_each_is_the_mock_of_its_role() -> None:
    agent, provider = subjects(["does-not-slow-down", "caps-a-page-at-50"])

    assert agent.options == {
        "agent": "mock",
        "profile": "delegated",
        "agent_flaws": "does-not-slow-down",
    }
    assert provider.options == {
        "provider": "mock",
        "profile": "identity",
        "mock_flaws": "caps-a-page-at-50",
    }
    assert [it.options for it in subjects(["honest-agent"])] == [
        {"agent": "mock", "profile": "delegated"}
    ]


def test_what_a_flaw_of_an_agent_breaks_is_of_its_role() -> None:
    for flaw in flaws.ALL.values():
        assert {ROWS[it].role for it in flaw.breaks} == {flaw.role}, flaw.name


def test_a_name_that_nobody_has_is_told() -> None:
    with pytest.raises(LookupError, match="no-such-flaw"):
        list(subjects(["no-such-flaw"]))


def test_a_flaw_by_section_is_held_against_all_that_it_breaks() -> None:
    flaw = next(it for it in subjects() if it.kind == "flaw" and len(it.declared) > 2)

    assert by_section(flaw).sections == frozenset(ROWS[it].section for it in flaw.declared)


def test_a_variant_of_delegation_is_held_against_that_and_others_against_the_whole() -> None:
    held = {it.name: by_section(it) for it in subjects() if it.kind == "variant"}

    assert {"5.3", "6"} <= (held["asks-for-the-login-each-time"].sections or set())
    assert "3.2" not in (held["asks-for-the-login-each-time"].sections or set())
    assert held["is-open-to-whoever-serves-keys"].sections is None


def test_within_as_many_turns_every_flaw_is_run_whole_once(monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = list(subjects())
    whole = []
    for turn in range(100, 110):
        monkeypatch.setattr(rotation, "turn", lambda turn=turn: (turn, "a turn"))
        held, _ = chosen(everybody, 10)
        whole += [it.name for it in held if it.kind == "flaw" and it.sections is None]

    assert sorted(whole) == sorted(flaws.ALL)


def test_without_rotation_every_flaw_is_run_by_section() -> None:
    held, _ = chosen(list(subjects()), 0)

    assert all(it.sections for it in held if it.kind == "flaw")


def test_within_as_many_turns_every_variant_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = list(subjects())
    ran = []
    for turn in range(100, 105):
        monkeypatch.setattr(rotation, "turn", lambda turn=turn: (turn, "a turn"))
        held, _ = chosen(everybody, 10, share=5)
        ran += [it.name for it in held if it.kind == "variant" and it.role == "provider"]
        assert {it.name for it in held} >= {*HONEST, *flaws.ALL}

    assert sorted(ran) == sorted(variants.of("provider"))


def test_within_as_many_turns_each_of_the_personal_agent_has_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    everybody = list(subjects())
    ran = []
    for turn in range(100, 107):
        monkeypatch.setattr(rotation, "turn", lambda turn=turn: (turn, "a turn"))
        held, _ = chosen(everybody, 10, agents=7)
        ran += [it.name for it in held if it.role == "personal-agent" and it.kind != "honest"]
        assert {it.name for it in held} >= {*HONEST, *flaws.of("provider")}

    assert sorted(ran) == sorted([*flaws.of("personal-agent"), *variants.of("personal-agent")])
