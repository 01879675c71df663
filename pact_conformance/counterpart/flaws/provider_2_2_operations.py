"""Flaws of §2.2: what the operations answer."""

from dataclasses import replace

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.substitution import (
    TASK,
    Document,
    a2a,
    a2a_error,
    answering,
    change_reply,
    refusing,
)
from pact_conformance.wire.media_types import EVENT_STREAM

_SUBSCRIBE = ("subscribe", "subscribe by GET")
_PUSH = ("create push config", "list push configs", "get push config", "delete push config")


def _not_implemented() -> Response:
    return Response(status_code=501)


@flaw("2.2-send")
def answers_a_message_with_201(provider: Provider) -> None:
    """A reply comes with status 201."""
    provider.answers = replace(provider.answers, result=_created)


def _created(value: object) -> Response:
    is_reply = isinstance(value, dict) and "message" in value
    return a2a(value, 201 if is_reply else 200)


@flaw("2.2-send", "4.2-no-task")
def answers_with_a_message_and_a_task(provider: Provider) -> None:
    """A reply comes with a task beside it."""
    change_reply(provider, lambda answer: answer.update(task=TASK))


@flaw("2.2-send", "4.2-reply")
def answers_with_a_bare_message(provider: Provider) -> None:
    """A reply is a Message without the member around it."""
    change_reply(provider, lambda answer: answer["message"])


@flaw("2.2-send", "4.2-reply")
def answers_as_json_rpc(provider: Provider) -> None:
    """A reply is wrapped as the result of a JSON-RPC call."""
    change_reply(provider, lambda answer: {"jsonrpc": "2.0", "id": 1, "result": answer})


# tasks/{id} and tasks/{id}:cancel


@flaw("2.2-get-task")
def makes_up_a_task(provider: Provider) -> None:
    """A task that does not exist is answered with one."""
    provider.operations.handle("get", answering(lambda: a2a(TASK)))


@flaw("2.2-get-task")
def refuses_an_unknown_task_as_invalid(provider: Provider) -> None:
    """A task that does not exist gets INVALID_PARAMS."""
    provider.operations.handle("get", refusing("INVALID_PARAMS"))


@flaw("2.2-get-task")
def answers_an_unknown_task_without_envelope(provider: Provider) -> None:
    """A task that does not exist gets a plain 404."""
    provider.operations.handle("get", answering(lambda: Response(status_code=404)))


@flaw("6-table")
def answers_an_unknown_task_with_400(provider: Provider) -> None:
    """A task that does not exist gets TASK_NOT_FOUND with status 400."""
    error = lambda: a2a_error("TASK_NOT_FOUND", 400, "NOT_FOUND")  # noqa: E731
    provider.operations.handle("get", answering(error))


@flaw("2.2-cancel-task")
def cancels_a_task_that_does_not_exist(provider: Provider) -> None:
    """Cancelling a task that does not exist succeeds."""
    cancelled: Document = TASK | {"status": {"state": "TASK_STATE_CANCELED"}}
    provider.operations.handle("cancel", answering(lambda: a2a(cancelled)))


@flaw("2.2-cancel-task")
def refuses_to_cancel_as_not_cancelable(provider: Provider) -> None:
    """Cancelling a task that does not exist gets TASK_NOT_CANCELABLE."""
    provider.operations.handle("cancel", refusing("TASK_NOT_CANCELABLE"))


@flaw("2.2-cancel-task")
def refuses_to_cancel_as_unsupported(provider: Provider) -> None:
    """Cancelling gets UNSUPPORTED_OPERATION."""
    provider.operations.handle("cancel", refusing("UNSUPPORTED_OPERATION"))


@flaw("2.2-cancel-task")
def does_not_route_cancel(provider: Provider) -> None:
    """Cancelling gets a plain 404."""
    provider.operations.drop("cancel")


# What the card does not declare


def _serve(provider: Provider, names: tuple[str, ...], *, reason: str = "") -> None:
    for name in names:
        handler = refusing(reason) if reason else answering(_not_implemented)
        provider.operations.handle(name, handler)


@flaw("2.2-stream")
def refuses_to_stream_as_invalid(provider: Provider) -> None:
    """message:stream gets INVALID_PARAMS."""
    _serve(provider, ("stream",), reason="INVALID_PARAMS")


