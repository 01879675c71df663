"""Subtle flaws of §4 and §6: what an agent takes for a reply, and what it keeps of one."""

from collections.abc import Mapping
from typing import Any

from pact_conformance.counterpart.flaws.registry import subtle_agent_flaw
from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.answers import Outcome, Replied
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.transport import Answer
from pact_conformance.counterpart.personal_agent.turns import Turn


@subtle_agent_flaw(
    "2.2-agent-unknown-brand", "3.4-agent-401", "6-agent-plain-errors", "6-agent-errors"
)
def takes_a_message_whatever_the_status(agent: PersonalAgent) -> None:
    """A whole Message is the Brand's reply, whatever the status beside it."""
    read_outcome = agent.read_outcome

    def read(agent: PersonalAgent, answer: Answer) -> Outcome:
        message = documents.member(agent.read_document(answer), "message")
        return Replied(message) if agent.is_reply(message) else read_outcome(agent, answer)

    agent.read_outcome = read


@subtle_agent_flaw("4.2-agent-context-opaque")
def strips_the_blanks_of_a_context_id(agent: PersonalAgent) -> None:
    """White space at the ends of a `contextId` is dropped."""
    keep = agent.keep_context

    def stripped(_agent: PersonalAgent, turn: Turn, context_id: str | None) -> None:
        keep(_agent, turn, None if context_id is None else context_id.strip())

    agent.keep_context = stripped


@subtle_agent_flaw("4.2-agent-closed")
def reads_no_reason_beside_an_empty_message(agent: PersonalAgent) -> None:
    """An error counts as one without a reason where its message is empty."""
    read_reason = agent.read_reason

    def read(error: Mapping[str, Any]) -> str | None:
        return read_reason(error) if documents.text(error, "message") else None

    agent.read_reason = read
