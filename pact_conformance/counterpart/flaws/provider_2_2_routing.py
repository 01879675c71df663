"""Flaws of §2.2: what is no operation, unknown Brands, and routing before authentication."""

from collections.abc import Callable
from dataclasses import replace

from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.gates import brand_is_hosted, operation_exists
from pact_conformance.counterpart.provider.operations import CARD
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import (
    NoSuchRoute,
    Unauthenticated,
    WrongMethod,
)
from pact_conformance.counterpart.substitution import a2a_error, change_answers


def _answer_unmatched(provider: Provider, response: Callable[[], Response]) -> None:
    provider.answers = replace(provider.answers, unmatched=response)


def _answer_wrong_method(provider: Provider, response: Callable[[], Response]) -> None:
    provider.answers = replace(provider.answers, wrong_method=lambda _: response())


def _challenge() -> Response:
    return Response(status_code=401, headers={"WWW-Authenticate": 'Bearer realm="a2a"'})


@flaw("2.2-unmatched-route", "2.2-routing-before-auth")
def answers_any_path_with_a_page(provider: Provider) -> None:
    """A path that is no operation gets 200 and a page."""
    _answer_unmatched(provider, lambda: Response("Welcome", media_type="text/plain"))


@flaw("2.2-unmatched-route", "2.2-routing-before-auth")
def refuses_an_unmatched_path_with_400(provider: Provider) -> None:
    """A path that is no operation gets 400 with UNSUPPORTED_OPERATION."""
    _answer_unmatched(provider, lambda: a2a_error("UNSUPPORTED_OPERATION"))


@flaw("2.2-unmatched-route", "2.2-routing-before-auth", "6-client-errors")
def breaks_down_at_an_unmatched_path(provider: Provider) -> None:
    """A path that is no operation gets 500."""
    _answer_unmatched(provider, lambda: a2a_error("INTERNAL"))


@flaw("2.2-unmatched-route", "2.2-routing-before-auth")
def redirects_an_unmatched_path(provider: Provider) -> None:
    """A path that is no operation gets a redirect."""
    _answer_unmatched(provider, lambda: RedirectResponse("/"))


@flaw("2.2-wrong-method", "2.2-wrong-method-no-token")
def refuses_a_wrong_method_with_400(provider: Provider) -> None:
    """A wrong method gets 400 with UNSUPPORTED_OPERATION."""
    _answer_wrong_method(provider, lambda: a2a_error("UNSUPPORTED_OPERATION"))


@flaw("2.2-wrong-method", "2.2-wrong-method-no-token")
def does_not_implement_a_wrong_method(provider: Provider) -> None:
    """A wrong method gets 501."""
    _answer_wrong_method(provider, lambda: Response(status_code=501))


@flaw("2.2-wrong-method", "2.2-wrong-method-no-token")
def answers_a_wrong_method_with_a_page(provider: Provider) -> None:
    """A wrong method gets 200 and a page."""
    _answer_wrong_method(provider, lambda: Response("Use POST", media_type="text/plain"))


@flaw("2.2-wrong-method-no-token")
def authenticates_before_it_looks_at_the_method(provider: Provider) -> None:
    """A wrong method without a token gets 401."""

    def change(call: Call, response: Response) -> Response | None:
        has_token = "authorization" in call.request.headers
        return _challenge() if response.status_code == 405 and not has_token else None

    change_answers(provider, change)


@flaw("2.2-routing-before-auth", "2.2-wrong-method-no-token")
def authenticates_before_it_routes(provider: Provider) -> None:
    """Without a token everything but the card gets 401."""

    async def the_card_is_public(provider: Provider, call: Call) -> None:
        if call.path == CARD and call.request.method in ("GET", "HEAD"):
            await operation_exists(provider, call)

    async def the_brand_is_hosted(provider: Provider, call: Call) -> None:
        if call.brand_id is None:
            raise Unauthenticated("no Brand")
        await brand_is_hosted(provider, call)

    provider.gates.replace("brand_is_hosted", the_brand_is_hosted)
    provider.gates.add(the_card_is_public, before="operation_exists")
    provider.gates.move("caller_is_known", before="operation_exists")


@flaw("2.2-routing-before-auth")
def authenticates_before_it_finds_the_path(provider: Provider) -> None:
    """An unmatched path below a known Brand gets 401 without a token."""

    def change(call: Call, response: Response) -> Response | None:
        unmatched = call.brand is not None and call.operation is None
        has_token = "authorization" in call.request.headers
        is_404 = response.status_code == 404
        return _challenge() if unmatched and is_404 and not has_token else None

    change_answers(provider, change)


@flaw("2.2-unmatched-no-a2a-body")
def sends_an_envelope_for_an_unmatched_path(provider: Provider) -> None:
    """The 404 of a path that is no operation has an A2A error as its body."""
    _answer_unmatched(provider, lambda: a2a_error("TASK_NOT_FOUND"))


@flaw("6-405-no-envelope")
def sends_an_envelope_for_a_wrong_method(provider: Provider) -> None:
    """The 405 of a wrong method has an A2A error as its body."""
    error = ("UNSUPPORTED_OPERATION", 405, "FAILED_PRECONDITION")
    _answer_wrong_method(provider, lambda: a2a_error(*error))


def _answer_unknown_brand(provider: Provider, response: Callable[[], Response]) -> None:
    """Answer what is asked of an unknown Brand, but for its card and what is no operation."""

    def change(call: Call, _response: Response) -> Response | None:
        if call.brand is not None or call.brand_id is None or call.path == CARD:
            return None
        try:
            provider.operations.match(call.request.method, call.path)
        except (NoSuchRoute, WrongMethod):
            return None
        return response()

    change_answers(provider, change)


@flaw("2.2-unmatched-no-a2a-body")
def sends_an_envelope_for_an_unknown_brand(provider: Provider) -> None:
    """The 404 of an operation at an unknown Brand has an A2A error as its body."""
    _answer_unknown_brand(provider, lambda: a2a_error("TASK_NOT_FOUND"))


@flaw("2.2-unknown-brand")
def answers_an_unknown_brand_with_401(provider: Provider) -> None:
    """An operation at an unknown Brand gets 401 even with a good token."""
    _answer_unknown_brand(provider, _challenge)


@flaw("2.2-unknown-brand")
def refuses_an_unknown_brand_as_invalid(provider: Provider) -> None:
    """An operation at an unknown Brand gets 400 with INVALID_PARAMS."""
    _answer_unknown_brand(provider, lambda: a2a_error("INVALID_PARAMS"))


@flaw("2.2-unknown-brand")
def forbids_an_unknown_brand(provider: Provider) -> None:
    """An operation at an unknown Brand gets 403."""
    _answer_unknown_brand(provider, lambda: Response(status_code=403))


@flaw("2.2-unknown-brand", "2.2-unmatched-no-a2a-body")
def serves_an_unknown_brand_as_the_first(provider: Provider) -> None:
    """An operation at an unknown Brand is served as one of the first Brand."""

    async def the_brand_is_hosted(provider: Provider, call: Call) -> None:
        await brand_is_hosted(provider, call) if _is_hosted(provider, call) else None
        call.brand = call.brand or next(iter(provider.brands.values()))

    provider.gates.replace("brand_is_hosted", the_brand_is_hosted)


def _is_hosted(provider: Provider, call: Call) -> bool:
    return call.path == CARD or call.brand_id is None or call.brand_id in provider.brands
