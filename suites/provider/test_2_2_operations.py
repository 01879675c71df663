"""§2.2 Operations: every route of A2A, and what is no route of it.

That unmatched routes, 405 and unknown Brands have no A2A body are journal rules.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from pact_conformance import expect
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, requirement
from pact_conformance.settings import Settings
from pact_conformance.subject.likes import some_like
from pact_conformance.subject.operations import (
    CANCEL,
    EXTENDED_CARD,
    GET,
    LIST,
    PUSH,
    SEND,
    STREAM,
    SUBSCRIBE,
    Operation,
)
from pact_conformance.subject.provider import GOOD, Credential, Provider, encode
from pact_conformance.verdicts import Untested
from pact_conformance.wire.card import Card
from pact_conformance.wire.messages import new_id, send_request, user_message
from pact_conformance.wire.schema import problems

from .conversations import Turn

NOTE_17 = (
    "read strictly: §2.2's table is binding and an A2A operation is no unmatched route; "
    "--pact-operations lenient only warns where GET tasks, get and cancel answer a plain 404 or 405"
)


def _unserved(answer: Answer, settings: Settings) -> bool:
    """Say whether a table row is left out, and warn or note which reading decides."""
    if answer.status not in {404, 405} or answer.error is not None:
        return False
    if settings.operations == "lenient":
        expect.warn(f"a plain {answer.status}: the operation is not served")
        return True
    expect.note(NOTE_17)
    return False


@requirement("2.2-send")
def test_a_message_is_answered_with_a_message_or_a_task(opening: Turn) -> None:
    body = expect.reply_or_task(opening.answer)

    found = problems(body, "send-message-response")
    expect.that(not found, "a SendMessageResponse of A2A 1.0", "; ".join(found))


@requirement("2.2-list-tasks")
def test_the_list_of_tasks_is_empty(provider: Provider, settings: Settings) -> None:
    answer = provider.call(LIST, user=provider.probing_user())
    if _unserved(answer, settings):
        return
    body = expect.empty_task_list(answer)

    expect.that(
        body.get("nextPageToken") == "", "nextPageToken, empty on the last page", answer.text[:200]
    )


@requirement("2.2-list-members-zero")
def test_members_of_the_list_are_present_though_zero(
    provider: Provider, settings: Settings
) -> None:
    body = _listed(provider, settings)

    lacking = [name for name in ("pageSize", "totalSize") if name not in body]
    expect.that(not lacking, "pageSize and totalSize", f"no {' and no '.join(lacking)}")


def _listed(
    provider: Provider, settings: Settings, query: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the list of tasks; where even the plain list is amiss, there is nothing to see."""
    plain = expect.settled(provider.call(LIST, user=provider.probing_user()))
    if plain.status in {404, 405} and plain.error is None and settings.operations == "lenient":
        expect.absent("GET tasks is not served, which is only warned of")
    body = plain.json
    if plain.status != 200 or not isinstance(body, dict) or body.get("tasks") != []:
        raise Untested("GET tasks does not list nothing", do="see 2.2-list-tasks")
    if query is None:
        return body
    answer = provider.call(LIST, user=provider.probing_user(), query=list(query.items()))
    return expect.empty_task_list(answer)


@requirement("2.2-page-size-default")
def test_a_page_has_fifty_tasks_unless_asked_otherwise(
    provider: Provider, settings: Settings
) -> None:
    body = _listed(provider, settings)
    if body.get("pageSize") in {0, None}:
        expect.warn(f"pageSize is {body.get('pageSize')!r} in the answer; 50 is the default")
        return

    expect.that(body["pageSize"] == 50, "pageSize 50", body["pageSize"])


@requirement("2.2-page-size-range")
@pytest.mark.parametrize("size", [1, 100])
def test_a_page_size_from_1_to_100_is_taken(
    provider: Provider, settings: Settings, size: int
) -> None:
    body = _listed(provider, settings, {"pageSize": str(size)})
    if body.get("pageSize") in {0, None}:
        expect.warn(f"pageSize is {body.get('pageSize')!r} in the answer; {size} was asked for")
        return

    expect.that(body["pageSize"] == size, f"pageSize {size}", body["pageSize"])


