"""A turn that needs a scope which the token lacks, and everything that follows from it (§5.5)."""

from dataclasses import dataclass
from typing import Any

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.expect import StepUp
from pact_conformance.grants import Grant, Tried, tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, conversation
from pact_conformance.subject.approver import Done, Errand
from pact_conformance.subject.operations import CANCEL, GET, LIST
from pact_conformance.subject.provider import Provider
from pact_conformance.verdicts import Deviation, Untested

from .acting import FURTHER, act
from .authorizing import USER, Part
from .conversations import Turn

# Whoever asks for the task without being its User.
PRYING = "pries"

# What a served message is answered with.
ANSWERS = {"message", "task"}

# How a link begins that a browser can open.
WEB = ("https://", "http://")


@conversation(turns=1)
def stepped_up(
    pact_rig: Rig, provider: Provider, opening: Turn, delegation: Delegation, part: Tried[Part]
) -> Tried[Turn]:
    """Under a token of one scope, the prompt of another."""

    def ask() -> Turn:
        pact_rig.declared_absent("step_up")
        opening.must_be_served()
        return act(provider, part.had().narrow, delegation.prompt(delegation.second))

    return tried(ask)


def task_of(turn: Turn) -> dict[str, Any] | None:
    """Return the task that answers a message, None where there is none."""
    body: Any = turn.answer.json
    task = body.get("task") if turn.answer.status == 200 and isinstance(body, dict) else None
    return task if isinstance(task, dict) else None


def step_up_of(turn: Turn) -> StepUp:
    """Return the step-up for those who go on from it.

    Raises:
        Untested: the Brand's agent needed no further scope, or what came is no step-up.
    """
    body: Any = turn.answer.json
    if turn.answer.status != 200 or not isinstance(body, dict) or not body.keys() & ANSWERS:
        raise Untested("what came is neither a reply nor a step-up", do="see 5.5-step-up")
    if task_of(turn) is None:
        raise Untested(
            "the Brand's agent answered without asking for a further scope",
            do="set a prompt in the settings file, prompts.<scope>, for which it needs that scope",
        )
    try:
        return expect.step_up(turn.answer)
    except Deviation as deviation:
        raise Untested(
            f"what came is no step-up: {deviation.got}", do="see 5.5-step-up"
        ) from deviation


@dataclass(frozen=True)
class LookedUp:
    """What its User and somebody else got for the task."""

    owner: Answer
    prying: Answer
    prying_lists: Answer


@conversation(turns=0)
def looked_up(provider: Provider, stepped_up: Tried[Turn]) -> Tried[LookedUp]:
    """The step-up task is asked for and listed by somebody else, then asked for by its User."""
    return tried(lambda: _look_up(provider, stepped_up.had()))


def _look_up(provider: Provider, stepped_up: Turn) -> LookedUp:
    ids = {"id": step_up_of(stepped_up).id}
    return LookedUp(
        prying=provider.call(GET, ids=ids, user=PRYING),
        prying_lists=provider.call(LIST, user=PRYING),
        owner=provider.call(GET, ids=ids, user=USER),
    )


@conversation(turns=1)
def after_step_up(
    provider: Provider, part: Tried[Part], stepped_up: Tried[Turn], looked_up: Tried[LookedUp]
) -> Tried[Turn]:
    """An ordinary message in the conversation that stepped up, under the same token."""
    del looked_up
    return tried(lambda: _go_on(provider, part.had().narrow, stepped_up.had()))


def _go_on(provider: Provider, narrow: Grant, stepped_up: Turn) -> Turn:
    step_up_of(stepped_up)
    return act(provider, narrow, FURTHER, stepped_up.context_id)


@conversation(turns=0, together=0)
def step_up_link(
    delegation: Delegation, stepped_up: Tried[Turn], both: Tried[Grant]
) -> Tried[Done]:
    """The User opens the link of the step-up, and goes no further than the consent page."""
    del both
    return tried(lambda: _open_link(delegation, step_up_of(stepped_up.had())))


def _open_link(delegation: Delegation, step_up: StepUp) -> Done:
    if not step_up.link.startswith(WEB):
        raise Untested("the step-up has no link that can be opened", do="see 5.5-step-up-link")
    described = delegation.server.delegation.scopes
    errand = Errand(
        link=step_up.link,
        user_code="",
        scopes={it: described.get(it, "") for it in step_up.scopes},
        look_only=True,
        brand=delegation.server.brand,
    )
    return delegation.approver.play(errand)


@dataclass(frozen=True)
class Resolved:
    """The grant that a step-up led to, and the message that was sent again under it."""

    grant: Grant
    turn: Turn
    second_step_up: bool
    """Whether the first new token lacked the scope that the old one had."""


@conversation(turns=2)
def resolved(
    provider: Provider,
    delegation: Delegation,
    part: Tried[Part],
    stepped_up: Tried[Turn],
    after_step_up: Tried[Turn],
    step_up_link: Tried[Done],
) -> Tried[Resolved]:
    """The missing scopes are granted, and the message is sent again under the new token."""
    del after_step_up, step_up_link
    return tried(lambda: _resolve(provider, delegation, part.had().narrow, stepped_up.had()))


def _resolve(
    provider: Provider, delegation: Delegation, narrow: Grant, stepped_up: Turn
) -> Resolved:
    step_up = step_up_of(stepped_up)
    text = delegation.prompt(delegation.second)
    grant = delegation.grants.get(tuple(step_up.scopes), USER)
    turn = act(provider, grant, text, step_up.context_id)
    if task_of(turn) is None:
        return Resolved(grant, turn, second_step_up=False)
    again = step_up_of(turn)
    had = narrow.scopes
    if not set(again.scopes) <= had:
        return Resolved(grant, turn, second_step_up=False)
    # Scopes are not merged here: the one that the old token had is asked for along with the new.
    grant = delegation.grants.get(tuple(sorted({*step_up.scopes, *again.scopes, *had})), USER)
    return Resolved(grant, act(provider, grant, text, step_up.context_id), second_step_up=True)


@dataclass(frozen=True)
class Cancelled:
    """What somebody else and then its User got for cancelling the task."""

    prying: Answer
    owner: Answer


@conversation(turns=0)
def cancelled(
    provider: Provider, stepped_up: Tried[Turn], resolved: Tried[Resolved]
) -> Tried[Cancelled]:
    """The step-up task is cancelled, when nothing is to come of it any more."""
    del resolved
    return tried(lambda: _cancel(provider, step_up_of(stepped_up.had()).id))


def _cancel(provider: Provider, task_id: str) -> Cancelled:
    ids = {"id": task_id}
    prying = provider.call(CANCEL, ids=ids, user=PRYING)
    return Cancelled(prying, provider.call(CANCEL, ids=ids, user=USER))
