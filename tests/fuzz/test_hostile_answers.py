"""Hostile answers to the mock agent: what is due to each change, and what is found."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import cast

import pytest

from pact_conformance.catalogue import load
from pact_conformance.counterpart import subtle_flaws
from pact_conformance.counterpart.personal_agent.adapter import Adapter
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.example import Change, Example, parse
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.hostile_answers.draft import NOT_SAID, areas_of
from pact_conformance.fuzz.hostile_answers.family import HostileAnswers
from pact_conformance.fuzz.hostile_answers.kinds import KINDS
from pact_conformance.fuzz.kind import OneOf
from pact_conformance.fuzz.lessening import simpler
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.verdicts import Inconclusive

from .on_the_stage import OnTheStage, on_the_stage, tried

# The least example of each subtle flaw.
LEAST: dict[str, list[object]] = {
    "takes-versions-that-begin-alike": ["card-version-minor", "1.07"],
    "takes-bindings-that-begin-alike": ["card-binding", "HTTP+JSONRPC"],
    "reads-an-organization-that-need-not-be-there": ["card-without", "provider"],
    "takes-a-message-whatever-the-status": ["error-beside-a-reply", 400],
    "strips-the-blanks-of-a-context-id": ["reply-context-blank", " with blanks at both ends "],
    "reads-no-reason-beside-an-empty-message": ["closing-message", ""],
    "follows-the-redirects-of-what-it-posts": ["token-redirect", 307, "another host"],
    "follows-redirects-that-begin-like-its-own-url": [
        "token-redirect-odd",
        307,
        "another host, with ours before an @",
    ],
    "asks-where-a-challenge-points": ["error-pointer", "resource_metadata"],
    "reckons-with-whatever-an-interval-is": ["device-interval-odd", "the text 1"],
    "writes-down-the-day-on-which-a-token-ends": ["token-lifetime", "10^12"],
    "counts-the-seconds-of-a-long-code": ["device-lifetime", "10^12"],
    "drops-the-fragment-of-a-link": ["device-link", "#at-the-till"],
    "shows-whatever-stands-for-a-link": [
        "device-link-other",
        "javascript:alert(document.cookie)",
    ],
    "leaves-the-plus-in-a-form": ["device-code", "a+b/c=d&e%20f;g?h#i"],
    "takes-the-type-of-a-token-by-the-letter": ["token-type-case", "bearer"],
    "compares-what-is-signed-alone": ["receipt-claim-unsigned", "x-note"],
    "compares-claims-without-regard-to-case": ["receipt-claim-other", "user", "in capitals"],
    "compares-claims-without-their-actions": ["receipt-claim-false", "actions"],
    "reads-the-first-of-two-claims": ["receipt-twice", "user"],
    "believes-the-key-in-a-receipts-header": ["receipt-stranger", "jwk"],
    "takes-a-receipt-that-says-it-is-not-signed": ["receipt-unsigned", "None"],
}

HANGS = "counts-the-seconds-of-a-long-code"


@pytest.fixture(scope="module")
def acts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OnTheStage]:
    with on_the_stage(tmp_path_factory.mktemp("stage")) as it:
        yield it


@pytest.fixture(scope="module")
def honest(acts: OnTheStage) -> HostileAnswers:
    return acts.family()


def example(*changes: Sequence[object]) -> Example:
    return parse(json.dumps(["hostile-answers", *changes]))


def one_of_each() -> Iterator[Example]:
    """Every kind by itself, with the first of its values."""
    for kind in KINDS.all.values():
        first = (it.values[0] if isinstance(it, OneOf) else it.least for it in kind.takes)
        yield KINDS.example([Change(kind.id, tuple(first))])


def test_no_kind_of_change_is_judged_wrongly(honest: HostileAnswers) -> None:
    fates: Counter[tuple[str, str]] = Counter()
    accepted: Counter[str] = Counter()
    for it in one_of_each():
        with suppress(Impossible):
            trial = tried(honest, it)
            assert not trial.failed, (KINDS.said(it), trial)
            assert not trial.warning, (KINDS.said(it), trial)
            fates[KINDS.due_to(it), trial.fate] += 1
            slots = KINDS.all[it.changes[0].kind].slots
            accepted.update(areas_of(slots) if trial.fate == "accepted" else ())

    assert fates["accepted", "accepted"] > 60
    assert fates["refused", "refused"] > 12
    assert fates["either", "accepted"] > 10
    assert fates["either", "refused"] > 30
    areas = {area for kind in KINDS.all.values() for area in areas_of(kind.slots)}
    assert areas - set(accepted) == {"error"}  # what is an error is no reply, and nobody goes on


@pytest.mark.parametrize("name", [it for it in LEAST if it != HANGS])
def test_a_subtle_flaw_shows_at_its_least_example(
    acts: OnTheStage, honest: HostileAnswers, name: str
) -> None:
    least, flaw = example(LEAST[name]), subtle_flaws.ALL[name]
    with acts.being(flaw=name):
        trial = tried(honest, least)

    assert trial.failed or trial.warning
    assert (trial.requirement or honest.requirement(least)) in flaw.breaks


@pytest.mark.parametrize(
    ("variant", "change"),
    [
        ("hands-a-step-up-to-its-caller", ["step-up-no-link"]),
        ("looks-at-the-task-of-a-step-up", ["step-up-without-more", "task.id"]),
        ("looks-at-the-task-of-a-step-up", ["step-up-odd", "task.id", "half a character"]),
    ],
)
def test_a_legal_variant_survives_what_once_broke_it(
    acts: OnTheStage, honest: HostileAnswers, variant: str, change: list[object]
) -> None:
    with acts.being(variant=variant):
        trial = tried(honest, example(change))

    assert not trial.failed, trial
    assert not trial.warning


def test_a_scene_has_one_course() -> None:
    courses = {"closing", "step-up", "error"}

    for kind in KINDS.all.values():
        if not courses.isdisjoint(areas_of(kind.slots)):
            assert "message.turns" in kind.slots, kind.id


def test_a_call_that_does_not_come_back_is_found(acts: OnTheStage) -> None:
    family = acts.family()  # in a thread of its own, that nobody waits for
    family._seconds = 1.0
    with acts.being(flaw=HANGS):
        trial = tried(family, example(LEAST[HANGS]))

    assert trial.failed
    assert "did not return within 1 s" in trial.got


@pytest.mark.parametrize(
    "name", ["drops-the-fragment-of-a-link", "believes-the-key-in-a-receipts-header"]
)
def test_a_campaign_makes_the_least_of_what_it_finds(acts: OnTheStage, name: str) -> None:
    family = acts.family()
    kind = KINDS.all[str(LEAST[name][0])]
    others = [it for it in family.kinds if it.id in {"card-name", "device-more", "reply-part"}]
    family.kinds = [kind, *others]
    with acts.being(flaw=name):
        campaign = Campaign(family, Pace(None, 10**6), examples=40, seed=1)
        (cause, *more) = campaign.run(draw, lessen).causes

        assert more == []
        assert cause.example == example(LEAST[name])
        near = simpler(family, cause.example)
        assert not [it.text for it in near if tried(family, it).failed]


def test_a_good_scene_that_comes_to_nothing_proves_nothing(
    acts: OnTheStage, honest: HostileAnswers
) -> None:
    with acts.being(flaw="calls-every-receipt-bad"), pytest.raises(Inconclusive) as raised:
        honest.control()

    assert "the control failed: of a good scene at holds no receipt" in raised.value.reason


def test_what_is_asked_is_bounded(acts: OnTheStage) -> None:
    pace = Pace(None, 80, bound="--pact-fuzz-asks")
    family = acts.family(pace)
    assert 15 <= 80 - pace.left <= 35  # what it takes to know the agent

    tally = Campaign(family, pace, examples=100, seed=1).run(draw, lessen)

    assert tally.stopped == "the bound on requests was reached"
    assert "--pact-fuzz-asks" in tally.do
    assert 3 <= tally.tried <= 40
    assert pace.left > -8


class Raising:
    """An adapter that lets through what its library raises where a turn comes to nothing."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter

    def __getattr__(self, name: str) -> Callable[[dict[str, object]], dict[str, object]]:
        operation = getattr(self._adapter, name)

        def asked(request: dict[str, object]) -> dict[str, object]:
            told: dict[str, object] = operation(request)
            if "gaveUp" in told:
                raise RuntimeError(told["gaveUp"])
            return told

        return asked


