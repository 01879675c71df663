"""Agents that get §4.1 wrong: what a message is."""

import itertools
from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import replace

from pact_conformance.counterpart.flaws.agent_requests import before_each_turn
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.turns import Turn

PHOTO = {"url": "https://agent.example/uploads/1.jpg", "mediaType": "image/jpeg"}


@agent_flaw("4.1-agent-message", "2-agent-http-json")
def writes_metadata_as_a_text(agent: PersonalAgent) -> None:
    """The message's `metadata` is a text and no object."""
    agent.message_members["metadata"] = lambda _agent, _draft: "channel=chat"


@agent_flaw("4.1-agent-message", "4.1-agent-text", "2-agent-http-json")
def writes_parts_of_version_0_3(agent: PersonalAgent) -> None:
    """Parts have a `type`, and hold their text in an object, as early versions had it."""
    agent.message_members["parts"] = lambda _agent, draft: [
        {"type": "text", "text": {"value": draft.text}}
    ]


@agent_flaw("4.1-agent-role")
def speaks_as_an_agent(agent: PersonalAgent) -> None:
    """Messages have the role ROLE_AGENT, since an agent speaks."""
    agent.message_members["role"] = lambda _agent, _draft: "ROLE_AGENT"


@agent_flaw("4.1-agent-role")
def speaks_as_an_agent_in_its_own_words(agent: PersonalAgent) -> None:
    """The role is ROLE_AGENT in all messages but the first of a conversation."""
    agent.message_members["role"] = lambda _agent, draft: (
        "ROLE_USER" if draft.context_id is None else "ROLE_AGENT"
    )


@agent_flaw("4.1-agent-text")
def opens_with_an_empty_greeting(agent: PersonalAgent) -> None:
    """A message without any text goes before the first one of a conversation."""

    def greet(turn: Turn) -> None:
        if turn.conversation.context_id is None:
            draft = agent.draft(agent, turn.relation, turn.conversation, "", None)
            agent.deliver(agent, draft)

    before_each_turn(agent, greet)


@agent_flaw("4.1-agent-text")
def asks_whether_somebody_is_there(agent: PersonalAgent) -> None:
    """A message with a space as its text goes before each turn."""

    def nudge(turn: Turn) -> None:
        draft = agent.draft(agent, turn.relation, turn.conversation, " ", None)
        agent.deliver(agent, draft)

    before_each_turn(agent, nudge)


@agent_flaw("4.1-agent-text-only")
def sends_a_picture_along(agent: PersonalAgent) -> None:
    """Each message has a picture of the User beside the text."""
    agent.message_members["parts"] = lambda _agent, draft: [{"text": draft.text}, PHOTO]


@agent_flaw("4.1-agent-text-only")
def sends_what_it_knows_as_data(agent: PersonalAgent) -> None:
    """The first message of a conversation has the User's locale as a part of data."""
    agent.message_members["parts"] = lambda _agent, draft: [
        {"text": draft.text},
        *([{"data": {"locale": "en-GB"}}] if draft.context_id is None else []),
    ]


@agent_flaw("4.1-agent-no-task-id")
def takes_a_conversation_for_a_task(agent: PersonalAgent) -> None:
    """In a conversation the message names a task of the conversation's id, as an SDK had it."""
    agent.message_members["taskId"] = lambda _agent, draft: draft.context_id


@agent_flaw("4.1-agent-message-id-unique")
def counts_its_messages_from_one_in_each_process(agent: PersonalAgent) -> None:
    """The id of a message is its number, and the count begins anew with each start."""
    numbers = itertools.count(1)
    agent.mint_message_id = lambda: f"m-{next(numbers)}"


@agent_flaw("4.1-agent-message-id-unique")
def names_the_messages_of_a_conversation_alike(agent: PersonalAgent) -> None:
    """All messages of a conversation have its handle as their id."""
    draft = agent.draft
    agent.draft = lambda *about: _named(draft(*about))


@agent_flaw("4.1-agent-message-id-unique")
def counts_its_messages_up_to_two(agent: PersonalAgent) -> None:
    """Ids are numbers from one to two, over and over."""
    numbers: defaultdict[Hashable, Iterator[int]] = defaultdict(lambda: itertools.cycle((1, 2)))
    draft = agent.draft

    def numbered(draft: Draft) -> Draft:
        return replace(draft, message_id=f"m-{next(numbers[_conversation(draft)])}")

    agent.draft = lambda *about: numbered(draft(*about))


def _named(draft: Draft) -> Draft:
    return replace(draft, message_id=draft.conversation.handle)


def _conversation(draft: Draft) -> Hashable:
    return (*draft.relation.key, draft.conversation.handle)
