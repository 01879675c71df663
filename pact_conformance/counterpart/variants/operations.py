"""Legal answers of the operations and of routes that are none (§2.2)."""

import json

from starlette.datastructures import QueryParams
from starlette.responses import Response

from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.gates import caller_is_known
from pact_conformance.counterpart.provider.operations import CARD
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal
from pact_conformance.counterpart.provider.tasks import check_filters
from pact_conformance.counterpart.substitution import (
    a2a,
    change_card,
    change_list,
    refusing,
)
from pact_conformance.counterpart.variants.registry import variant
from pact_conformance.wire.media_types import EVENT_STREAM

_UNDECLARED = (
    "stream",
    "subscribe",
    "subscribe by GET",
    "create push config",
    "list push configs",
    "get push config",
    "delete push config",
    "extended card",
)


@variant()
def answers_a_wrong_method_with_404(provider: Provider) -> None:
    """A wrong method gets 404 in place of 405."""
    provider.answers.wrong_method = lambda _refusal: Response(status_code=404)


@variant()
def answers_a_wrong_method_without_allow(provider: Provider) -> None:
    """A 405 does not name the methods that are allowed."""
    provider.answers.wrong_method = lambda _refusal: Response(status_code=405)


@variant()
def answers_an_unmatched_path_with_405(provider: Provider) -> None:
    """A path that is no operation gets 405 in place of 404."""
    headers = {"Allow": "GET, POST"}
    provider.answers.unmatched = lambda: Response(status_code=405, headers=headers)


@variant()
def answers_404_with_a_page(provider: Provider) -> None:
    """A 404 of a route or Brand has a page of HTML."""
    page = "<!doctype html><title>Not found</title><h1>There is nothing here</h1>"
    provider.answers.unmatched = lambda: Response(page, 404, media_type="text/html")
    provider.answers.unknown_brand = provider.answers.unmatched


@variant()
def answers_404_and_405_as_a_framework(provider: Provider) -> None:
    """A 404 or 405 of a route has a framework's JSON."""

    def answer(status: int, text: str) -> Response:
        return Response(encode({"detail": text}), status, media_type="application/json")

    provider.answers.unmatched = lambda: answer(404, "Not Found")
    provider.answers.unknown_brand = provider.answers.unmatched
    provider.answers.wrong_method = lambda _refusal: answer(405, "Method Not Allowed")


@variant()
def authenticates_before_it_finds_the_brand(provider: Provider) -> None:
    """An unknown Brand gets 401 without a good token, and 404 with one."""

    async def the_caller_is_known(provider: Provider, call: Call) -> None:
        hosted = call.brand_id is None or call.brand_id in provider.brands
        if hosted or call.path == CARD:
            return
        await caller_is_known(provider, call)

    provider.gates.add(the_caller_is_known, before="brand_is_hosted")


@variant()
def subscribes_by_post_alone(provider: Provider) -> None:
    """Subscribing by GET gets 405."""
    provider.operations.drop("subscribe by GET")


@variant()
def subscribes_by_get_alone(provider: Provider) -> None:
    """Subscribing by POST gets 405."""
    provider.operations.drop("subscribe")


@variant()
def finds_no_task_to_subscribe_to(provider: Provider) -> None:
    """Subscribing gets TASK_NOT_FOUND, for the task is looked up first."""
    for name in ("subscribe", "subscribe by GET"):
        provider.operations.handle(name, refusing("TASK_NOT_FOUND"))


@variant("2.2-stream", "2.2-subscribe", "2.2-push-config", "2.2-extended-card")
def leaves_out_undeclared_operations(provider: Provider) -> None:
    """The operations of capabilities that are not declared get a plain 404."""
    for name in _UNDECLARED:
        provider.operations.drop(name)


@variant()
def streams(provider: Provider) -> None:
    """The card declares streaming, and message:stream sends its one reply as an event."""
    send = provider.operations["send"].handle

    async def stream(provider: Provider, call: Call) -> Response:
        reply = bytes((await send(provider, call)).body)
        return Response(b"data: " + reply + b"\n\n", headers={"Content-Type": EVENT_STREAM})

    provider.operations.handle("stream", stream)
    finds_no_task_to_subscribe_to(provider)
    change_card(provider, lambda card: card["capabilities"].update(streaming=True))


@variant()
def notifies(provider: Provider) -> None:
    """The card declares push notifications, whose tasks are not found."""
    for name in ("create", "get", "delete"):
        provider.operations.handle(f"{name} push config", refusing("TASK_NOT_FOUND"))
    provider.operations.handle("list push configs", refusing("TASK_NOT_FOUND"))
    change_card(provider, lambda card: card["capabilities"].update(pushNotifications=True))


@variant()
def has_an_extended_card(provider: Provider) -> None:
    """The card declares an extended card, which is served to callers with a token."""

    async def extended(provider: Provider, call: Call) -> Response:
        assert call.brand is not None
        return a2a(provider.card(call.brand, provider.base) | {"name": "Extended"})

    provider.operations.handle("extended card", extended)
    change_card(provider, lambda card: card["capabilities"].update(extendedAgentCard=True))


@variant()
def has_configured_no_extended_card_that_it_declares(provider: Provider) -> None:
    """The card declares an extended card, but none is configured."""
    refuse = refusing("EXTENDED_AGENT_CARD_NOT_CONFIGURED")
    provider.operations.handle("extended card", refuse)
    change_card(provider, lambda card: card["capabilities"].update(extendedAgentCard=True))


@variant("2.2-page-size-default", "2.2-page-size-range")
def counts_items_as_the_page_size(provider: Provider) -> None:
    """The page size of an empty list is 0, the count of its items."""
    change_list(provider, lambda answer: answer.update(pageSize=0))


@variant()
def ignores_malformed_filters(provider: Provider) -> None:
    """Filters are not read, so malformed ones are served with the empty list."""

    def check(query: QueryParams) -> None:
        if query.get("pageToken"):
            check_filters(query)

    provider.check_filters = check


@variant("2.2-list-members-zero")
def leaves_out_zeros_as_proto_json(provider: Provider) -> None:
    """The list leaves out a total of zero."""
    change_list(provider, lambda answer: answer.pop("totalSize"))


@variant()
def lists_with_further_members(provider: Provider) -> None:
    """The list has members that A2A does not know."""
    change_list(provider, lambda answer: answer.update(tookMs=1, filters=json.loads("{}")))


@variant()
def serves_any_version(provider: Provider) -> None:
    """A version that does not exist is served as 1.0."""
    provider.check_version = lambda _asked: None


@variant("2-version-absent")
def reads_no_version_as_0_3(provider: Provider) -> None:
    """A missing version is refused, as A2A has it."""

    def check(asked: str) -> None:
        if asked != "1.0":
            raise A2ARefusal("VERSION_NOT_SUPPORTED", f"A2A {asked or '0.3'} is not spoken here")

    provider.check_version = check


@variant()
def checks_the_version_before_the_token(provider: Provider) -> None:
    """A version that is not spoken is refused before the caller is known."""
    provider.gates.move("version_is_spoken", before="caller_is_known")
