"""Flaws of §5.1: what the card says of delegation."""

from collections.abc import Callable

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.flaws.shown_tokens import change_claims
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.card import DELEGATION, SCHEME
from pact_conformance.counterpart.provider.delegation.token_checks import HEADER
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import BadDelegation
from pact_conformance.counterpart.substitution import Document, a2a_error, change_card


def _change_flow(provider: Provider, change: Callable[[Document], object]) -> None:
    def work(card: Document) -> None:
        change(card["securitySchemes"][DELEGATION]["oauth2SecurityScheme"]["flows"]["deviceCode"])

    change_card(provider, work)


def _change_flows(provider: Provider, flows: Callable[[Document], Document]) -> None:
    def work(card: Document) -> None:
        scheme = card["securitySchemes"][DELEGATION]["oauth2SecurityScheme"]
        scheme["flows"] = flows(scheme["flows"]["deviceCode"])

    change_card(provider, work)


@flaw("5.1-scheme")
def offers_no_delegation_on_the_card(provider: Provider) -> None:
    """Delegation is served, but the card does not say so."""

    def change(card: Document) -> None:
        del card["securitySchemes"][DELEGATION], card["securityRequirements"][1]

    change_card(provider, change)


@flaw("5.1-scheme")
def declares_the_authorization_code_flow(provider: Provider) -> None:
    """The scheme on the card has an authorization code flow in place of the device code flow."""

    def flows(flow: Document) -> Document:
        url = flow["tokenUrl"].removesuffix("/token") + "/authorize"
        members = {"authorizationUrl": url, "tokenUrl": flow["tokenUrl"]}
        return {"authorizationCode": {**members, "scopes": flow["scopes"]}}

    _change_flows(provider, flows)


@flaw("2.1-card-schema", "5.1-scheme")
def names_the_flow_as_openapi_does(provider: Provider) -> None:
    """The flow is called `deviceAuthorization`, as in OpenAPI 3.2."""
    _change_flows(provider, lambda flow: {"deviceAuthorization": flow})


@flaw("2.1-card-schema", "5.1-scheme")
def writes_the_scheme_in_the_shape_of_openapi(provider: Provider) -> None:
    """The scheme is `{"type": "oauth2", "flows": …}`, without A2A's wrapper."""

    def change(card: Document) -> None:
        scheme = card["securitySchemes"][DELEGATION].pop("oauth2SecurityScheme")
        card["securitySchemes"][DELEGATION] = {"type": "oauth2", "flows": scheme["flows"]}

    change_card(provider, change)


@flaw("2.1-card-schema", "5.1-scheme")
def leaves_the_token_url_out(provider: Provider) -> None:
    """The flow on the card has no `tokenUrl`."""
    _change_flow(provider, lambda flow: flow.pop("tokenUrl"))


@flaw("2.1-card-schema", "5.1-scheme")
def leaves_the_device_authorization_url_out(provider: Provider) -> None:
    """The flow on the card has no `deviceAuthorizationUrl`."""
    _change_flow(provider, lambda flow: flow.pop("deviceAuthorizationUrl"))


@flaw("5.1-scheme")
def writes_the_endpoints_without_their_origin(provider: Provider) -> None:
    """The endpoints on the card are paths."""

    def change(flow: Document) -> None:
        for name in ("deviceAuthorizationUrl", "tokenUrl"):
            flow[name] = flow[name].removeprefix(provider.base)

    _change_flow(provider, change)


@flaw("5.1-scheme", "5.2-scopes-on-card")
def lists_no_scopes_on_the_card(provider: Provider) -> None:
    """The map of scopes on the card is empty."""
    _change_flow(provider, lambda flow: flow.update(scopes={}))


@flaw("5.1-metadata")
def links_no_metadata(provider: Provider) -> None:
    """The scheme on the card has no `oauth2MetadataUrl`."""

    def change(card: Document) -> None:
        del card["securitySchemes"][DELEGATION]["oauth2SecurityScheme"]["oauth2MetadataUrl"]

    change_card(provider, change)


@flaw("5.1-second-requirement")
def requires_delegation_as_a_choice(provider: Provider) -> None:
    """The JWT and delegation are an entry each, which reads as either of them."""

    def change(card: Document) -> None:
        card["securityRequirements"][1] = {"schemes": {DELEGATION: {"list": []}}}

    change_card(provider, change)


@flaw("5.1-second-requirement")
def names_delegation_in_no_requirement(provider: Provider) -> None:
    """The scheme of delegation is declared, and no entry of the requirements names it."""
    change_card(provider, lambda card: card["securityRequirements"].pop(1))


@flaw("5.1-second-requirement")
def requires_a_scheme_of_another_name(provider: Provider) -> None:
    """The second entry names a scheme that the card does not have."""

    def change(card: Document) -> None:
        both: Document = {SCHEME: {"list": []}, "oauth": {"list": []}}
        card["securityRequirements"][1] = {"schemes": both}

    change_card(provider, change)


@flaw("2.1-jwt-alone", "5.1-jwt-entry-stays")
def requires_delegation_in_the_only_entry(provider: Provider) -> None:
    """The combined entry has taken the place of the JWT's own."""
    change_card(provider, lambda card: card["securityRequirements"].pop(0))


@flaw("3.4-no-extra-parameters", "5.1-section-3-alone", "5.5-context-without-token")
def refuses_users_who_delegated_without_their_token(provider: Provider) -> None:
    """Once a User has delegated, messages without the delegation token are refused."""
    mint, delegating = provider.delegation.mint_token, set[object]()

    def mint_token(provider: Provider, issue: Issue) -> object:
        delegating.add(issue.request.user)
        return mint(provider, issue)

    async def delegation_is_given(_provider: Provider, call: Call) -> None:
        takes_it = call.operation is not None and call.operation.takes_delegation
        if takes_it and call.user in delegating and not call.request.headers.get(HEADER):
            raise BadDelegation("there is none")

    provider.delegation.mint_token = mint_token
    provider.gates.add(delegation_is_given, before="delegation_is_good")


@flaw("5.1-section-3-alone", "5.5-context-without-token")
def has_users_who_delegated_say_so_each_time(provider: Provider) -> None:
    """Once a User has delegated, a message without the delegation token is invalid."""
    refuses_users_who_delegated_without_their_token(provider)
    refuse = provider.answers.bad_delegation

    def answer(refusal: BadDelegation) -> Response:
        is_missing = str(refusal) == "there is none"
        return a2a_error("INVALID_PARAMS") if is_missing else refuse(refusal)

    provider.answers.bad_delegation = answer


@flaw("5.1-https")
def names_a_public_endpoint_without_tls(provider: Provider) -> None:
    """The `refreshUrl` on the card is an http URL on a public host."""
    _change_flow(provider, lambda flow: flow.update(refreshUrl="http://oauth.brand.example/token"))


@flaw("5.1-https")
def is_an_issuer_without_tls(provider: Provider) -> None:
    """The issuer is an http URL on a public host, in the metadata and in tokens."""

    def issuer(brand_id: str) -> str:
        return f"http://oauth.brand.example/{brand_id}"

    provider.delegation.metadata["issuer"] = lambda _provider, brand_id: issuer(brand_id)
    change_claims(provider, lambda issue, claims: claims.update(iss=issuer(issue.brand.id)))
