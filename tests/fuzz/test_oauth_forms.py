"""OAuth forms at the mock: what is due to each change, and what a campaign finds."""

import itertools
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import subtle_flaws
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.example import Change, Example, parse
from pact_conformance.fuzz.family import Unanswered
from pact_conformance.fuzz.kind import OneOf
from pact_conformance.fuzz.lessening import simpler
from pact_conformance.fuzz.oauth_forms.family import OAuthForms
from pact_conformance.fuzz.oauth_forms.kinds import KINDS
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from pact_conformance.journal.exchange import Failure
from pact_conformance.verdicts import Inconclusive, NotApplicable
from tests.fuzz.fates import fates
from tests.fuzz.in_process import Elsewhere, InProcess

# The least example of each flaw.
LEAST = {
    "refuses-parameters-that-it-does-not-know": '["extra","x-unheard-of","1"]',
    "insists-on-the-grant-type-first": '["order","from last to first"]',
    "compares-clients-without-their-case": '["client-id-case","upper"]',
    "compares-clients-without-a-slash-at-the-end": '["client-id-longer","a slash"]',
    "undoes-percent-encoding-twice": '["client-id-encoded","it percent-encoded"]',
    "knows-scopes-without-their-case": '["scope-case","upper"]',
    "takes-commas-between-scopes": '["scope-joined","a comma"]',
    "breaks-down-at-an-escape-of-no-utf-8": '["writing","an escape of no UTF-8"]',
    "knows-grant-types-by-their-end": '["grant-type","device_code"]',
    "finds-a-device-code-by-its-beginning": '["device-code-shorter","the last character"]',
    "takes-the-user-code-for-a-device-code": '["user-code"]',
}
MOST_VALUES = 10


@pytest.fixture(scope="module")
def world() -> Iterator[InProcess]:
    world = InProcess()
    yield world
    world.close()


@pytest.fixture
def honest(world: InProcess) -> OAuthForms:
    return OAuthForms(world.rig, Pace(None, 0))


def campaign(family: OAuthForms, examples: int, seed: int = 1) -> Tally:
    pace = Pace(None, 20 * examples)
    return Campaign(family, pace, examples=examples, seed=seed).run(draw, lessen)


def alone() -> Iterator[Example]:
    """Every kind by itself, with some of its values."""
    for kind in KINDS.all.values():
        rows = [
            it.values[:: 1 + len(it.values) // MOST_VALUES]
            if isinstance(it, OneOf)
            else (it.least, it.most)
            for it in kind.takes
        ]
        for values in itertools.product(*rows):
            yield KINDS.example([Change(kind.id, tuple(values))])


def one(change: str) -> Example:
    return parse(f'["oauth-forms",{change}]')


def test_no_change_alone_is_judged_wrongly(honest: OAuthForms) -> None:
    found = fates(honest, KINDS, alone())

    assert found["refused", "refused"] > 150
    assert found["accepted", "accepted"] > 60
    assert found["refused", "accepted"] == 0
    assert found["either", "accepted"] > 30
    assert found["either", "refused"] > 30


def test_nothing_is_found_at_a_provider_that_conforms_and_one_flow_begins(world: InProcess) -> None:
    honest = OAuthForms(world.rig, Pace(None, 0))

    tally = campaign(honest, 400)

    assert tally.causes == []
    assert tally.tried == 400
    assert tally.accepted > 60
    assert tally.refused > 100
    assert honest._begun == 1


@pytest.mark.parametrize("name", LEAST)
def test_the_least_example_shows_a_subtle_flaw(honest: OAuthForms, name: str) -> None:
    world, example = InProcess([name]), one(LEAST[name])
    try:
        trial = OAuthForms(world.rig, Pace(None, 0)).attempt(example)
    finally:
        world.close()

    assert trial.failed
    assert not honest.attempt(example).failed
    assert honest.requirement(example) in subtle_flaws.ALL[name].breaks


@pytest.mark.parametrize(
    "name", ["compares-clients-without-their-case", "knows-grant-types-by-their-end"]
)
def test_a_subtle_flaw_is_found_and_shrunk_to_its_least_example(name: str) -> None:
    world = InProcess([name])
    family = OAuthForms(world.rig, Pace(None, 0))
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
    ("variant", "change"),
    [
        ("takes-the-last-of-parameters-that-stand-twice", '["twice-at-device","scope"]'),
        (
            "takes-parameters-without-the-blanks-around-them",
            '["client-id-blank","a space behind"]',
        ),
    ],
)
def test_what_is_doubtful_warns(honest: OAuthForms, variant: str, change: str) -> None:
    world = InProcess([], [variant])
    try:
        trial = OAuthForms(world.rig, Pace(None, 0)).attempt(one(change))
    finally:
        world.close()

    assert not trial.failed
    assert trial.warning == f"accepted: {KINDS.said(one(change))}"
    assert honest.attempt(one(change)).fate == "refused"


