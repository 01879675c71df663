"""Agents that get §5.5 wrong: the header, and what a refused delegation token means."""

from typing import Any

from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.answers import Unauthorized
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.turns import Said, Turn


@agent_flaw(
    "5.5-agent-both-tokens",
    "3.2-agent-signature",
    "3.2-agent-kid",
    "3.2-agent-iss",
    "3.2-agent-aud",
    "3.2-agent-lifetime",
)
def puts_the_delegation_token_into_authorization(agent: PersonalAgent) -> None:
    """The delegation token takes the place of the JWT, as OAuth libraries have it."""
    authorization = agent.message_headers["Authorization"]
    agent.message_headers["Authorization"] = lambda agent, draft: (
        agent.delegation.header(draft) or authorization(agent, draft)
    )
    del agent.message_headers["X-A2A-User-Delegation"]


@agent_flaw("5.5-agent-both-tokens")
def sends_the_delegation_token_without_a_scheme(agent: PersonalAgent) -> None:
    """The delegation token stands in its header without `Bearer`."""
    header = agent.delegation.header
    agent.delegation.header = lambda draft: (header(draft) or "").removeprefix("Bearer ") or None


@agent_flaw("5.5-agent-both-tokens")
def sends_the_delegation_token_in_the_body(agent: PersonalAgent) -> None:
    """The delegation token is in the metadata of the message."""
    del agent.message_headers["X-A2A-User-Delegation"]
    agent.message_members["metadata"] = lambda agent, draft: (
        {"delegation": agent.delegation.header(draft)} if draft.grant else None
    )


@agent_flaw("5.5-agent-delegation-refused")
def sends_a_refused_token_again_and_again(agent: PersonalAgent) -> None:
    """A refused delegation token is kept, and sent with every further message."""

    def kept(agent: PersonalAgent, turn: Turn, draft: Draft) -> Said:
        del agent, turn, draft
        raise Failure("the Brand does not take the delegation token")

    agent.delegation.renew_refused = kept


@agent_flaw("5.5-agent-delegation-refused")
def throws_a_grant_away_at_any_401(agent: PersonalAgent) -> None:
    """A plain 401 too makes it forget the grant."""
    reaction = agent.reactions[Unauthorized]

    def dropped(agent: PersonalAgent, turn: Turn, draft: Draft, outcome: Any) -> Said:  # noqa: ANN401
        if not outcome.invalid_token:
            agent.delegation.drop(agent, turn.relation)
        return reaction(agent, turn, draft, outcome)

    agent.reactions[Unauthorized] = dropped
