"""Delivering one message, again where its answer was lost (§4.3)."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pact_conformance.counterpart.personal_agent.answers import Outcome, Refused
from pact_conformance.counterpart.personal_agent.failure import Unanswered
from pact_conformance.counterpart.personal_agent.messages import Draft

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent


@dataclass
class Retries:
    """How often a message is sent again, and after how long."""

    lost: tuple[float, ...] = (1.0, 3.0)
    """Seconds before each sending after a lost answer."""
    running: tuple[float, ...] = (2.0, 4.0, 8.0)
    """Seconds before each sending while a retry gets INVALID_PARAMS, which may mean that the first
    is still being answered."""


@dataclass
class Attempts:
    """What has become of the sendings of a message so far."""

    lost: int = 0
    running: int = 0


def deliver(agent: "PersonalAgent", draft: Draft) -> Outcome:
    """Send a message until there is an answer to it, a bounded number of times.

    Raises:
        Failure: none came.
    """
    attempts = Attempts()
    while True:
        try:
            make = partial(agent.message_request, agent, draft)
            answer = agent.exchange(agent, draft.relation, make)
        except Unanswered as error:
            if not agent.sends_again(agent, draft, error, attempts):
                raise
            agent.sleep(draft.relation, agent.retries.lost[attempts.lost])
            attempts.lost += 1
        else:
            outcome = agent.read_outcome(agent, answer)
            if not agent.may_still_run(agent, outcome, attempts):
                return outcome
            agent.sleep(draft.relation, agent.retries.running[attempts.running])
            attempts.running += 1
        draft = agent.redraft(agent, draft)


def sends_again(
    agent: "PersonalAgent", draft: Draft, error: Unanswered, attempts: Attempts
) -> bool:
    """Say whether a message is sent again whose answer did not come.

    A first message that may have arrived is not: without a `contextId` there is nothing by which
    the Provider would know it again, and the User's order would be carried out twice.
    """
    is_safe = draft.context_id is not None or not error.arrived
    return is_safe and attempts.lost < len(agent.retries.lost)


def may_still_run(agent: "PersonalAgent", outcome: Outcome, attempts: Attempts) -> bool:
    """Say whether a retry was refused, perhaps because the first is still being answered (§4.3).

    It is worth another attempt, a bounded number of times.
    """
    is_refused = isinstance(outcome, Refused) and outcome.reason == "INVALID_PARAMS"
    return is_refused and attempts.lost > 0 and attempts.running < len(agent.retries.running)


def redraft(_agent: "PersonalAgent", draft: Draft) -> Draft:
    """Return what is sent again: the same message (§4.3)."""
    return draft
