"""Legal readings of requests, and legal replies (§4)."""

import asyncio
import secrets
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.provider.brand_agent import AgentFailedError, Reply, Turn
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.conversations import RUNNING, Conversation
from pact_conformance.counterpart.provider.message_rules import (
    MESSAGE,
    PART,
    REQUEST,
    Submission,
    contents_of,
)
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.rate import Rates
from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid
from pact_conformance.counterpart.substitution import (
    a2a_error,
    answer_rule,
    change_reply,
)
from pact_conformance.counterpart.variants.registry import variant
from pact_conformance.wire.media_types import JSON, essence
from pact_conformance.wire.text import ZERO_WIDTH, is_blank


@variant("2-request-a2a-json")
def answers_a2a_json_bodies_with_415(provider: Provider) -> None:
    """A body sent as application/a2a+json gets a plain 415."""
    original = provider.answers.error

    def error(refusal: A2ARefusal) -> Response:
        return Response(status_code=415) if refusal is unsupported else original(refusal)

    def check(content_type: str | None) -> None:
        if essence(content_type) not in ("", JSON):
            raise unsupported

    unsupported = invalid(f"The request body must be {JSON}")
    provider.check_content_type = check
    provider.answers.error = error


@variant("2-unknown-members")
def refuses_unknown_members(provider: Provider) -> None:
    """A request with an unknown member anywhere is refused."""

    def there_are_no_others(submission: Submission) -> None:
        others = [*(submission.document.keys() - REQUEST.keys())]
        others += submission.message.keys() - MESSAGE.keys()
        for part in submission.parts:
            others += part.keys() - PART.keys() - set(contents_of(part))
        if others:
            raise invalid(f"Unknown member {others[0]}")

    provider.rules.add(there_are_no_others, before="some_text_is_not_blank")


@variant()
def answers_big_bodies_with_413(provider: Provider) -> None:
    """A request body of more than 64 KiB gets a plain 413."""
    original = provider.answers.error

    def error(refusal: A2ARefusal) -> Response:
        too_long = refusal.message.startswith("The request body is longer")
        return Response(status_code=413) if too_long else original(refusal)

    provider.answers.error = error
    provider.config = replace(provider.config, max_body=1 << 16)


@variant()
def takes_zero_width_text_for_blank(provider: Provider) -> None:
    """Text of zero-width characters alone is refused as blank."""

    def some_text_is_seen(submission: Submission) -> None:
        hidden = dict.fromkeys(map(ord, ZERO_WIDTH))
        if all(is_blank(part["text"].translate(hidden)) for part in submission.parts):
            raise invalid("message.parts has no text that can be seen")

    provider.rules.replace("some_text_is_not_blank", some_text_is_seen)


@variant("4.1-blank-beside-text")
def refuses_each_blank_part(provider: Provider) -> None:
    """A blank part beside good text is refused."""

    def no_text_is_blank(submission: Submission) -> None:
        if not submission.parts or any(is_blank(part["text"]) for part in submission.parts):
            raise invalid("A part is blank")

    provider.rules.replace("some_text_is_not_blank", no_text_is_blank)


@variant()
def looks_at_parts_before_the_role(provider: Provider) -> None:
    """Of several faults in a message, those of the parts are named first."""
    for name in ("parts_are_text", "some_text_is_not_blank"):
        provider.rules.move(name, before="message_id_is_given")


@variant("4.1-part-kinds-alone")
def refuses_other_parts_alone_as_having_no_text(provider: Provider) -> None:
    """A message whose only part is no text gets INVALID_PARAMS."""

    def there_is_text(submission: Submission) -> None:
        if not any("text" in contents_of(part) for part in submission.parts):
            raise invalid("message.parts has no text")

    provider.rules.add(there_is_text, before="parts_are_text")