def test_an_exception_is_giving_up_where_plain_failures_are_told_so(acts: OnTheStage) -> None:
    family = acts.family(agent=Raising(acts.adapter))
    with acts.being(flaw="reckons-with-whatever-an-interval-is"):
        trials = [
            tried(family, example(it))
            for it in (["device-interval-odd", "the text 1"], ["card-no-interface", "empty"])
        ]

    assert [(it.fate, it.failed) for it in trials] == [("refused", False)] * 2
    assert tried(family, example(["device-more", "", "x-note", "null"])).fate == "accepted"


class Patient:
    """An adapter whose agent tries a message again for as long as it takes, in real time."""

    def __init__(self, adapter: Adapter, until: threading.Event) -> None:
        self._adapter = adapter
        self._until = until

    def __getattr__(self, name: str) -> Callable[[dict[str, object]], dict[str, object]]:
        operation = getattr(self._adapter, name)

        def asked(request: dict[str, object]) -> dict[str, object]:
            told: dict[str, object] = operation(request)
            told.pop("virtualTime", None)
            if name == "say" and "gaveUp" in told:
                self._until.wait()
            return told

        return asked


def test_an_agent_that_waits_is_not_one_that_breaks_down(acts: OnTheStage) -> None:
    until = threading.Event()
    until.set()
    family = acts.family(agent=Patient(acts.adapter, until))
    assert not family._manners.is_virtual
    family._seconds = 1.0
    until.clear()
    try:
        limited = tried(family, example(["error-wait", "soon"]))
        busy = tried(family, example(["device-more", "", "x-note", "null"]))
    finally:
        until.set()

    assert [(it.fate, it.failed) for it in (limited, busy)] == [("undecided", False)] * 2


