"""Agents that get §4.3 wrong: sending again."""

from dataclasses import replace

from pact_conformance.counterpart.flaws.agent_requests import ENDLESS
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent


@agent_flaw("4.3-agent-same-id")
def names_a_message_anew_when_it_is_sent_again(agent: PersonalAgent) -> None:
    """The retry of the HTTP client is around the code that makes the id."""

    def again(_agent: PersonalAgent, draft: Draft) -> Draft:
        return replace(draft, message_id=agent.mint_message_id())

    agent.redraft = again


@agent_flaw("4.3-agent-same-id")
def begins_a_conversation_when_an_answer_is_lost(agent: PersonalAgent) -> None:
    """A message whose answer was lost is sent again without its `contextId`."""
    agent.redraft = lambda *about: replace(about[1], context_id=None)


@agent_flaw("4.3-agent-same-id", "4.1-agent-message-id-unique")
def says_that_it_sends_again(agent: PersonalAgent) -> None:
    """A message whose answer was lost is sent again with other words, under the same id."""
    agent.redraft = lambda *about: replace(about[1], text=f"{about[1].text} (sent again)")


@agent_flaw("4.3-agent-bounded")
def tries_again_without_end(agent: PersonalAgent) -> None:
    """While a retry is refused it is sent again at once, on and on."""
    agent.retries.running = (0.0,) * ENDLESS


@agent_flaw("4.3-agent-bounded")
def tries_again_once_a_second_without_end(agent: PersonalAgent) -> None:
    """While a retry is refused it is sent again each second, on and on."""
    agent.retries.running = (1.0,) * ENDLESS
