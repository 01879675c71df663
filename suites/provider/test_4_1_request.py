"""§4.1 Request: what a message must be, and the error for each way not to be it.

The bodies are data, one rule broken in each: `fixtures/bodies`. They are sent as the User of a
conversation of the suite's own, with a good token, and none of them becomes a turn at a Provider
that validates.
"""

import pytest

from pact_conformance import expect
from pact_conformance.rig import Rig, requirement, shaped
from pact_conformance.subject.provider import Provider
from pact_conformance.wire.bodies import Body
from pact_conformance.wire.messages import new_id

from .conversations import Turn


@shaped(
    "4.1-role",
    "4.1-parts",
    "4.1-blank-text",
    "4.1-part-kinds-mixed",
    "4.1-part-kinds-alone",
    "4.1-message-id",
    "4.1-body",
)
def test_a_message_of_the_wrong_form_is_refused(
    pact_rig: Rig, provider: Provider, opening: Turn, body: Body
) -> None:
    opening.must_be_served()
    pact_rig.bought.spare(body.requirement[0])

    answer = provider.send(
        content=body.render(new_id(), request=provider.tenant),
        user=provider.probing_user(),
        turn=body.may_take_a_turn,
    )
    if body.may_take_a_turn and answer.is_success:
        expect.warn(f"served: {body.comment}")
        return

    pact_rig.bought.count(body.requirement[0], answer)
    expect.a2a_error(answer, *body.reasons, warned=body.accepts_warn)


@requirement("4.1-task-id")
@pytest.mark.parametrize("context", ["none", "own"])
def test_a_message_that_names_a_task_is_refused(
    provider: Provider, opening: Turn, context: str
) -> None:
    opening.must_be_served()

    answer = provider.send(
        user=opening.user,
        context_id=opening.context_id if context == "own" else None,
        message={"taskId": new_id("t")},
        turn=False,
    )

    expect.a2a_error(answer, "TASK_NOT_FOUND")


@requirement("4.1-minimal-message")
def test_the_minimal_message_is_served(opening: Turn) -> None:
    expect.served(opening.answer)


@requirement("4.1-optional-members")
def test_a_message_with_optional_members_is_served(optional_members: Turn) -> None:
    expect.served(optional_members.answer)


@requirement("4.1-configuration")
def test_a_message_with_a_configuration_is_served(configured: Turn) -> None:
    expect.served(configured.answer)


@requirement("4.1-configuration")
def test_a_reply_stays_synchronous_though_asked_to_return_at_once(
    returning_immediately: Turn,
) -> None:
    expect.served(returning_immediately.answer)
    body = returning_immediately.answer.json
    if isinstance(body, dict) and "task" in body and "message" not in body:
        expect.warn("a Task for returnImmediately: §4.2 wants a synchronous reply")


@requirement("4.1-blank-beside-text")
def test_a_blank_part_beside_text_is_served(blank_beside_text: Turn) -> None:
    expect.served(blank_beside_text.answer)
