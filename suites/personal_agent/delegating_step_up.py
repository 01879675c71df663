"""Turns that need a scope which the token lacks, and what the agent makes of it (§5.5)."""

from dataclasses import dataclass
from typing import Any

from pact_conformance.grants import Tried, tried
from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest, NeedsSignIn, Result
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Scene, Stage
from pact_conformance.verdicts import Untested

from .delegating import CANCEL, READ, SAID, Customer, acting, customer, during, told
from .granting import Flow, answered

# What a step-up names beside a scope of the card, and the card does not have.
FOREIGN = "everything:do"


@dataclass(frozen=True)
class SteppedUp:
    """A turn that got a step-up, and everything that followed."""

    who: Customer
    token: str
    """The token that lacked a scope."""
    needing: Seen
    """The message that needed it."""
    said: Result
    """What the agent said then."""
    by_itself: tuple[Flow, ...]
    """The flows that it began without being told to."""
    flows: tuple[Flow, ...]
    """All flows that were begun since, at its caller's word too."""
    ended: Result | None
    """What it said when the User had decided; None: nothing, or it was never asked."""
    again: tuple[Seen, ...]
    """The messages that came since."""


def _step_up(seen: Seen) -> dict[str, Any] | None:
    """Return the step-up task that a message got."""
    task = answered(seen).get("task")
    status = task.get("status") if isinstance(task, dict) else None
    is_it = isinstance(status, dict) and status.get("state") == "TASK_STATE_AUTH_REQUIRED"
    return task if is_it and isinstance(task, dict) else None


def _step(who: Customer) -> SteppedUp:
    """Go from a sign-in for one scope to a turn that needs another, and on."""
    token = acting(who, READ)
    before = len(who.flows)
    needing = [it for it in during(who, lambda: who.say(SAID[CANCEL])) if _step_up(it) is not None]
    if not needing:
        problem = f"no turn got a step-up: {told(who.log[-1])}"
        raise Untested(problem, do="see 5.5-agent-both-tokens")
    said, count = who.log[-1], len(who.messages)
    by_itself = who.flows[before:]
    ended = _follow(who, said, before) if isinstance(said, NeedsSignIn) or by_itself else None
    return SteppedUp(
        who, token, needing[0], said, by_itself, who.flows[before:], ended, who.messages[count:]
    )


def _follow(who: Customer, said: Result, before: int) -> Result | None:
    """Do what the agent's caller does: begin the sign-in, if it is left to it, and go on."""
    if not who.flows[before:] and who.agent.offers("go_on"):
        who.finish()
    if not who.flows[before:]:
        scopes = said.scopes if isinstance(said, NeedsSignIn) else None
        who.sign_in(*(scopes or (READ, CANCEL)))
    if not who.flows[before:]:
        return who.log[-1]
    count = len(who.messages)
    ended = who.finish()
    if len(who.messages) == count and len(who.tokens) > 1:
        return who.say(SAID[CANCEL])
    return ended


def _scene(stage: Stage, **script: Any) -> Scene:  # noqa: ANN401 - JSON values
    """Open a Brand whose User approves one scope at first, whatever is asked for, and then all."""
    approve = [{"auto": [READ]}, {"auto": "all"}]
    return stage.open(interval=1, approve=approve, **script)


@conversation(turns=0, together=0)
def stepped_up_agent(stage: Stage, agent: AgentUnderTest) -> SteppedUp:
    """A turn needs a scope beyond that of the token; the User approves it."""
    return _step(customer(agent, _scene(stage), "stepped-up"))


@conversation(turns=0, together=0)
def ephemeral_step_up(stage: Stage, agent: AgentUnderTest) -> SteppedUp:
    """The same, but no look-up finds the task."""
    return _step(customer(agent, _scene(stage, stepUpDurable=False), "ephemeral-step-up"))


@conversation(turns=0, together=0)
def foreign_step_up(stage: Stage, agent: AgentUnderTest) -> Tried[SteppedUp]:
    """The step-up names a scope that is not on the card beside one that is."""
    metadata = {"pact.missingScopes": [CANCEL, FOREIGN]}
    answers = {"message:send": [None, {"patch": {"task": {"metadata": metadata}}}]}
    scene = _scene(stage, answers=answers)
    return tried(lambda: _step(customer(agent, scene, "foreign-step-up")))
