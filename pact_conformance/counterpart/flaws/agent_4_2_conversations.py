"""Agents that get §4.2 wrong: conversations, and what a reply is."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from uuid import uuid4

from pact_conformance.counterpart.flaws.agent_requests import (
    ENDLESS,
    ask,
    below,
    read_as_reply,
)
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.answers import Failed, Outcome, Refused, Replied
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.counterpart.personal_agent.transport import Answer
from pact_conformance.counterpart.personal_agent.turns import Said, Turn


@agent_flaw("4.2-agent-new-conversation")
def makes_up_the_id_of_a_conversation(agent: PersonalAgent) -> None:
    """A conversation begins with a `contextId` of the agent's own, as A2A lets clients choose."""
    agent.context_of = lambda *about: about[2].context_id or str(uuid4())


@agent_flaw("4.2-agent-new-conversation")
def tries_the_handle_of_a_conversation_first(agent: PersonalAgent) -> None:
    """A conversation begins with the agent's own handle as `contextId`, and then without it."""
    deliver = agent.deliver

    def tried(agent: PersonalAgent, draft: Draft) -> Outcome:
        if draft.context_id is None:
            own = replace(
                draft, message_id=agent.mint_message_id(), context_id=draft.conversation.handle
            )
            agent.exchange(agent, draft.relation, lambda: agent.message_request(agent, own))
        return deliver(agent, draft)

    agent.deliver = tried


@agent_flaw("4.2-agent-continues")
def starts_anew_with_each_turn(agent: PersonalAgent) -> None:
    """No `contextId` is kept."""
    agent.keep_context = lambda *_: None


@agent_flaw("4.2-agent-continues")
def names_the_conversation_beside_the_message(agent: PersonalAgent) -> None:
    """The `contextId` stands in the request, and not in its message."""
    agent.request_members["contextId"] = agent.message_members.pop("contextId")


@agent_flaw("4.2-agent-context-opaque")
def keeps_a_context_id_in_lower_case(agent: PersonalAgent) -> None:
    """A `contextId` is kept in lower case, as a column for UUIDs does it."""
    _change_context(agent, str.lower)


@agent_flaw("4.2-agent-context-opaque")
def cuts_a_context_id(agent: PersonalAgent) -> None:
    """Of a `contextId` 64 characters are kept."""
    _change_context(agent, lambda context_id: context_id[:64])


@agent_flaw("4.2-agent-context-opaque")
def takes_a_context_id_for_a_word(agent: PersonalAgent) -> None:
    """Of a `contextId` only letters, digits, hyphens and underscores are kept."""
    _change_context(
        agent, lambda context_id: "".join(it for it in context_id if it.isalnum() or it in "-_")
    )


@agent_flaw("4.2-agent-context-per-user")
def keeps_one_conversation_for_each_brand(agent: PersonalAgent) -> None:
    """All Users of a Brand share its last `contextId`."""
    _share_context(agent, lambda relation: relation.brand.handle)


@agent_flaw("4.2-agent-context-per-brand")
def keeps_one_conversation_for_each_user(agent: PersonalAgent) -> None:
    """A User's last `contextId` is sent to every Brand."""
    _share_context(agent, lambda relation: relation.user.id)


@agent_flaw("4.2-agent-reply")
def waits_for_a_task(agent: PersonalAgent) -> None:
    """After each reply its task is looked for, three times."""
    reaction = agent.reactions[Replied]

    def take(agent: PersonalAgent, turn: Turn, draft: Draft, outcome: Replied) -> Said:
        for _ in range(3):
            ask(agent, turn.relation, "GET", below(turn.relation, f"tasks/{draft.message_id}"))
            agent.sleep(turn.relation, 1.0)
        return reaction(agent, turn, draft, outcome)

    agent.reactions[Replied] = take


@agent_flaw("4.2-agent-reply")
def wants_a_reply_of_one_part(agent: PersonalAgent) -> None:
    """A reply of several parts is taken for none."""
    is_reply = agent.is_reply

    def single(message: object) -> bool:
        parts = message.get("parts") if isinstance(message, Mapping) else None
        return is_reply(message) and isinstance(parts, list) and len(parts) == 1

    agent.is_reply = single