def test_where_nothing_shows_whether_a_form_was_read_nothing_warns(honest: OAuthForms) -> None:
    typed = '["media-type-charset","application/x-www-form-urlencoded; charset=utf-8"]'
    trial = honest.attempt(one(f'["refresh"],{typed}'))

    assert not trial.warning


@pytest.fixture
def elsewhere(world: InProcess) -> tuple[OAuthForms, Elsewhere]:
    between = Elsewhere(world)
    return OAuthForms(between.rig, Pace(None, 0)), between


@pytest.mark.parametrize(
    ("change", "statuses"),
    [
        ('["media-type","text/plain"]', (400, 401, 403, 413, 415, 431, 501, 502, 503, 505, 520)),
        ('["method","GET"]', (200, 302, 400, 404, 405)),
        ('["writing","an escape of NUL"]', (400, 403, 413)),
        ('["extra-too-many",2000]', (400, 413)),
        ('["client-id-blank","NUL behind"]', (400, 403)),
        ('["client-id-case","upper"]', (401, 413, 429, 502)),
        ('["header-telling","a password beside the token"]', (400, 401)),
        ('["extra-of-others","client_id\\u0000","a"]', (400, 403)),
        ('["scope-encoded","it in angle brackets"]', (401, 413)),
        ('["media-type-charset","application/x-www-form-urlencoded; charset=utf-8"]', (400, 415)),
    ],
)
def test_what_a_server_in_front_answers_is_never_failed(
    elsewhere: tuple[OAuthForms, Elsewhere], change: str, statuses: tuple[int, ...]
) -> None:
    family, between = elsewhere
    for status in statuses:
        between.status, between.body = status, b"<html>"

        assert not family.attempt(one(change)).failed, status


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ('["no-device-code","missing"]', "invalid_grant"),
        ('["no-device-code","empty"]', "invalid_request"),
        (
            '["grant-type-of-others","urn:ietf:params:oauth:grant-type:jwt-bearer"]',
            "invalid_grant",
        ),
        ('["grant-type-of-others","http://oauth.net/grant_type/device/1.0"]', "expired_token"),
    ],
)
def test_where_oauth_leaves_the_error_open_any_is_right(
    elsewhere: tuple[OAuthForms, Elsewhere], change: str, code: str
) -> None:
    family, between = elsewhere
    between.status, between.body = 400, b'{"error":"%s"}' % code.encode()

    trial = family.attempt(one(change))

    assert not trial.failed
    assert trial.fate == "refused"


def test_a_charset_that_is_refused_warns(elsewhere: tuple[OAuthForms, Elsewhere]) -> None:
    family, between = elsewhere
    between.status, between.body = 415, b""

    trial = family.attempt(
        one('["media-type-charset","application/x-www-form-urlencoded; charset=utf-8"]')
    )

    assert trial.warning.startswith("refused: the Content-Type")


@pytest.mark.parametrize(
    ("change", "status", "body"),
    [
        ('["extra","x-unheard-of","1"]', 400, b""),
        ('["extra","x-unheard-of","1"]', 401, b'{"error":"invalid_client"}'),
        ('["client-id-case","upper"]', 200, b'{"device_code":"a","user_code":"b"}'),
        ('["client-id-case","upper"]', 422, b'{"detail":[]}'),
        ('["media-type","text/plain"]', 422, b'{"detail":[]}'),
        ('["media-type","text/plain"]', 500, b""),
        ('["media-type","text/plain"]', 200, b'{"access_token":"a"}'),
        ('["no-grant-type","empty"]', 400, b'{"error":"invalid_grant"}'),
        ('["grant-type-of-others","implicit"]', 400, b'{"error":"expired_token"}'),
        ('["no-device-code","missing"]', 400, b'{"error":"authorization_pending"}'),
        ('["no-device-code","missing"]', 200, b'{"access_token":"a"}'),
        ('["no-device-code","missing"]', 403, b""),
        ('["scope-case","upper"]', 400, b'{"error":"access_denied"}'),
        ('["method","PUT"]', 405, b'{"error":{"code":405,"status":"A","details":[]}}'),
    ],
)
def test_what_is_no_answer_of_oauth_fails(
    elsewhere: tuple[OAuthForms, Elsewhere], change: str, status: int, body: bytes
) -> None:
    family, between = elsewhere
    between.status, between.body = status, body

    assert family.attempt(one(change)).failed