@requirement("2.2-page-size-invalid")
@pytest.mark.parametrize("size", ["0", "101", "-1", "abc", "1.5", "\u0665\u0660", "\uff15\uff10"])
def test_a_page_size_out_of_range_is_refused(
    provider: Provider, settings: Settings, size: str
) -> None:
    _listed(provider, settings, {"pageSize": "7"})

    expect.a2a_error(
        provider.call(LIST, user=provider.probing_user(), query=[("pageSize", size)]),
        "INVALID_PARAMS",
    )


@requirement("2.2-list-filters")
@pytest.mark.parametrize(
    "query",
    [
        {"status": "TASK_STATE_COMPLETED"},
        {"historyLength": "1", "includeArtifacts": "false"},
        {"statusTimestampAfter": "2026-01-01T00:00:00Z"},
    ],
    ids=lambda it: next(iter(it)),
)
def test_a_filter_of_a2a_leaves_the_list_empty(
    provider: Provider, settings: Settings, query: dict[str, str]
) -> None:
    _listed(provider, settings, query)


@requirement("2.2-list-filters")
def test_the_owner_may_ask_for_the_tasks_of_a_conversation(
    provider: Provider, settings: Settings, opening: Turn
) -> None:
    _listed(provider, settings)
    query = [("contextId", opening.context_id)]

    expect.empty_task_list(provider.call(LIST, user=opening.user, query=query))


@requirement("2.2-list-filters")
def test_a_filter_does_not_tell_a_foreign_conversation_from_none(
    provider: Provider, settings: Settings, opening: Turn
) -> None:
    _listed(provider, settings)
    unknown = {it: _listed_of(provider, it) for it in some_like(opening.context_id)}
    foreign = _listed_of(provider, opening.context_id)

    if foreign.status != 200:
        expect.a2a_error(foreign, "INVALID_PARAMS")
    expect.indistinguishable(foreign, opening.context_id, unknown, what="a foreign conversation")


def _listed_of(provider: Provider, context: str) -> Answer:
    return provider.call(LIST, user="stranger", query=[("contextId", context)])


@requirement("2.2-list-filters")
@pytest.mark.parametrize(
    ("name", "value"), [("status", "NONSENSE"), ("historyLength", "many"), ("pageToken", "?")]
)
def test_a_malformed_filter_is_ignored_or_refused(
    provider: Provider, settings: Settings, name: str, value: str
) -> None:
    _listed(provider, settings)
    answer = provider.call(LIST, user=provider.probing_user(), query=[(name, value)])

    if answer.status == 200:
        expect.empty_task_list(answer)
    else:
        expect.a2a_error(answer, "INVALID_PARAMS")


@requirement("2.2-get-task")
def test_an_unknown_task_is_not_found(provider: Provider, settings: Settings) -> None:
    answer = provider.call(GET, ids={"id": new_id("t")})
    if not _unserved(answer, settings):
        expect.a2a_error(answer, "TASK_NOT_FOUND")


@requirement("2.2-cancel-task")
def test_an_unknown_task_cannot_be_cancelled(provider: Provider, settings: Settings) -> None:
    answer = provider.call(CANCEL, ids={"id": new_id("t")})
    if not _unserved(answer, settings):
        expect.a2a_error(answer, "TASK_NOT_FOUND")


def _optional(answer: Answer, *reasons: str, warned: tuple[str, ...] = ()) -> None:
    """Judge an operation that a Provider may leave out: a plain 404 or 405 only warns."""
    if answer.status in {404, 405} and answer.error is None:
        expect.warn(f"a plain {answer.status}: A2A names {' or '.join(reasons)}")
        return
    expect.a2a_error(answer, *reasons, warned=warned)


@requirement("2.2-stream")
def test_streaming_that_is_not_declared_is_unsupported(card: Card, provider: Provider) -> None:
    if card.capability("streaming"):
        expect.absent("the card declares streaming; streams are not judged by PACT")
    message = user_message("Hello.")
    answer = provider.call(STREAM, user="streams", body=send_request(message))

    _optional(answer, "UNSUPPORTED_OPERATION")


@requirement("2.2-subscribe")
def test_subscribing_to_an_unknown_task_is_refused(card: Card, provider: Provider) -> None:
    answers = [provider.call(each, ids={"id": new_id("t")}) for each in SUBSCRIBE]
    routed = [answer for answer in answers if answer.status not in {404, 405} or answer.error]

    if card.capability("streaming"):
        _optional((routed or answers)[0], "TASK_NOT_FOUND", "UNSUPPORTED_OPERATION")
        return
    for answer in routed or answers[:1]:
        _optional(answer, "UNSUPPORTED_OPERATION", "TASK_NOT_FOUND")


