"""Malformed requests at the mock: what is due to each change, and what a campaign finds."""

import itertools
from collections.abc import Iterator

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import subtle_flaws
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.example import Change, Example, parse
from pact_conformance.fuzz.family import Unanswered
from pact_conformance.fuzz.kind import OneOf
from pact_conformance.fuzz.lessening import simpler
from pact_conformance.fuzz.malformed_requests.family import MalformedRequests
from pact_conformance.fuzz.malformed_requests.kinds import KINDS
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from pact_conformance.journal.exchange import Failure
from pact_conformance.verdicts import Inconclusive, Untested
from tests.fuzz.fates import fates
from tests.fuzz.in_process import Elsewhere, InProcess

# The least example of each flaw.
LEAST = {
    "looks-for-members-in-the-text-of-a-body": '["json-escapes","in names"]',
    "insists-on-the-message-id-first": '["json-order","from last to first"]',
    "reads-a-body-up-to-a-nul": '["json-surrounded","NUL behind it"]',
    "strips-more-than-json-s-white-space": '["json-lenient","a form feed at the end"]',
    "takes-a-request-out-of-an-array": '["json-wrapped","an array of one"]',
    "replaces-bytes-that-are-no-utf-8": '["json-bytes","a text","a byte of Latin-1"]',
    "breaks-down-at-half-a-pair-of-surrogates": '["text-half","the first half of a pair"]',
    "breaks-down-at-a-number-of-more-than-64-bits": '["number-huge","9223372036854775808"]',
    "breaks-down-at-deep-nesting": '["nested-deep","objects",600]',
    "compares-the-media-type-letter-by-letter": (
        '["media-type","application/json; charset=utf-8"]'
    ),
    "breaks-down-at-a-malformed-trace": '["header-extra","a malformed trace"]',
    "takes-put-for-post": '["method","PUT"]',
    "reads-page-sizes-as-its-language-does": '["page-size-wrong","1_0"]',
    "cuts-page-sizes-to-32-bits": '["page-size-wrong","4294967297"]',
    "serves-no-page-between-64-and-100": '["page-size",65]',
    "breaks-down-at-a-day-that-no-calendar-has": (
        '["filter-odd","statusTimestampAfter","2026-02-30T00:00:00Z"]'
    ),
    "breaks-down-at-a-nul-in-the-id-of-a-task": '["get-id-odd","%00"]',
    "refuses-a-tilde-in-the-id-of-a-task": '["get-id",64,3]',
}
# So many values of one parameter are tried alone; the others are drawn.
MOST_VALUES = 12


@pytest.fixture(scope="module")
def world() -> Iterator[InProcess]:
    world = InProcess()
    yield world
    world.close()


@pytest.fixture(scope="module")
def honest(world: InProcess) -> MalformedRequests:
    return MalformedRequests(world.rig, Pace(None, 0))


def campaign(family: MalformedRequests, examples: int, seed: int = 1) -> Tally:
    pace = Pace(None, 20 * examples)
    return Campaign(family, pace, examples=examples, seed=seed).run(draw, lessen)