@pytest.mark.parametrize(
    ("change", "code"),
    [
        # Nobody says what a code that is not there gets: the same as one that is unknown, say.
        ('["no-device-code","missing"]', "expired_token"),
        ('["no-device-code","empty"]', "invalid_grant"),
        ('["no-refresh-token","missing"]', "expired_token"),
        # Nor what another grant's own parameters get that are not there.
        ('["grant-type-of-others","implicit"]', "invalid_grant"),
        # An empty form gets it too: so it does not show that the query was read.
        ('["in-query"]', "expired_token"),
        ('["in-query"]', "invalid_grant"),
    ],
)
def test_what_shows_nothing_is_neither_failed_nor_warned_of(
    elsewhere: tuple[OAuthForms, Elsewhere], change: str, code: str
) -> None:
    family, between = elsewhere
    between.status, between.body = 400, f'{{"error":"{code}"}}'.encode()

    trial = family.attempt(one(change))

    assert (trial.expected, trial.warning) == ("", "")


def test_a_form_in_the_query_that_is_read_warns(elsewhere: tuple[OAuthForms, Elsewhere]) -> None:
    family, between = elsewhere
    between.status, between.body = 400, b'{"error":"invalid_request"}'
    assert not family.attempt(one('["in-query"]')).warning

    between.body = b'{"error":"invalid_grant"}'  # not what an empty form got

    assert family.attempt(one('["in-query"]')).warning


def test_white_space_that_oauth_does_not_know_may_stand_between_scopes(
    elsewhere: tuple[OAuthForms, Elsewhere],
) -> None:
    family, between = elsewhere
    between.status, between.body = 200, b'{"device_code":"a","user_code":"b"}'

    trial = family.attempt(one('["scope-joined-blank","a no-break space"]'))

    assert not trial.failed
    assert trial.warning == "accepted: two scopes with a no-break space between them"


@pytest.mark.parametrize(
    ("change", "kind", "failed"),
    [
        ('["client-id-case","upper"]', "deadline", True),
        ('["client-id-case","upper"]', "closed", True),
        ('["writing","UTF-16"]', "deadline", True),
        ('["writing","UTF-16"]', "closed", False),
    ],
)
def test_a_hang_is_the_providers_and_an_early_close_may_be_a_servers(
    elsewhere: tuple[OAuthForms, Elsewhere], change: str, kind: str, *, failed: bool
) -> None:
    family, between = elsewhere
    between.failure = Failure(kind, "nothing came")  # type: ignore[arg-type]

    with pytest.raises(Unanswered) as raised:
        family.attempt(one(change))

    assert raised.value.trial.failed == failed
    with pytest.raises(Inconclusive):
        family.control()


def test_flows_that_nobody_decides_do_not_begin_for_ever() -> None:
    world = InProcess(["ignores-the-client-id-at-the-device-endpoint"])
    try:
        tally = campaign(OAuthForms(world.rig, Pace(None, 0)), 400)
    finally:
        world.close()

    assert "device flows began" in tally.stopped
    assert not tally.inconclusive
    assert tally.causes


def test_what_a_code_is_made_look_alikes_of_is_renewed_in_time(
    honest: OAuthForms, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = SimpleNamespace(time=0.0)
    monkeypatch.setattr("pact_conformance.fuzz.oauth_forms.family.time.monotonic", lambda: now.time)
    first = honest._codes()
    assert honest._codes() == first

    now.time = 301.0

    assert honest._codes() != first


def test_who_is_kept_from_guessing_codes_shows_nothing(
    elsewhere: tuple[OAuthForms, Elsewhere],
) -> None:
    family, between = elsewhere
    between.status, between.body = 400, b'{"error":"slow_down"}'
    trial = family.attempt(one('["extra","x-unheard-of","1"]'))

    assert (trial.fate, trial.failed) == ("undecided", False)


def test_where_there_is_no_delegation_there_is_nothing_to_try() -> None:
    world = InProcess([], ["offers-no-delegation"])
    try:
        with pytest.raises(NotApplicable):
            OAuthForms(world.rig, Pace(None, 0))
    finally:
        world.close()


def test_the_control_is_a_poll_with_a_code_that_nobody_issued(
    elsewhere: tuple[OAuthForms, Elsewhere],
) -> None:
    family, between = elsewhere
    family.control()
    between.status = 400

    with pytest.raises(Inconclusive, match="the control failed"):
        family.control()


def test_a_kind_says_what_it_does_and_shows_a_requirement_that_there_is() -> None:
    rows = load()
    for example in alone():
        said = KINDS.said(example)
        blamed = KINDS.blamed(example)

        assert said
        assert "{0}" not in said
        assert blamed is not None
        assert blamed.requirement in rows.requirements
        assert parse(example.text) == example
