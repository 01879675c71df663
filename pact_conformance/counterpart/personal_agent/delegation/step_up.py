"""Step-up: a turn that needs scopes which its delegation token lacks (§5.5)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.results import NeedsSignIn, Reply
from pact_conformance.counterpart.personal_agent.store import Relation, SignIn, Waiting

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
    from pact_conformance.counterpart.personal_agent.turns import Said, Turn


def step_up(
    agent: "PersonalAgent", turn: "Turn", draft: Draft, task: Mapping[str, Any]
) -> NeedsSignIn:
    """Begin a device flow for what is missing; what was said waits for it.

    The task is not looked at again: it may be gone (§5.5).

    Raises:
        Failure: nothing that the agent may ask for is missing, or the flow cannot be begun.
    """
    missing = agent.delegation.missing_scopes(task)
    descriptions = agent.delegation.descriptions(agent, turn.relation)
    if not agent.delegation.listed_scopes(descriptions, missing):
        raise Failure("the Brand needs a permission that its card does not offer")
    if draft.grant is not None and set(missing) <= set(draft.grant.scopes):
        raise Failure("the Brand asks for a permission that it has been given")
    waiting = agent.delegation.waiting(turn, missing)
    return agent.delegation.ask(agent, turn.relation, missing, waiting)


def missing_scopes(task: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids that a step-up task names as missing."""
    found = documents.member(task, "metadata", "pact.missingScopes")
    return tuple(it for it in found if isinstance(it, str)) if isinstance(found, list) else ()


def waiting(turn: "Turn", missing: tuple[str, ...]) -> Waiting:
    """Return what is sent again once the scopes are granted: the text and its conversation."""
    return Waiting(turn.conversation, turn.text, missing)


def go_on(agent: "PersonalAgent", relation: Relation, sign_in: SignIn) -> "Said":
    """Finish a device flow, and send what has waited for it.

    Raises:
        Failure: nothing was granted, or not what the Brand needs.
    """
    grant = agent.delegation.finish(agent, relation, sign_in)
    agent.delegation.keep(agent, relation, grant)
    waiting = sign_in.waiting
    lacking = [] if waiting is None else [it for it in waiting.missing if it not in grant.scopes]
    if lacking:
        raise Failure(f"the User has not approved {' '.join(lacking)}")
    if waiting is None or not waiting.text:
        handle = None if waiting is None else waiting.conversation.handle
        return Reply(f"Signed in for: {' '.join(grant.scopes)}", handle)
    return agent.resend(agent, relation, waiting)