@agent_flaw("4.2-agent-reply")
def knows_no_extensions_of_a_message(agent: PersonalAgent) -> None:
    """A reply that names extensions, even none, is refused by a model of an older A2A."""
    is_reply = agent.is_reply
    agent.is_reply = lambda message: (
        is_reply(message) and isinstance(message, Mapping) and "extensions" not in message
    )


@agent_flaw("4.2-agent-reply")
def wants_text_alone_in_a_reply(agent: PersonalAgent) -> None:
    """A reply that has a part without a text is taken for none."""
    is_reply = agent.is_reply

    def is_text(message: object) -> bool:
        parts = message.get("parts") if isinstance(message, Mapping) else None
        return is_reply(message) and all("text" in it for it in parts or [])

    agent.is_reply = is_text


@agent_flaw("4.2-agent-no-reply")
def shows_whatever_comes_with_200(agent: PersonalAgent) -> None:
    """With status 200 a body that is no Message is shown as what the Brand has said."""

    def shown(answer: Answer) -> str | None:
        if answer.status != 200 or is_known(agent.read_document(answer)):
            return None
        return answer.body.decode(errors="replace")

    def is_known(document: object) -> bool:
        return isinstance(document, Mapping) and bool(document.keys() & {"message", "task"})

    read_as_reply(agent, shown)


@agent_flaw("4.2-agent-no-reply")
def ends_a_turn_in_silence_when_there_is_no_message(agent: PersonalAgent) -> None:
    """With status 200 a body that is no Message ends the turn with an empty reply."""
    read_result = agent.read_result

    def read(agent: PersonalAgent, document: object) -> Outcome:
        outcome = read_result(agent, document)
        nothing = {"role": "ROLE_AGENT", "parts": [{"text": ""}]}
        return Replied(nothing) if isinstance(outcome, Failed) else outcome

    agent.read_result = read


@agent_flaw("4.2-agent-reply")
def takes_a_message_for_a_notice(agent: PersonalAgent) -> None:
    """A Message is only taken for a notice that a task will follow."""
    read_result = agent.read_result

    def read(agent: PersonalAgent, document: object) -> Outcome:
        outcome = read_result(agent, document)
        return Failed("the task is not done yet") if isinstance(outcome, Replied) else outcome

    agent.read_result = read


@agent_flaw("4.2-agent-closed")
def never_leaves_a_closed_conversation(agent: PersonalAgent) -> None:
    """The error of a closed conversation is shown at each further turn."""
    agent.reasons.clear()


@agent_flaw("4.2-agent-closed", "6-agent-errors")
def knocks_at_a_closed_conversation(agent: PersonalAgent) -> None:
    """A message to a closed conversation is sent on and on, and the turn given up then."""

    def knock(agent: PersonalAgent, turn: Turn, draft: Draft, outcome: Refused) -> Said:
        for _ in range(ENDLESS):
            agent.deliver(agent, draft)
        raise Failure(f"the conversation of {turn.conversation.handle} is closed: {outcome.reason}")

    agent.reasons["UNSUPPORTED_OPERATION"] = knock


def _change_context(agent: PersonalAgent, change: Callable[[str], str]) -> None:
    """Keep each `contextId` in another form."""
    keep_context = agent.keep_context

    def keep(_agent: PersonalAgent, turn: Turn, context_id: str | None) -> None:
        keep_context(agent, turn, None if context_id is None else change(context_id))

    agent.keep_context = keep


def _share_context(agent: PersonalAgent, whose: Callable[[Relation], Hashable]) -> None:
    """Keep one `contextId` for whatever `whose` names."""
    shared: dict[Hashable, str] = {}

    def keep(_agent: PersonalAgent, turn: Turn, context_id: str | None) -> None:
        if context_id is not None:
            shared[whose(turn.relation)] = context_id

    def drop(_agent: PersonalAgent, turn: Turn) -> None:
        shared.pop(whose(turn.relation), None)

    agent.context_of = lambda *about: shared.get(whose(about[1]))
    agent.keep_context = keep
    agent.drop_context = drop
