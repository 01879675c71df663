"""Flaws of §4.1: what a request must be."""

import json
from collections.abc import Callable

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.request_rules import (
    Message,
    refuse_as,
    refuse_if,
    repair,
    rewrite_body,
)
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.substitution import (
    SERVED_MESSAGES,
    TASK,
    a2a,
    a2a_error,
    answer_rule,
)

# What must be served


@flaw(*SERVED_MESSAGES)
def demands_metadata(provider: Provider) -> None:
    """A message without metadata, contextId or configuration is refused."""
    refuse_if(
        provider,
        lambda document: (
            not (
                {"metadata", "configuration"} & document.keys()
                or {"metadata", "extensions", "contextId"} & document["message"].keys()
            )
        ),
    )


@flaw("4.1-optional-members")
def refuses_metadata(provider: Provider) -> None:
    """A message with metadata is refused."""
    refuse_if(provider, lambda document: "metadata" in document["message"])


@flaw("4.1-configuration")
def refuses_a_configuration(provider: Provider) -> None:
    """A request with a configuration is refused."""
    refuse_if(provider, lambda document: "configuration" in document)


@flaw("4.1-configuration")
def refuses_accepted_output_modes(provider: Provider) -> None:
    """A request that names output modes is refused."""
    refuse_if(
        provider,
        lambda document: "acceptedOutputModes" in document.get("configuration", {}),
        "CONTENT_TYPE_NOT_SUPPORTED",
    )


@flaw("4.1-configuration")
def answers_with_a_task_when_asked_to_return_at_once(provider: Provider) -> None:
    """A request with returnImmediately gets a task to poll."""
    serve = provider.operations["send"].handle

    async def handle(provider: Provider, call: Call) -> Response:
        submission = await provider.read_submission(provider, call)
        configuration = submission.document.get("configuration") or {}
        if configuration.get("returnImmediately"):
            return a2a({"task": TASK | {"status": {"state": "TASK_STATE_WORKING"}}})
        return await serve(provider, call)

    async def read_once(provider: Provider, call: Call) -> Submission:
        await call.request.body()
        return await read(provider, call)

    read = provider.read_submission
    provider.read_submission = read_once
    provider.operations.handle("send", handle)


# role


def _take_role(provider: Provider, is_taken: Callable[[object], bool]) -> None:
    def change(message: Message) -> None:
        if is_taken(message.get("role")):
            message["role"] = "ROLE_USER"

    repair(provider, "role_is_user", change)


@flaw("4.1-role")
def accepts_messages_of_the_agent(provider: Provider) -> None:
    """A message with ROLE_AGENT is served."""
    _take_role(provider, lambda role: role == "ROLE_AGENT")


@flaw("4.1-role")
def accepts_messages_without_role(provider: Provider) -> None:
    """A message without role, or with ROLE_UNSPECIFIED, is served."""
    _take_role(provider, lambda role: role in (None, "ROLE_UNSPECIFIED"))


@flaw("4.1-role")
def accepts_the_role_of_a2a_0_3(provider: Provider) -> None:
    """A message with the role `user` is served."""
    _take_role(provider, lambda role: role == "user")


@flaw("4.1-role")
def accepts_any_role(provider: Provider) -> None:
    """The role is not looked at."""
    provider.rules.drop("role_is_user")


@flaw("4.1-role")
def refuses_a_wrong_role_as_unsupported(provider: Provider) -> None:
    """A wrong role gets UNSUPPORTED_OPERATION."""
    refuse_as(provider, "role_is_user", "UNSUPPORTED_OPERATION")


# taskId and messageId


@flaw("4.1-task-id")
def ignores_the_task_of_a_message(provider: Provider) -> None:
    """A message with a taskId is served."""
    provider.rules.drop("task_is_absent")


@flaw("4.1-task-id")
def refuses_the_task_of_a_message_as_invalid(provider: Provider) -> None:
    """A message with a taskId gets INVALID_PARAMS."""
    refuse_as(provider, "task_is_absent", "INVALID_PARAMS")


@flaw("4.1-task-id")
def refuses_the_task_of_a_message_as_unsupported(provider: Provider) -> None:
    """A message with a taskId gets UNSUPPORTED_OPERATION."""
    refuse_as(provider, "task_is_absent", "UNSUPPORTED_OPERATION")