@flaw("2.2-stream", "6-envelope")
def does_not_implement_streaming(provider: Provider) -> None:
    """message:stream gets 501."""
    _serve(provider, ("stream",))


@flaw("6-table")
def refuses_to_stream_with_another_status(provider: Provider) -> None:
    """message:stream gets UNSUPPORTED_OPERATION with the status name of A2A 1.0.0."""
    error = lambda: a2a_error("UNSUPPORTED_OPERATION", 400, "UNIMPLEMENTED")  # noqa: E731
    provider.operations.handle("stream", answering(error))


@flaw("2.2-stream")
def streams_though_the_card_declares_none(provider: Provider) -> None:
    """message:stream answers with events, though streaming is not declared."""
    event = 'data: {"message":{"messageId":"r","contextId":"c","role":"ROLE_AGENT","parts":[]}}\n\n'
    stream = lambda: Response(event, headers={"Content-Type": EVENT_STREAM})  # noqa: E731
    provider.operations.handle("stream", answering(stream))


@flaw("2.2-subscribe")
def refuses_to_subscribe_as_invalid(provider: Provider) -> None:
    """Subscribing to a task gets INVALID_PARAMS."""
    _serve(provider, _SUBSCRIBE, reason="INVALID_PARAMS")


@flaw("2.2-subscribe", "6-envelope")
def does_not_implement_subscribing(provider: Provider) -> None:
    """Subscribing to a task gets 501."""
    _serve(provider, _SUBSCRIBE)


@flaw("2.2-subscribe")
def subscribes_to_a_task_that_does_not_exist(provider: Provider) -> None:
    """Subscribing to a task that does not exist opens a stream."""
    for name in _SUBSCRIBE:
        stream = lambda: Response("", headers={"Content-Type": EVENT_STREAM})  # noqa: E731
        provider.operations.handle(name, answering(stream))


@flaw("2.2-push-config")
def refuses_push_configs_as_unsupported(provider: Provider) -> None:
    """The operations on push configs get UNSUPPORTED_OPERATION."""
    _serve(provider, _PUSH, reason="UNSUPPORTED_OPERATION")


@flaw("2.2-push-config", "6-envelope")
def does_not_implement_push_configs(provider: Provider) -> None:
    """The operations on push configs get 501."""
    _serve(provider, _PUSH)


@flaw("2.2-push-config")
def stores_push_configs(provider: Provider) -> None:
    """A push config is taken, though push notifications are not declared."""
    config = {"id": "p-1", "taskId": "t-1", "url": "https://agent.example/push"}
    provider.operations.handle("create push config", answering(lambda: a2a(config)))


@flaw("2.2-push-config")
def lists_push_configs(provider: Provider) -> None:
    """The list of push configs is empty in place of refused."""
    provider.operations.handle("list push configs", answering(lambda: a2a({"configs": []})))


@flaw("2.2-push-config")
def finds_no_task_for_a_push_config(provider: Provider) -> None:
    """Getting a push config gets TASK_NOT_FOUND, though the capability is not declared."""
    _serve(provider, ("get push config",), reason="TASK_NOT_FOUND")


@flaw("2.2-push-config")
def deletes_push_configs(provider: Provider) -> None:
    """Deleting a push config succeeds."""
    provider.operations.handle("delete push config", answering(lambda: a2a({})))


@flaw("2.2-extended-card")
def serves_an_extended_card_that_is_not_declared(provider: Provider) -> None:
    """The extended card is served, though the capability is not declared."""
    brand = next(iter(provider.brands.values()))
    card = lambda: a2a(provider.card(brand, provider.base))  # noqa: E731
    provider.operations.handle("extended card", answering(card))


@flaw("2.2-extended-card")
def has_configured_no_extended_card(provider: Provider) -> None:
    """The extended card gets EXTENDED_AGENT_CARD_NOT_CONFIGURED, though none is declared."""
    _serve(provider, ("extended card",), reason="EXTENDED_AGENT_CARD_NOT_CONFIGURED")


@flaw("2.2-extended-card", "6-envelope")
def does_not_implement_the_extended_card(provider: Provider) -> None:
    """The extended card gets 501."""
    _serve(provider, ("extended card",))
