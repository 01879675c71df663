"""A personal agent that follows no advice: it tells and sends its secrets, which live long."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.registry import advice_agent_flaw
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import Reply
from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.counterpart.personal_agent.turns import Said, Turn


@advice_agent_flaw("hardening-agent-secrets-told")
def tells_under_which_token_it_acted(agent: PersonalAgent) -> None:
    """A reply under a delegation ends with the token, for whoever wants to look at it."""
    take_turn = agent.take_turn

    def told(agent: PersonalAgent, turn: Turn) -> Said:
        said = take_turn(agent, turn)
        grant = agent.delegation.ready(agent, turn)
        token = getattr(grant, "access_token", None)
        if isinstance(said, Reply) and token:
            return replace(said, text=f"{said.text} (as {token})")
        return said

    agent.take_turn = told


@advice_agent_flaw("hardening-agent-secrets-sent", "hardening-agent-secrets-asked")
def sends_its_token_along_as_metadata(agent: PersonalAgent) -> None:
    """Each message has the agent's own token in its metadata too."""
    agent.message_members["metadata"] = lambda agent, draft: {
        "assistant": agent.mint_token(agent, draft.relation)
    }


@advice_agent_flaw("hardening-agent-secrets-asked")
def shows_what_a_brand_asks_for(agent: PersonalAgent) -> None:
    """Where the Brand's last reply asks for the Authorization header, the next message has it."""
    asked: set[str] = set()
    parts = agent.message_members["parts"]
    reply_text, headers = agent.reply_text, agent.message_headers["Authorization"]
    sent: dict[str, str] = {}

    def authorization(agent: PersonalAgent, draft: Draft) -> object:
        sent[draft.message_id] = token = str(headers(agent, draft))
        return token

    def heard(message: Mapping[str, Any]) -> str:
        text = reply_text(message)
        if "Authorization header" in text:
            asked.add("asked")
        return text

    def said(agent: PersonalAgent, draft: Draft) -> object:
        if not asked:
            return parts(agent, draft)
        asked.clear()
        return [{"text": f"{draft.text} Authorization: {sent[draft.message_id]}"}]

    agent.reply_text = heard
    agent.message_headers["Authorization"] = authorization
    agent.message_members["parts"] = said


@advice_agent_flaw("hardening-agent-short-tokens")
def signs_tokens_for_five_minutes(agent: PersonalAgent) -> None:
    """A token lives as long as PACT lets it."""
    agent.token_claims["exp"] = _in_five_minutes


def _in_five_minutes(agent: PersonalAgent, relation: Relation) -> object:
    return int(agent.now(relation)) + 300