class Repeating:
    """An adapter whose agent tells of a failure by a reply, with all that came."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter

    def __getattr__(self, name: str) -> Callable[[dict[str, object]], dict[str, object]]:
        operation = getattr(self._adapter, name)

        def asked(request: dict[str, object]) -> dict[str, object]:
            told: dict[str, object] = operation(request)
            if name != "say" or "gaveUp" not in told:
                return told
            return {"id": told["id"], "reply": {"text": f"It said: {NOT_SAID}"}}

        return asked


def test_who_repeats_an_answer_is_not_said_to_take_it_for_a_reply(acts: OnTheStage) -> None:
    kinds = {kind.id for kind in acts.family(agent=Repeating(acts.adapter)).kinds}

    assert "error-status" in kinds
    assert not kinds & {"error-beside-a-reply", "error-like-a-reply", "error-not-found"}


class Modest:
    """An adapter whose agent talks without the delegation token that it has."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter

    def __getattr__(self, name: str) -> Callable[[dict[str, object]], dict[str, object]]:
        operation = getattr(self._adapter, name)

        def asked(request: dict[str, object]) -> dict[str, object]:
            if name != "say":
                return cast("dict[str, object]", operation(request))
            user = cast("dict[str, object]", request["user"])
            return cast(
                "dict[str, object]",
                operation({**request, "user": {**user, "id": f"{user['id']}-alone"}}),
            )

        return asked


def test_an_agent_that_talks_without_the_token_is_not_tried_under_one(acts: OnTheStage) -> None:
    family = acts.family(agent=Modest(acts.adapter))

    assert not {kind.id for kind in family.kinds} & {"device-more", "token-text", "receipt-more"}
    assert tried(family, example(["card-name", "markup"])).fate == "accepted"


def test_each_kind_shows_a_requirement_of_a_personal_agent() -> None:
    rows = load()

    for kind in KINDS.all.values():
        assert rows[kind.requirement].role == "personal-agent", kind.id


def test_every_subtle_flaw_of_an_agent_has_its_least_example() -> None:
    rows = load()
    flaws = subtle_flaws.of("personal-agent")

    assert set(LEAST) == set(flaws)
    for flaw in flaws.values():
        assert flaw.breaks
        assert flaw.breaks <= set(rows.requirements)
        assert flaw.description.endswith(".")
