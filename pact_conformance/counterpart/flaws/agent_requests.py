"""What flaws and variants of several sections do to a personal agent, in one line each."""

from collections.abc import Callable
from dataclasses import replace

from pact_conformance.counterpart.personal_agent.answers import Outcome, Replied
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.counterpart.personal_agent.transport import Answer, Request
from pact_conformance.counterpart.personal_agent.turns import Said, Turn

ENDLESS = 60
"""How often is done what a real agent would do for ever."""


def before_each_turn(agent: PersonalAgent, do: Callable[[Turn], object]) -> None:
    """Do something before each turn; a Failure that it raises ends the turn."""
    take_turn = agent.take_turn

    def prepared(agent: PersonalAgent, turn: Turn) -> Said:
        do(turn)
        return take_turn(agent, turn)

    agent.take_turn = prepared


def ask(agent: PersonalAgent, relation: Relation, method: str, url: str) -> Answer | None:
    """Send a request with a fresh token; None where no answer comes."""
    headers = (
        ("Authorization", f"Bearer {agent.mint_token(agent, relation)}"),
        ("A2A-Version", "1.0"),
    )
    try:
        return agent.transport.send(Request(method, url, headers))
    except Failure:
        return None


def below(relation: Relation, path: str) -> str:
    """Return a URL below the interface."""
    return f"{relation.brand.interface.url.rstrip('/')}/{path}"


def change_text(agent: PersonalAgent, change: Callable[[str], str]) -> None:
    """Let `change` work on each text before it is sent."""
    draft = agent.draft
    agent.draft = lambda *about: _changed(draft(*about), change)


def read_as_reply(agent: PersonalAgent, text: Callable[[Answer], str | None]) -> None:
    """Take an answer for the Brand's reply where `text` returns one."""
    read_outcome = agent.read_outcome

    def read(agent: PersonalAgent, answer: Answer) -> Outcome:
        shown = text(answer)
        if shown is None:
            return read_outcome(agent, answer)
        return Replied({"role": "ROLE_AGENT", "parts": [{"text": shown}]})

    agent.read_outcome = read


def _changed(draft: Draft, change: Callable[[str], str]) -> Draft:
    return replace(draft, text=change(draft.text))
