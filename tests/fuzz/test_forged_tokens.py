"""Forged tokens at the mock's verifier: what is due to each change, and what a campaign finds."""

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import subtle_flaws
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.example import Change, Example
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.kinds import KINDS
from pact_conformance.fuzz.kind import OneOf
from pact_conformance.fuzz.lessening import simpler
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from tests.nightly.subtle_flaws import of_tokens

from .at_the_mock import AtTheMock

# Found at once, each in its own way; tests/nightly/subtle_flaws.py looks for all of them.
SOME_FLAWS = (
    "compares-audiences-by-their-end",
    "takes-the-first-of-two-names-where-one-is-escaped",
    "takes-only-headers-that-begin-as-usual",
    "fails-at-times-that-no-calendar-has",
)


@pytest.fixture(scope="module")
def honest() -> Iterator[AtTheMock]:
    family = AtTheMock()
    yield family
    family.close()


def campaign(family: AtTheMock, examples: int, seed: int = 1) -> Tally:
    pace = Pace(None, 10 * examples)
    return Campaign(family, pace, examples=examples, seed=seed).run(draw, lessen)


def alone() -> Iterator[Example]:
    """Every kind by itself, with each of its values or some of a long row."""
    for kind in KINDS.all.values():
        rows = [it.values if isinstance(it, OneOf) else (it.least, it.most) for it in kind.takes]
        for values in itertools.product(*rows):
            yield KINDS.example([Change(kind.id, tuple(values))])


def test_no_change_alone_is_judged_wrongly(honest: AtTheMock) -> None:
    fates: Counter[tuple[str, str]] = Counter()
    for example in alone():
        try:
            trial = honest.attempt(example)
        except Impossible:
            continue
        assert not trial.failed, (KINDS.said(example), trial)
        assert not trial.warning, (KINDS.said(example), trial)
        fates[KINDS.due_to(example), trial.fate] += 1

    assert fates["refused", "refused"] > 1000
    assert fates["accepted", "accepted"] > 50
    assert fates["accepted", "refused"] == fates["refused", "accepted"] == 0
    assert fates["either", "accepted"] > 20
    assert fates["either", "refused"] > 20


def test_nothing_is_found_at_a_provider_that_conforms(honest: AtTheMock) -> None:
    tally = campaign(honest, 600)

    assert tally.causes == []
    assert tally.tried == 600
    assert tally.accepted > 60
    assert tally.refused > 300


@pytest.mark.parametrize("name", SOME_FLAWS)
def test_a_subtle_flaw_is_found_and_shrunk_to_its_least_example(name: str) -> None:
    family = AtTheMock([name])
    try:
        tally = campaign(family, 500)
        failing = [it for it in tally.causes if it.trial.failed]

        assert failing
        assert {it.requirement for it in failing} <= subtle_flaws.ALL[name].breaks
        for cause in failing:
            assert len(cause.example.changes) == 1, cause.words
            near = simpler(family, cause.example)
            assert not [it.text for it in near if fails(family, it)], cause.words
    finally:
        family.close()


def fails(family: AtTheMock, example: Example) -> bool:
    """Whether an example, if it can be made, gets something else than what is due."""
    try:
        return family.attempt(example).failed
    except Impossible:
        return False


def test_what_is_doubtful_warns() -> None:
    family = AtTheMock(["accepts-padding"])
    try:
        tally = campaign(family, 500)
    finally:
        family.close()

    assert [it.trial.failed for it in tally.causes] == [False]
    assert tally.causes[0].example.kinds == {"padded"}


def test_a_kind_says_what_it_does() -> None:
    for example in alone():
        said = KINDS.said(example)

        assert said
        assert "{0}" not in said


def test_each_kind_shows_a_requirement_that_there_is() -> None:
    rows = load()

    assert {kind.requirement for kind in KINDS.all.values()} <= set(rows.requirements)


def test_there_are_enough_subtle_flaws_and_each_says_what_it_breaks() -> None:
    assert len([*of_tokens()]) >= 25
    rows = load()
    for flaw in subtle_flaws.ALL.values():
        assert flaw.breaks
        assert flaw.breaks <= set(rows.requirements)
        assert flaw.description.endswith(".")
