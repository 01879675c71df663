"""Flaws of §2.1: the Agent Card."""

from collections.abc import Callable
from dataclasses import replace

from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.card import SCHEME
from pact_conformance.counterpart.provider.gates import caller_is_known
from pact_conformance.counterpart.provider.operations import CARD
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.substitution import (
    Document,
    a2a_error,
    change_answers,
    change_card,
)


@flaw("2.1-card-path")
def serves_the_card_at_another_path(provider: Provider) -> None:
    """The card is at a path of the Provider's own choice."""
    provider.card_path = "/card.json"
    provider.operations.add(replace(provider.operations["card"], path="/card.json"))


@flaw("2.1-card-no-auth")
def asks_for_a_token_for_the_card(provider: Provider) -> None:
    """The card is served only to callers with a good token."""
    provider.operations.add(replace(provider.operations["card"], public=False))


@flaw("2.1-card-any-token")
def refuses_the_card_to_a_bad_token(provider: Provider) -> None:
    """A token on a card request is verified, though none is needed."""

    async def any_token_is_good(provider: Provider, call: Call) -> None:
        if call.operation is not None and call.operation.public:
            if "authorization" in call.request.headers:
                token = provider.bearer_token(call.request)
                await provider.verifier.verify(token, provider.clock.now(call.brand_id))
            return
        await caller_is_known(provider, call)

    provider.gates.replace("caller_is_known", any_token_is_good)


@flaw("2.1-card-schema")
def serves_a_card_without_skills(provider: Provider) -> None:
    """The card has no skills."""
    change_card(provider, lambda card: card.pop("skills"))


@flaw("2.1-card-schema")
def serves_a_card_whose_skills_have_no_tags(provider: Provider) -> None:
    """The skills on the card have no tags."""
    change_card(provider, lambda card: [skill.pop("tags") for skill in card["skills"]])


@flaw("2.1-card-schema")
def serves_a_card_without_capabilities(provider: Provider) -> None:
    """The card has no capabilities."""
    change_card(provider, lambda card: card.pop("capabilities"))


@flaw("2.1-card-schema")
def serves_a_card_without_name(provider: Provider) -> None:
    """The card has no name."""
    change_card(provider, lambda card: card.pop("name"))


@flaw("2.1-card-schema")
def serves_a_card_with_one_text_as_input_modes(provider: Provider) -> None:
    """The input modes on the card are a string in place of an array."""
    change_card(provider, lambda card: card.update(defaultInputModes="text/plain"))


@flaw("2.1-card-schema")
def serves_a_card_whose_provider_has_no_url(provider: Provider) -> None:
    """The provider on the card has no URL, which A2A requires beside the organization."""
    change_card(provider, lambda card: card["provider"].pop("url"))


@flaw("2.1-card-schema", "2.1-jwt-alone")
def declares_its_requirements_as_a2a_0_3_did(provider: Provider) -> None:
    """The card has `security` in place of `securityRequirements`."""

    def change(card: Document) -> None:
        del card["securityRequirements"]
        card["security"] = [{SCHEME: []}]
        card["preferredTransport"] = 1.0
        card["defaultOutputModes"] = {}

    change_card(provider, change)


@flaw("2.1-card-description")
def serves_a_card_without_description(provider: Provider) -> None:
    """The card has no description."""
    change_card(provider, lambda card: card.pop("description"))


@flaw("2.1-card-description")
def serves_a_card_without_version(provider: Provider) -> None:
    """The card has no version."""
    change_card(provider, lambda card: card.pop("version"))


def _answer_unknown_cards(provider: Provider, response: Callable[[], Response]) -> None:
    def change(call: Call, _response: Response) -> Response | None:
        is_unknown = call.brand is None and call.brand_id is not None
        return response() if is_unknown and call.path == CARD else None

    change_answers(provider, change)


@flaw("2.1-unknown-brand")
def serves_a_default_card_for_an_unknown_brand(provider: Provider) -> None:
    """An unknown brandId gets the first Brand's card."""
    brand = next(iter(provider.brands.values()))
    _answer_unknown_cards(
        provider,
        lambda: provider.answers.card(provider.card(brand, provider.base)),
    )


@flaw("2.1-unknown-brand")
def redirects_the_card_of_an_unknown_brand(provider: Provider) -> None:
    """An unknown brandId gets a redirect to the first Brand's card."""
    first = next(iter(provider.brands))
    _answer_unknown_cards(provider, lambda: RedirectResponse(provider.card_url(first)))


@flaw("2.1-unknown-brand")
def refuses_the_card_of_an_unknown_brand_as_invalid(provider: Provider) -> None:
    """An unknown brandId gets 400 with INVALID_PARAMS."""
    _answer_unknown_cards(provider, lambda: a2a_error("INVALID_PARAMS"))


@flaw("2.1-unknown-brand")
def refuses_the_card_of_an_unknown_brand_with_401(provider: Provider) -> None:
    """An unknown brandId gets a challenge."""
    _answer_unknown_cards(
        provider,
        lambda: provider.answers.unauthorized(Unauthenticated("unknown Brand")),
    )


