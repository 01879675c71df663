"""Agents that get §3.3 and §3.4 wrong: what they relay, and what a 401 is to them."""

import re

from pact_conformance.counterpart.flaws.agent_requests import ENDLESS, change_text, read_as_reply
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.answers import Outcome, Unauthorized
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import Reply
from pact_conformance.counterpart.personal_agent.transport import Answer
from pact_conformance.counterpart.personal_agent.turns import Said, Turn


@agent_flaw("3.3-agent-relays-answers")
def keeps_numbers_to_itself(agent: PersonalAgent) -> None:
    """A filter for personal data takes numbers out of what the User says."""
    change_text(agent, lambda text: re.sub(r"\w*\d\w*", "[redacted]", text))


@agent_flaw("3.3-agent-relays-answers")
def answers_in_place_of_its_user(agent: PersonalAgent) -> None:
    """Where the Brand has asked something, the agent says itself that it does not know."""
    take_turn = agent.take_turn
    asked: set[object] = set()

    def take(agent: PersonalAgent, turn: Turn) -> Said:
        key = (*turn.relation.key, turn.conversation.handle)
        if key in asked:
            turn.text = "I do not know that."
        said = take_turn(agent, turn)
        if isinstance(said, Reply) and said.text.rstrip().endswith("?"):
            asked.add(key)
        return said

    agent.take_turn = take


@agent_flaw("3.4-agent-401")
def shows_a_401_as_the_reply(agent: PersonalAgent) -> None:
    """The body of a 401 is shown as what the Brand has said."""

    def shown(answer: Answer) -> str | None:
        is_ours = answer.status == 401 and not agent.is_invalid_token(answer)
        return answer.body.decode(errors="replace") or "Unauthorized" if is_ours else None

    read_as_reply(agent, shown)


@agent_flaw("3.4-agent-401")
def tries_again_for_ever_after_a_401(agent: PersonalAgent) -> None:
    """A message that gets 401 is sent on and on."""
    deliver = agent.deliver

    def again(agent: PersonalAgent, draft: Draft) -> Outcome:
        outcome = deliver(agent, draft)
        for _ in range(ENDLESS):
            if not isinstance(outcome, Unauthorized) or outcome.invalid_token:
                break
            outcome = deliver(agent, draft)
        return outcome

    agent.deliver = again