@variant()
def takes_an_empty_task_for_a_task(provider: Provider) -> None:
    """A taskId that is empty or null gets TASK_NOT_FOUND."""

    def task_is_absent(submission: Submission) -> None:
        if "taskId" in submission.message:
            raise A2ARefusal("TASK_NOT_FOUND", "There is no such task")

    provider.rules.replace("task_is_absent", task_is_absent)


@variant()
def takes_an_empty_context_for_a_context(provider: Provider) -> None:
    """A contextId that is empty or null gets INVALID_PARAMS."""

    def context_is_not_empty(submission: Submission) -> None:
        if submission.message.get("contextId", "given") in ("", None):
            raise invalid("Unknown contextId")

    provider.rules.add(context_is_not_empty)


@variant()
def reads_roles_as_numbers(provider: Provider) -> None:
    """The role 1 is ROLE_USER (ProtoJSON)."""

    def role_is_named(submission: Submission) -> None:
        role = submission.message.get("role")
        if isinstance(role, int) and not isinstance(role, bool) and role == 1:
            submission.message["role"] = "ROLE_USER"

    provider.rules.add(role_is_named, before="message_has_its_shape")


@variant()
def refuses_push_configs_in_a_message(provider: Provider) -> None:
    """A request that configures push notifications gets PUSH_NOTIFICATION_NOT_SUPPORTED."""

    def no_push_config(submission: Submission) -> None:
        configuration = submission.document.get("configuration") or {}
        if configuration.get("taskPushNotificationConfig"):
            raise A2ARefusal("PUSH_NOTIFICATION_NOT_SUPPORTED", "No push notifications")

    provider.rules.add(no_push_config)


@variant()
def refuses_text_of_another_media_type(provider: Provider) -> None:
    """A text part that says it is no plain text gets CONTENT_TYPE_NOT_SUPPORTED."""

    def text_is_plain(submission: Submission) -> None:
        for part in submission.parts:
            if essence(part.get("mediaType")) not in ("", "text/plain"):
                raise A2ARefusal("CONTENT_TYPE_NOT_SUPPORTED", "Only plain text")

    provider.rules.add(text_is_plain)


@variant()
def takes_two_contents_for_another_kind(provider: Provider) -> None:
    """A part with two contents gets CONTENT_TYPE_NOT_SUPPORTED."""
    check = provider.rules["parts_have_their_shape"]

    def parts_have_one_content(submission: Submission) -> None:
        if any(len(contents_of(part)) > 1 for part in submission.parts):
            raise A2ARefusal("CONTENT_TYPE_NOT_SUPPORTED", "More than one content")
        check(submission)

    provider.rules.replace("parts_have_their_shape", parts_have_one_content)


@variant("4.1-message-id")
def takes_the_empty_text_for_an_id(provider: Provider) -> None:
    """An empty messageId is served."""

    def message_id_is_there(submission: Submission) -> None:
        if submission.message.get("messageId") is None:
            raise invalid("message.messageId is missing")

    provider.rules.replace("message_id_is_given", message_id_is_there)


# Contexts and replies


@variant()
def mints_long_contexts_with_slashes(provider: Provider) -> None:
    """A contextId is long and has slashes, colons, percent signs and characters beyond ASCII."""
    provider.conduct.mint = lambda: f"conv/é ü:%2F/{secrets.token_urlsafe(48)}=={'x' * 150}"


@variant()
def mints_contexts_that_look_like_numbers(provider: Provider) -> None:
    """A contextId is a string of random digits."""
    provider.conduct.mint = lambda: str(secrets.randbelow(10**18) + 10**18)


@variant()
def mints_short_contexts(provider: Provider) -> None:
    """A contextId has ten characters."""
    provider.conduct.mint = lambda: secrets.token_hex(5)


@variant()
def replies_with_further_members(provider: Provider) -> None:
    """A reply has metadata, extensions, several parts and members that A2A does not know."""

    def change(answer: dict[str, Any]) -> None:
        answer["message"]["metadata"] = {"latency": 1.5, "model": None}
        answer["message"]["extensions"] = ["https://ext.example/1"]
        answer["message"]["parts"] += [{"text": "\u200b🦆"}, {"data": {"order": [1, 2]}}]
        answer["message"]["x-more"] = answer["x-more"] = []

    change_reply(provider, change)