@flaw("4.1-message-id")
def makes_up_a_missing_message_id(provider: Provider) -> None:
    """A message without messageId is served."""

    def change(message: Message) -> None:
        if message.get("messageId") is None:
            message["messageId"] = provider.conduct.mint()

    repair(provider, "message_id_is_given", change)


@flaw("4.1-message-id")
def accepts_a_number_as_message_id(provider: Provider) -> None:
    """A message whose messageId is a number is served."""

    def change(message: Message) -> None:
        if isinstance(message.get("messageId"), int):
            message["messageId"] = str(message["messageId"])

    repair(provider, "message_has_its_shape", change)


@flaw("4.1-message-id")
def serves_an_empty_message_id(provider: Provider) -> None:
    """A message whose messageId is the empty string is served."""

    def change(message: Message) -> None:
        if message.get("messageId") == "":
            message["messageId"] = provider.conduct.mint()

    repair(provider, "message_id_is_given", change)


@flaw("4.1-body", "4.1-message-id", "6-client-errors")
def breaks_down_without_message_id(provider: Provider) -> None:
    """A message without messageId gets an internal error."""
    answer_rule(provider, "message_id_is_given", lambda: a2a_error("INTERNAL"))


# The body


@flaw("4.1-body", "6-client-errors")
def breaks_down_at_a_body_that_is_no_json(provider: Provider) -> None:
    """A body that is no JSON gets an internal error."""
    answer_rule(provider, "body_is_json", lambda: a2a_error("INTERNAL"))


@flaw("4.1-body", "6-envelope")
def refuses_a_body_that_is_no_json_without_envelope(provider: Provider) -> None:
    """A body that is no JSON gets a plain 400."""
    answer_rule(provider, "body_is_json", lambda: Response("Bad Request", status_code=400))


@flaw("4.1-body")
def refuses_a_body_that_is_no_json_as_a_content_type(provider: Provider) -> None:
    """A body that is no JSON gets CONTENT_TYPE_NOT_SUPPORTED."""
    refuse_as(provider, "body_is_json", "CONTENT_TYPE_NOT_SUPPORTED")


@flaw("4.1-body")
def reads_the_first_value_of_a_body(provider: Provider) -> None:
    """What stands behind the first JSON value of a body is not looked at."""

    def first(body: bytes) -> bytes:
        try:
            text = body.decode().lstrip(" \t\r\n")
            _, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            return body
        return text[:end].encode()

    rewrite_body(provider, first)


@flaw("4.1-body")
def replaces_what_is_no_utf_8_in_a_body(provider: Provider) -> None:
    """U+FFFD stands for what is no UTF-8 in a body."""
    rewrite_body(provider, lambda body: body.decode(errors="replace").encode())


@flaw("4.1-body", "4.1-message-id", "4.1-parts", "4.1-role", "6-envelope")
def refuses_a_body_of_wrong_shape_with_422(provider: Provider) -> None:
    """A request of the wrong shape gets a framework's 422."""
    for rule in ("request_has_its_shape", "message_has_its_shape", "message_id_is_given"):
        answer_rule(provider, rule, _framework_422)


def _framework_422() -> Response:
    detail = b'{"detail":[{"loc":["body"],"msg":"invalid","type":"value_error"}]}'
    return Response(detail, status_code=422, media_type="application/json")


@flaw("4.1-body", "6-client-errors")
def breaks_down_at_a_request_without_message(provider: Provider) -> None:
    """A request of the wrong shape gets an internal error."""
    answer_rule(provider, "request_has_its_shape", lambda: a2a_error("INTERNAL"))


@flaw("4.1-body")
def serves_a_request_without_message(provider: Provider) -> None:
    """A request without a message is answered like a greeting."""

    def greeted(submission: Submission) -> None:
        if submission.document.get("message") is None:
            message = {"role": "ROLE_USER", "parts": [{"text": "Hello"}]}
            submission.document["message"] = message | {"messageId": provider.conduct.mint()}

    provider.rules.add(greeted, before="request_has_its_shape")
