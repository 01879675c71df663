"""Forged tokens at the mock's verifier: what is due to each change, and what a campaign finds."""

import itertools
from collections.abc import Iterator

import httpx
import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import subtle_flaws
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.example import Change, Example, parse
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.kinds import KINDS
from pact_conformance.fuzz.kind import OneOf
from pact_conformance.fuzz.lessening import simpler
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from pact_conformance.journal.answer import Answer
from pact_conformance.tokens.token import Token
from pact_conformance.verdicts import Notebook, notebook
from tests.nightly.subtle_flaws import of_tokens

from .at_the_mock import ACCEPTED, AtTheMock
from .fates import fates

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
    found = fates(honest, KINDS, alone())

    assert found["refused", "refused"] > 1000
    assert found["accepted", "accepted"] > 50
    assert found["accepted", "refused"] == found["refused", "accepted"] == 0
    assert found["either", "accepted"] > 20
    assert found["either", "refused"] > 20


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


class Elsewhere(AtTheMock):
    """Another Provider: each token gets the answer that is set, after some time."""

    status = 400
    body = ACCEPTED
    seconds = 0.0

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self._now = 0.0
        monkeypatch.setattr(
            "pact_conformance.fuzz.forged_tokens.family.time.monotonic", lambda: self._now
        )

    def _knock(self, _token: Token) -> Answer:
        self._now += self.seconds
        return Answer(self.status, httpx.Headers(), self.body, 0.0, "x-1", "message:send", 0.0)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[Elsewhere]:
    family = Elsewhere(monkeypatch)
    yield family
    family.close()


def one(change: str) -> Example:
    return parse(f'["forged-tokens",{change}]')


@pytest.mark.parametrize(
    ("change", "warns"),
    [
        ('["nested"]', False),
        ('["around","with a space and a word behind it"]', True),
    ],
)
def test_what_libraries_may_accept_is_not_failed(
    elsewhere: Elsewhere, change: str, *, warns: bool
) -> None:
    with notebook(Notebook()):
        trial = elsewhere.attempt(one(change))

    assert not trial.failed
    assert trial.fate == "accepted"
    assert bool(trial.warning) == warns


def test_what_a_coding_has_no_sign_for_is_not_written_in_it(honest: AtTheMock) -> None:
    with pytest.raises(Impossible, match=r"EBCDIC has no sign for U\+1F6D2"):
        honest.attempt(one('["claim-extra","n\\u00e4me"],["json-coding","claims","EBCDIC"]'))


@pytest.mark.parametrize(
    "change",
    [
        '["crit-malformed","[]"]',
        '["crit-malformed","\\"x-unheard-of\\""]',
        '["zip-compressed","zlib"]',
        '["json-surrounded","claims","another object behind it"]',
        '["json-surrounded","claims","an array around it"]',
        '["around","in quotation marks"]',
    ],
)
def test_what_nobody_may_accept_is_failed(elsewhere: Elsewhere, change: str) -> None:
    assert elsewhere.attempt(one(change)).failed


@pytest.mark.parametrize(
    ("change", "status", "seconds", "failed"),
    [
        ('["iat-ahead",60]', 400, 1.0, True),
        ('["iat-ahead",60]', 400, 40.0, False),
        ('["lifetime-short",60]', 401, 1.0, True),
        ('["lifetime-short",60]', 401, 60.0, False),
        ('["by-stranger"]', 400, 60.0, True),
    ],
)
def test_what_is_due_is_due_only_while_a_token_is_on_time(
    elsewhere: Elsewhere, change: str, status: int, seconds: float, *, failed: bool
) -> None:
    elsewhere.status, elsewhere.seconds = status, seconds

    assert elsewhere.attempt(one(change)).failed == failed


@pytest.mark.parametrize(
    ("change", "status", "failed"),
    [
        ('["by-stranger"]', 520, False),
        ('["by-stranger"]', 431, True),
        ('["by-stranger"]', 500, True),
        ('["jti-odd","\\"%s\\""]' % ("j" * 512), 500, True),
        ('["claim-hard","2,000 characters"],["by-stranger"]', 431, False),
        ('["claim-hard","2,000 characters"],["by-stranger"]', 404, True),
    ],
)
def test_what_a_server_in_front_answers_is_not_the_providers(
    elsewhere: Elsewhere, change: str, status: int, *, failed: bool
) -> None:
    elsewhere.status, elsewhere.body = status, b"<html>"

    assert elsewhere.attempt(one(change)).failed == failed


def test_where_only_rs256_is_held_its_requirement_is_blamed(elsewhere: Elsewhere) -> None:
    example = one('["spaces","claims","a space behind each colon"]')

    assert elsewhere.requirement(example) == "3.2-es256"
    elsewhere._maker.bases = ["RS256"]
    assert elsewhere.requirement(example) == "3.2-rs256"


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