@requirement("2.2-push-config")
@pytest.mark.parametrize("name", PUSH)
def test_push_configuration_is_answered_as_the_card_declares(
    card: Card, provider: Provider, name: str
) -> None:
    body = {"url": "https://client.example/push"} if name == "create" else None
    answer = provider.call(PUSH[name], ids={"id": new_id("t"), "config": "c-1"}, body=body)

    if card.capability("pushNotifications"):
        _optional(answer, "TASK_NOT_FOUND", "PUSH_NOTIFICATION_NOT_SUPPORTED", "INVALID_PARAMS")
    else:
        _optional(answer, "PUSH_NOTIFICATION_NOT_SUPPORTED", warned=("TASK_NOT_FOUND",))


@requirement("2.2-extended-card")
def test_an_extended_card_is_answered_as_the_card_declares(card: Card, provider: Provider) -> None:
    answer = provider.call(EXTENDED_CARD)

    if not card.capability("extendedAgentCard"):
        _optional(answer, "UNSUPPORTED_OPERATION", warned=("EXTENDED_AGENT_CARD_NOT_CONFIGURED",))
        return
    if answer.status != 200:
        _optional(answer, "EXTENDED_AGENT_CARD_NOT_CONFIGURED")
        return
    found = problems(answer.json, "agent-card")
    expect.that(not found, "an AgentCard", "; ".join(found))


UNMATCHED = [
    ("GET", "no-such-operation"),
    ("POST", "messages:send"),
    ("POST", "message:send/more"),
    ("GET", "tasks/x/y/z"),
    ("POST", "tasks/x:destroy"),
]


def _unmatched(provider: Provider, method: str, path: str, *, token: Credential = GOOD) -> Answer:
    url = f"{provider.interface.url.rstrip('/')}/{path}"
    content = b"{}" if method == "POST" else None
    return provider.ask(method, url, operation="unmatched", token=token, content=content)


@requirement("2.2-unmatched-route")
@pytest.mark.parametrize(("method", "path"), UNMATCHED)
def test_a_route_that_is_no_operation_is_not_found(
    provider: Provider, gate: object, method: str, path: str
) -> None:
    del gate

    expect.unrouted(_unmatched(provider, method, path))


@requirement("2.2-routing-before-auth")
@pytest.mark.parametrize(("method", "path"), UNMATCHED[:2])
def test_a_route_that_is_no_operation_is_not_found_without_a_token(
    provider: Provider, method: str, path: str
) -> None:
    expect.unrouted(_unmatched(provider, method, path, token=None))


WRONG_METHODS = [("GET", SEND), ("DELETE", SEND), ("DELETE", LIST)]


def _wrong(
    provider: Provider, method: str, operation: Operation, *, token: Credential = GOOD
) -> Answer:
    url = operation.below(provider.interface.url)
    return provider.ask(method, url, operation="unmatched", token=token)


@requirement("2.2-wrong-method")
@pytest.mark.parametrize(("method", "operation"), WRONG_METHODS)
def test_a_wrong_method_is_no_operation(
    provider: Provider, method: str, operation: Operation
) -> None:
    expect.unrouted(_wrong(provider, method, operation))


@requirement("2.2-wrong-method-no-token")
@pytest.mark.parametrize(("method", "operation"), WRONG_METHODS)
def test_a_wrong_method_is_told_before_a_missing_token(
    provider: Provider, method: str, operation: Operation
) -> None:
    expect.unrouted(_wrong(provider, method, operation, token=None))


@requirement("2.2-unknown-brand")
@pytest.mark.parametrize("operation", [SEND, LIST, GET], ids=lambda it: it.name)
def test_an_unknown_brand_is_not_found_even_with_a_good_token(
    pact_rig: Rig, provider: Provider, operation: Operation
) -> None:
    interface = pact_rig.unknown_interface()
    if interface is None:
        raise Untested(
            "no brandId can be seen in the interface url",
            do="set E2E_UNKNOWN_BRAND to a card URL under which the interface would lie",
        )
    content = encode(send_request(user_message("Hello."))) if operation is SEND else None

    answer = provider.ask(
        operation.method,
        operation.below(interface, id=new_id("t")),
        operation="unknown-brand",
        content=content,
    )

    expect.status(answer, 404)