@variant()
def replies_with_numbered_ids(provider: Provider) -> None:
    """The messageId of a reply is a number in a string."""
    change_reply(
        provider,
        lambda answer: answer["message"].update(messageId=str(secrets.randbelow(10**9))),
    )


@variant()
def takes_its_time_for_each_reply(provider: Provider) -> None:
    """A reply takes 300 ms."""
    agent = provider.brand_agent

    async def slow(turn: Turn) -> Reply:
        await asyncio.sleep(0.3)
        return await agent(turn)

    provider.brand_agent = slow


@variant()
def keeps_the_id_of_a_failed_message(provider: Provider) -> None:
    """A message whose run failed is refused when it is repeated in its conversation."""
    agent, check = provider.brand_agent, provider.conduct.stored_answer
    failed: set[tuple[str, str]] = set()
    asked: dict[str, tuple[str, str]] = {}

    def stored(conversation: Conversation, submission: Submission) -> object:
        key = (conversation.id, submission.message_id)
        if key in failed:
            raise invalid("This messageId was used before")
        asked[submission.text] = key
        return check(conversation, submission)

    async def brand_agent(turn: Turn) -> Reply:
        try:
            return await agent(turn)
        except AgentFailedError:
            failed.add(asked[turn.text])
            raise

    provider.conduct.stored_answer = stored
    provider.brand_agent = brand_agent


@variant()
def refuses_repeats_in_a_closed_conversation(provider: Provider) -> None:
    """A repeated message in a closed conversation gets UNSUPPORTED_OPERATION."""
    check = provider.conduct.stored_answer

    def stored(conversation: Conversation, submission: Submission) -> object:
        provider.conduct.check_is_open(conversation)
        return check(conversation, submission)

    provider.conduct.stored_answer = stored


async def _finished(conversation: Conversation, message_id: str) -> None:
    while conversation.replies.get(message_id) is RUNNING:  # noqa: ASYNC110 - own memory
        await asyncio.sleep(0.01)


@variant("4.3-still-running")
def waits_for_the_running_reply(provider: Provider) -> None:
    """A message repeated while the first is being answered waits for that answer."""
    serve = provider.operations["send"].handle

    async def handle(provider: Provider, call: Call) -> Response:
        await call.request.body()
        submission = await provider.read_submission(provider, call)
        conversation = provider.conversations.get(submission.context_id or "")
        if conversation is not None:
            await _finished(conversation, submission.message_id)
        return await serve(provider, call)

    provider.operations.handle("send", handle)


@variant("4.3-first-message")
def recognises_a_first_message(provider: Provider) -> None:
    """A first message that is sent again without context gets its stored reply."""
    find = provider.conduct.conversation
    firsts: dict[object, Conversation] = {}

    def conversation(provider: Provider, submission: Submission, owner: object) -> Conversation:
        if submission.context_id is not None:
            return find(provider, submission, owner)
        key = (owner, submission.message_id)
        known = firsts.get(key)
        if known is None or submission.message_id not in known.replies:
            firsts[key] = find(provider, submission, owner)
        return firsts[key]

    provider.conduct.conversation = conversation


@variant()
def limits_the_rate(provider: Provider) -> None:
    """The 17th request of a User within a second gets 429 with Retry-After."""
    provider.rates = Rates(user=16)


@variant()
def limits_the_rate_of_an_agent(provider: Provider) -> None:
    """The 101st request of a personal agent within a second gets 429 with Retry-After."""
    provider.rates = Rates(agent=100)


@variant()
def refuses_bad_json_in_few_words(provider: Provider) -> None:
    """A body that is no JSON is refused with an empty message."""
    answer_rule(provider, "body_is_json", lambda: a2a_error("INVALID_PARAMS"))
