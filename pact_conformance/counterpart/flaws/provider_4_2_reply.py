"""Flaws of §4.2: the reply to an ordinary message."""

import asyncio
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.brand_agent import Reply, Turn
from pact_conformance.counterpart.provider.conversations import Conversation, Owner
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.substitution import (
    TASK,
    Document,
    a2a,
    change_list,
    change_reply,
)


@flaw("4.2-reply")
def replies_as_the_user(provider: Provider) -> None:
    """A reply has ROLE_USER."""
    change_reply(provider, lambda answer: answer["message"].update(role="ROLE_USER"))


@flaw("2.2-send", "4.2-reply")
def replies_with_the_role_of_a2a_0_3(provider: Provider) -> None:
    """A reply has the role `agent`."""
    change_reply(provider, lambda answer: answer["message"].update(role="agent"))


@flaw("4.2-reply")
def replies_without_context(provider: Provider) -> None:
    """A reply has no contextId."""
    change_reply(provider, lambda answer: _drop(answer["message"], "contextId"))


@flaw("4.2-reply")
def replies_with_an_empty_context(provider: Provider) -> None:
    """A reply has the empty string as contextId."""
    change_reply(provider, lambda answer: answer["message"].update(contextId=""))


@flaw("4.2-reply", "2.2-send")
def replies_without_message_id(provider: Provider) -> None:
    """A reply has no messageId."""
    change_reply(provider, lambda answer: _drop(answer["message"], "messageId"))


@flaw("4.2-reply", "2.2-send")
def replies_without_parts(provider: Provider) -> None:
    """A reply has an empty array of parts."""
    change_reply(provider, lambda answer: answer["message"].update(parts=[]))


@flaw("4.2-reply", "2.2-send")
def replies_with_parts_of_a2a_0_3(provider: Provider) -> None:
    """The parts of a reply have a `kind`, and the text one level down."""
    parts = [{"kind": "text", "root": {"text": "Hello"}}]
    change_reply(provider, lambda answer: answer["message"].update(parts=parts))


def _drop(message: Document, name: str) -> None:
    del message[name]


def _task(conversation: Conversation, reply: Reply, state: str) -> Document:
    message: dict[str, Any] = {
        "messageId": f"r-{len(conversation.replies)}",
        "contextId": conversation.id,
        "role": "ROLE_AGENT",
        "parts": [{"text": reply.text}],
    }
    status = {"state": state, "message": message}
    return {"task": TASK | {"contextId": conversation.id, "status": status}}


_NO_MESSAGE = ("4.2-no-task", "4.2-reply", "4.1-minimal-message", "4.2-context-continued")


@flaw(
    "4.1-configuration",
    "4.2-context-continued",
    "4.2-no-task",
    "4.2-owner-undisturbed",
    "4.2-reply",
    "4.2-synchronous",
)
def answers_with_a_completed_task(provider: Provider) -> None:
    """An ordinary message gets a completed task with the reply in it."""
    provider.conduct.answer = lambda talk, reply: _task(talk, reply, "TASK_STATE_COMPLETED")


@flaw(
    "4.1-configuration",
    "4.2-context-continued",
    "4.2-no-task",
    "4.2-owner-undisturbed",
    "4.2-reply",
    "4.2-synchronous",
)
def answers_with_a_task_to_poll(provider: Provider) -> None:
    """An ordinary message gets a task that is still working."""
    provider.conduct.answer = lambda talk, reply: _task(talk, reply, "TASK_STATE_WORKING")


@flaw("2.2-send", "4.2-reply")
def acknowledges_a_message_with_202(provider: Provider) -> None:
    """An ordinary message gets 202 and an empty object."""
    original = provider.answers.result

    def result(value: object) -> Response:
        is_reply = isinstance(value, dict) and "message" in value
        return a2a({}, 202) if is_reply else original(value)

    provider.answers.result = result


@flaw("4.2-no-task")
def names_a_task_in_each_reply(provider: Provider) -> None:
    """A reply has a taskId."""
    change_reply(provider, lambda answer: answer["message"].update(taskId="t-1"))


@flaw("4.2-no-task", "2.2-list-tasks")
def keeps_a_task_for_each_message(provider: Provider) -> None:
    """Each message leaves a completed task in the list of everybody's tasks."""
    tasks: list[Document] = []

    def change(answer: Document) -> None:
        tasks.append(TASK | {"id": f"t-{len(tasks)}", "contextId": answer["message"]["contextId"]})

    change_reply(provider, change)
    change_list(provider, lambda answer: answer.update(tasks=tasks[-50:], totalSize=len(tasks)))


@flaw("4.2-concurrent")
def mixes_up_replies_to_a_user_of_the_same_time(provider: Provider) -> None:
    """Of messages of a User that are answered at the same time, all get the contextId of one."""
    agent, answer = provider.brand_agent, provider.conduct.answer
    conversation_for = provider.conduct.conversation
    latest: dict[Owner, Conversation] = {}

    def conversation(provider: Provider, submission: Submission, owner: Owner) -> Conversation:
        found = conversation_for(provider, submission, owner)
        latest[owner] = found
        return found

    async def brand_agent(turn: Turn) -> Reply:
        # Long enough for messages of the same time to meet.
        await asyncio.sleep(0.05)
        return await agent(turn)

    def mixed(found: Conversation, reply: Reply) -> object:
        # The message that came last has overwritten what the others would have answered with.
        return answer(latest.get(found.owner, found), reply)

    provider.conduct.conversation = conversation
    provider.brand_agent = brand_agent
    provider.conduct.answer = mixed