def alone() -> Iterator[Example]:
    """Every kind by itself, with some of its values."""
    for kind in KINDS.all.values():
        rows = [
            it.values[:: 1 + len(it.values) // MOST_VALUES]
            if isinstance(it, OneOf)
            else sorted({it.least, (it.least + it.most) // 2, it.most})
            for it in kind.takes
        ]
        for values in itertools.product(*rows):
            yield KINDS.example([Change(kind.id, tuple(values))])


def least_of(flaw: str) -> Example:
    return parse(f'["malformed-requests",{LEAST[flaw]}]')


def test_no_change_alone_is_judged_wrongly(honest: MalformedRequests, world: InProcess) -> None:
    found = fates(honest, KINDS, alone())

    assert found["refused", "refused"] > 150
    assert found["accepted", "accepted"] > 80
    assert found["accepted", "refused"] == found["refused", "accepted"] == 0
    assert found["either", "accepted"] > 50
    assert found["either", "refused"] > 50
    assert dict(world.turns.ledger.spent()) == {}


def test_nothing_is_found_at_a_provider_that_conforms(honest: MalformedRequests) -> None:
    tally = campaign(honest, 400)

    assert tally.causes == []
    assert tally.tried == 400
    assert tally.accepted > 60
    assert tally.refused > 100


@pytest.mark.parametrize("name", LEAST)
def test_the_least_example_shows_a_subtle_flaw(honest: MalformedRequests, name: str) -> None:
    world, example = InProcess([name]), least_of(name)
    try:
        trial = MalformedRequests(world.rig, Pace(None, 0)).attempt(example)
    finally:
        world.close()

    assert trial.failed
    assert not honest.attempt(example).failed
    assert honest.requirement(example) in subtle_flaws.ALL[name].breaks


@pytest.mark.parametrize(
    "name",
    [
        "takes-a-request-out-of-an-array",
        "serves-no-page-between-64-and-100",
        "breaks-down-at-deep-nesting",
    ],
)
def test_a_subtle_flaw_is_found_and_shrunk_to_its_least_example(name: str) -> None:
    world = InProcess([name])
    family = MalformedRequests(world.rig, Pace(None, 0))
    try:
        tally = campaign(family, 600)
        failing = [it for it in tally.causes if it.trial.failed]

        assert failing
        assert {it.requirement for it in failing} <= subtle_flaws.ALL[name].breaks
        for cause in failing:
            assert len(cause.example.changes) == 1, cause.words
            near = simpler(family, cause.example)
            assert not [it.text for it in near if family.attempt(it).failed], cause.words
    finally:
        world.close()


@pytest.mark.parametrize(
    ("variant", "base"),
    [
        ("refuses-unknown-members", "of an unknown task"),
        ("looks-at-parts-before-the-role", "without text"),
    ],
)
def test_the_first_message_that_is_refused_for_its_own_reason_is_the_base(
    variant: str, base: str
) -> None:
    world = InProcess(
        ["refuses-the-task-of-a-message-as-invalid"] if base == "without text" else [], [variant]
    )
    try:
        family = MalformedRequests(world.rig, Pace(None, 0))

        assert family._base == base
        assert campaign(family, 60).tried == 60
    finally:
        world.close()


@pytest.mark.parametrize(
    ("variant", "change", "fate"),
    [
        ("refuses-json-that-few-can-hold", '["number-huge","1e400"]', "refused"),
        ("skips-a-byte-order-mark", '["json-mark"]', "accepted"),
        ("stands-behind-a-strict-proxy", '["method","COPY"]', "undecided"),
        ("stands-behind-a-strict-proxy", '["query","%00"]', "refused"),
        ("redirects-from-a-slash-too-many", '["path","a slash behind it"]', "undecided"),
    ],
)
def test_what_is_answered_in_another_legal_way_is_right(
    honest: MalformedRequests, variant: str, change: str, fate: str
) -> None:
    world, example = InProcess([], [variant]), parse(f'["malformed-requests",{change}]')
    try:
        trial = MalformedRequests(world.rig, Pace(None, 0)).attempt(example)
    finally:
        world.close()

    assert (trial.fate, trial.failed, trial.warning) == (fate, False, "")
    assert honest.attempt(example).fate != fate


def test_what_is_doubtful_warns() -> None:
    world = InProcess([], ["reads-no-version-as-0-3"])
    try:
        family = MalformedRequests(world.rig, Pace(None, 0))
        trial = family.attempt(parse('["malformed-requests",["version-absent"]]'))
    finally:
        world.close()

    assert not trial.failed
    assert trial.warning == "refused: no A2A-Version"


@pytest.fixture
def elsewhere(world: InProcess) -> tuple[MalformedRequests, Elsewhere]:
    between = Elsewhere(world)
    return MalformedRequests(between.rig, Pace(None, 0)), between


@pytest.mark.parametrize(
    ("change", "statuses"),
    [
        (
            '["media-type-odd","text/plain"]',
            (400, 403, 406, 413, 415, 431, 501, 502, 503, 505, 520),
        ),
        ('["path","`%`"]', (301, 308, 400, 403, 404, 405, 414, 501)),
        ('["method","PROPFIND"]', (400, 404, 405, 501)),
        ('["method-asking","OPTIONS"]', (200, 204, 403, 405)),
        ('["expect","100-continue"]', (400, 417)),
        ('["header-telling","an upgrade"]', (101, 400, 426)),
        ('["text-suspect","markup"]', (400, 403, 406)),
        ('["message-id-odd","\\"<b>\\""]', (403,)),
        ('["page-size-wrong","\\u0000"]', (400, 403)),
        ('["json-surrounded","NUL behind it"]', (400, 403)),
        ('["json-bytes","a text","ff"]', (400, 403)),
        ('["longer","letters",70000]', (400, 413, 414)),
        ('["chunked"]', (411, 413)),
        ('["json-cut",1]', (413, 502, 503, 504, 429)),
        ('["header-telling","a very long header"]', (400, 413, 431, 494)),
        ('["get-id-odd","%2e"]', (200, 301, 400, 404)),
        ('["page-size-wrong","5\'--"]', (400, 403)),
        ('["scheme-case","BEARER"]', (401,)),
    ],
)
def test_what_a_server_in_front_answers_is_never_failed(
    elsewhere: tuple[MalformedRequests, Elsewhere], change: str, statuses: tuple[int, ...]
) -> None:
    family, between = elsewhere
    for status in statuses:
        between.status, between.body = status, b"<html>"

        trial = family.attempt(parse(f'["malformed-requests",{change}]'))

        assert not trial.failed, (status, trial)
        assert trial.fate != "accepted"


@pytest.mark.parametrize(
    ("change", "statuses"),
    [
        ('["media-type","Application/JSON"]', (400, 404, 415, 500)),
        ('["json-cut",1]', (200, 400, 403, 404, 422, 500)),
        ('["text","DEL"]', (400, 401, 403)),
        ('["media-type-odd","text/plain"]', (200, 500)),
        ('["method","PROPFIND"]', (200, 500)),
        ('["list"]', (204, 400, 404)),
    ],
)
def test_what_the_provider_alone_answers_has_to_be_right(
    elsewhere: tuple[MalformedRequests, Elsewhere], change: str, statuses: tuple[int, ...]
) -> None:
    family, between = elsewhere
    for status in statuses:
        between.status, between.body = status, b""

        assert family.attempt(parse(f'["malformed-requests",{change}]')).failed, status


def test_a_scheme_that_is_not_known_by_another_spelling_warns(
    elsewhere: tuple[MalformedRequests, Elsewhere],
) -> None:
    family, between = elsewhere
    between.status = 401

    trial = family.attempt(parse('["malformed-requests",["scheme-case","bearer"]]'))

    assert not trial.failed
    assert trial.warning == "refused: the scheme of the Authorization header as bearer"


def test_what_is_expected_names_the_reason_of_what_is_malformed_whatever_the_base() -> None:
    flaws = ["refuses-the-task-of-a-message-as-invalid"]
    world = InProcess(flaws, ["refuses-other-parts-alone-as-having-no-text"])
    between = Elsewhere(world)
    try:
        family = MalformedRequests(between.rig, Pace(None, 0))
        between.status = 500
        trial = family.attempt(parse('["malformed-requests",["json-cut",1]]'))
    finally:
        world.close()

    assert family._base == "of blank text"
    assert trial.expected == "the A2A error INVALID_PARAMS"


@pytest.mark.parametrize(
    ("change", "kind", "failed"),
    [
        ('["json-cut",1]', "deadline", True),
        ('["json-cut",1]', "closed", True),
        ('["media-type-odd","text/plain"]', "deadline", True),
        ('["media-type-odd","text/plain"]', "closed", False),
        ('["longer","letters",200000]', "closed", False),
    ],
)
def test_a_hang_is_the_providers_and_an_early_close_may_be_a_servers(
    elsewhere: tuple[MalformedRequests, Elsewhere], change: str, kind: str, *, failed: bool
) -> None:
    family, between = elsewhere
    between.failure = Failure(kind, "nothing came")  # type: ignore[arg-type]

    with pytest.raises(Unanswered) as raised:
        family.attempt(parse(f'["malformed-requests",{change}]'))

    assert raised.value.trial.failed == failed
    with pytest.raises(Inconclusive):
        family.control()


def test_messages_that_become_turns_end_it(
    elsewhere: tuple[MalformedRequests, Elsewhere],
) -> None:
    family, between = elsewhere
    between.status, between.body = 200, b'{"message":{}}'
    example = parse('["malformed-requests",["blank","U+0020",2]]')

    assert [family.attempt(example).failed for _ in range(2)] == [True, True]
    with pytest.raises(Inconclusive, match="became turns"):
        family.attempt(example)


def test_without_a_message_that_is_refused_nothing_is_tried(world: InProcess) -> None:
    between = Elsewhere(world)
    between.status = 404

    with pytest.raises(Untested, match="no message is known"):
        MalformedRequests(between.rig, Pace(None, 0))


def test_a_kind_says_what_it_does_and_shows_a_requirement_that_there_is() -> None:
    rows = load()
    for example in alone():
        said = KINDS.said(example)
        blamed = KINDS.blamed(example)

        assert said
        assert "{0}" not in said
        assert "{1}" not in said
        assert blamed is not None
        assert blamed.requirement in rows.requirements


def test_every_example_is_read_back_from_its_text() -> None:
    for example in alone():
        assert parse(example.text) == example
        assert KINDS.said(parse(example.text)) == KINDS.said(example)