@flaw("2.1-unknown-brand", "6-client-errors")
def breaks_down_at_the_card_of_an_unknown_brand(provider: Provider) -> None:
    """An unknown brandId gets 500."""
    _answer_unknown_cards(provider, lambda: Response(status_code=500))


@flaw("2.1-unknown-brand-no-a2a-body")
def sends_an_envelope_for_the_card_of_an_unknown_brand(provider: Provider) -> None:
    """The 404 for an unknown card has an A2A error as its body."""
    _answer_unknown_cards(provider, lambda: a2a_error("TASK_NOT_FOUND"))


def _change_interface(provider: Provider, **members: object) -> None:
    change_card(provider, lambda card: card["supportedInterfaces"][0].update(members))


@flaw("2.1-interface")
def lists_a_patch_version(provider: Provider) -> None:
    """The interface has protocolVersion 1.0.1."""
    _change_interface(provider, protocolVersion="1.0.1")


@flaw("2.1-interface")
def lists_version_0_3(provider: Provider) -> None:
    """The interface has protocolVersion 0.3."""
    _change_interface(provider, protocolVersion="0.3")


@flaw("2.1-interface")
def lists_only_json_rpc(provider: Provider) -> None:
    """The interface has the binding JSONRPC."""
    _change_interface(provider, protocolBinding="JSONRPC")


@flaw("2.1-interface")
def spells_the_binding_in_lower_case(provider: Provider) -> None:
    """The interface has the binding http+json."""
    _change_interface(provider, protocolBinding="http+json")


@flaw("2.1-interface")
def lists_the_version_as_a_number(provider: Provider) -> None:
    """The interface has the number 1.0 as protocolVersion."""
    _change_interface(provider, protocolVersion=1.0)


@flaw("2.1-interface-url")
def lists_a_url_that_serves_nothing(provider: Provider) -> None:
    """The interface URL on the card has a segment too many, so that nothing is there."""
    change_card(
        provider,
        lambda card: _change_url(card, card["supportedInterfaces"][0]["url"] + "/v1"),
    )


@flaw("2.1-interface-url")
def lists_the_url_of_the_card(provider: Provider) -> None:
    """The interface URL on the card is the URL of the card."""
    change_card(
        provider,
        lambda card: _change_url(card, card["supportedInterfaces"][0]["url"] + CARD),
    )


def _change_url(card: Document, url: str) -> None:
    card["supportedInterfaces"][0]["url"] = url


def _change_scheme(provider: Provider, **members: object) -> None:
    change_card(
        provider,
        lambda card: card["securitySchemes"][SCHEME]["httpAuthSecurityScheme"].update(members),
    )


@flaw("2.1-jwt-scheme")
def declares_basic_authentication(provider: Provider) -> None:
    """The scheme on the card is Basic."""
    _change_scheme(provider, scheme="Basic")


@flaw("2.1-jwt-scheme")
def declares_an_opaque_bearer(provider: Provider) -> None:
    """The bearer format on the card is not JWT."""
    _change_scheme(provider, bearerFormat="opaque")


@flaw("2.1-jwt-scheme")
def declares_no_bearer_format(provider: Provider) -> None:
    """The scheme on the card has no bearer format."""
    change_card(
        provider,
        lambda card: card["securitySchemes"][SCHEME]["httpAuthSecurityScheme"].pop("bearerFormat"),
    )


@flaw("2.1-jwt-scheme")
def declares_an_api_key(provider: Provider) -> None:
    """The card declares an API key in place of the JWT."""
    scheme = {"apiKeySecurityScheme": {"location": "header", "name": "Authorization"}}
    change_card(provider, lambda card: card["securitySchemes"].update({SCHEME: scheme}))


@flaw("2.1-jwt-scheme-case")
def spells_bearer_in_lower_case(provider: Provider) -> None:
    """The scheme on the card is spelt bearer."""
    _change_scheme(provider, scheme="bearer")


@flaw("2.1-jwt-alone")
def requires_another_scheme_beside_the_jwt(provider: Provider) -> None:
    """The only requirement on the card names the JWT together with an API key."""
    key = {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}

    def change(card: Document) -> None:
        card["securitySchemes"]["key"] = key
        card["securityRequirements"][0]["schemes"]["key"] = {"list": []}

    change_card(provider, change)


@flaw("2.1-jwt-alone")
def requires_a_scheme_that_is_not_declared(provider: Provider) -> None:
    """The requirement on the card names a scheme that the card does not have."""
    requirements: list[Document] = [{"schemes": {"jwt": {"list": []}}}]
    change_card(provider, lambda card: card.update(securityRequirements=requirements))


@flaw("2.1-jwt-alone")
def requires_nothing(provider: Provider) -> None:
    """The card has no security requirements."""
    change_card(provider, lambda card: card.pop("securityRequirements"))


@flaw("2.1-card-per-brand")
def lists_one_interface_for_all_brands(provider: Provider) -> None:
    """Every Brand's card has the first Brand's interface."""
    url = provider.interface(next(iter(provider.brands)))
    change_card(provider, lambda card: _change_url(card, url))
