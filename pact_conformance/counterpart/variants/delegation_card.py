"""Legal ways to offer delegation on the card, and to publish metadata (§5.1, §5.2)."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.card import DELEGATION
from pact_conformance.counterpart.provider.delegation.metadata import (
    METADATA,
    Member,
    serve_jwks,
)
from pact_conformance.counterpart.provider.delegation.token_checks import PresentedDelegation
from pact_conformance.counterpart.provider.delegation.token_endpoint import issue_token
from pact_conformance.counterpart.provider.operations import Operation
from pact_conformance.counterpart.provider.provider import Provider, Respond
from pact_conformance.counterpart.provider.refusals import BadDelegation
from pact_conformance.counterpart.substitution import Document, change_card
from pact_conformance.counterpart.variants.registry import variant

_DEVICE = "/oauth/device_authorization"
_TOKEN = "/oauth/token"  # noqa: S105 - a path


def _change_scheme(provider: Provider, change: Any) -> None:  # noqa: ANN401 - a function of two
    """Let `change` work on the scheme of delegation and on its flow."""

    def on_card(card: Document) -> None:
        scheme = card["securitySchemes"][DELEGATION]["oauth2SecurityScheme"]
        change(scheme, scheme["flows"]["deviceCode"])

    change_card(provider, on_card)


def _offer(provider: Provider, scopes: Mapping[str, str]) -> None:
    """Let every Brand offer other scopes."""
    provider.brands = {
        brand_id: replace(brand, scopes=dict(scopes)) for brand_id, brand in provider.brands.items()
    }


# The card


@variant()
def names_delegation_otherwise(provider: Provider) -> None:
    """The scheme of delegation is called by another name, with spaces and dots."""

    def change(card: Document) -> None:
        name = "com.provider.auth v2 (customers)"
        card["securitySchemes"][name] = card["securitySchemes"].pop(DELEGATION)
        both = card["securityRequirements"][1]["schemes"]
        both[name] = both.pop(DELEGATION)

    change_card(provider, change)


@variant()
def lists_delegation_first(provider: Provider) -> None:
    """Scheme and requirement of delegation stand before those of the JWT alone."""

    def change(card: Document) -> None:
        card["securityRequirements"].reverse()
        card["securitySchemes"] = dict(reversed(card["securitySchemes"].items()))
        both = card["securityRequirements"][0]
        both["schemes"] = dict(reversed(both["schemes"].items()))

    change_card(provider, change)


@variant()
def offers_other_oauth_flows(provider: Provider) -> None:
    """The card has further OAuth schemes, before and behind, with other flows."""
    code = {
        "authorizationUrl": "https://sso.example/authorize",
        "tokenUrl": "https://sso.example/token",
        "scopes": {"openid": "Sign in"},
    }
    client = {"tokenUrl": "https://sso.example/token", "scopes": {}}

    def change(card: Document) -> None:
        before = {"staff": {"oauth2SecurityScheme": {"flows": {"authorizationCode": code}}}}
        behind = {"machine": {"oauth2SecurityScheme": {"flows": {"clientCredentials": client}}}}
        card["securitySchemes"] = before | card["securitySchemes"] | behind
        card["securityRequirements"].insert(0, {"schemes": {"staff": {"list": ["openid"]}}})

    change_card(provider, change)


@variant()
def lists_scopes_in_the_requirement(provider: Provider) -> None:
    """The second requirement lists the scopes of the scheme."""

    def change(card: Document) -> None:
        both = card["securityRequirements"][1]["schemes"]
        both[DELEGATION] = {"list": ["orders:read", "orders:cancel"]}

    change_card(provider, change)


@variant()
def adds_members_to_the_scheme(provider: Provider) -> None:
    """The scheme, its flows and its flow have members that A2A does not know."""

    def change(scheme: Document, flow: Document) -> None:
        scheme.update({"x-more": [1, None]})
        scheme["flows"].update({"x-more": {"nested": {}}})
        flow.update({"x-more": "text", "pkceRequired": False})

    _change_scheme(provider, change)


@variant()
def has_no_description_of_the_scheme(provider: Provider) -> None:
    """The scheme has no description."""
    _change_scheme(provider, lambda scheme, _flow: scheme.pop("description"))


@variant()
def refreshes_at_another_url(provider: Provider) -> None:
    """The card names a refreshUrl, where alone refresh tokens are taken."""
    routes, grant_types = provider.delegation.routes, provider.delegation.grant_types
    refresh = grant_types.pop("refresh_token")

    async def handle(provider: Provider, call: Call) -> Response:
        codes = dict(grant_types)
        grant_types.clear()
        grant_types["refresh_token"] = refresh
        try:
            return await issue_token(provider, call)
        finally:
            grant_types.clear()
            grant_types.update(codes)

    routes.add(Operation("refresh", "POST", "/oauth/refresh", handle, is_a2a=False))
    _change_scheme(
        provider,
        lambda _scheme, flow: flow.update(
            refreshUrl=flow["tokenUrl"].removesuffix("/token") + "/refresh"
        ),
    )


@variant()
def serves_oauth_at_other_paths(provider: Provider) -> None:
    """The OAuth endpoints have other paths, with a query in one of them."""
    routes = provider.delegation.routes
    device = "/oauth/connect/device-flow"
    routes.add(replace(routes["device authorization"], path=device))
    routes.add(replace(routes["token"], path="/oauth/v2.0/tokén"))
    members = provider.delegation.metadata

    def change(_scheme: Document, flow: Document) -> None:
        below = flow["tokenUrl"].removesuffix("/token")
        flow["deviceAuthorizationUrl"] = f"{below}/connect/device-flow?shop=1&lang=en"
        flow["tokenUrl"] = f"{below}/v2.0/tok%C3%A9n"

    members["token_endpoint"] = _endpoint("/oauth/v2.0/tok%C3%A9n")
    members["device_authorization_endpoint"] = _endpoint(f"{device}?shop=1&lang=en")
    _change_scheme(provider, change)


# Scopes


@variant()
def offers_one_scope(provider: Provider) -> None:
    """The card lists a single scope."""
    _offer(provider, {"orders:read": "Look up your orders and their status"})


@variant()
def offers_twelve_scopes(provider: Provider) -> None:
    """The card lists twelve scopes, none of which the tester has a prompt for."""
    things = ("invoice", "booking", "seat", "meal", "bag", "visa")
    _offer(
        provider,
        {f"{thing}.{it}": f"{it} your {thing}" for thing in things for it in ("see", "change")},
    )


@variant()
def names_scopes_by_url(provider: Provider) -> None:
    """Scope ids are URLs, one of which is the beginning of another."""
    base = "https://shop.example/auth/orders"
    _offer(
        provider,
        {
            base: "See what you have ordered",
            f"{base}/cancel": "Cancel what you have ordered",
            f"{base}.readonly": "See what you have ordered, but not what it costs",
        },
    )


@variant()
def names_scopes_by_one_letter(provider: Provider) -> None:
    """Scope ids are single characters, and all that OAuth lets them have."""
    _offer(
        provider,
        {
            "r": "Look up your orders",
            "w": "Change your orders",
            "!#$%&'()*+,-./:;<=>?@[]^_`{|}~": "Pay for your orders",
        },
    )


@variant()
def describes_scopes_alike(provider: Provider) -> None:
    """The description of one scope is the beginning of that of another."""
    _offer(
        provider,
        {
            "orders": "Look up your orders",
            "orders-all": "Look up your orders and those of your household",
            "more": "Look up your orders and those of your household, and pay for them",
        },
    )


@variant()
def describes_scopes_in_odd_characters(provider: Provider) -> None:
    """Descriptions have quotes, markup, entities, line breaks, and letters of many scripts."""
    _offer(
        provider,
        {
            "a:read": 'See "orders" & <b>invoices</b> &amp; more — Größe 42½, ﬁne',
            "b:write": "注文を\n変更する\t\N{NO-BREAK SPACE}(キャンセル)\r\n  'today'",
            "c:pay": "\N{RIGHT-TO-LEFT MARK}لدفع ثمن الطلب 🛒",
        },
    )


@variant()
def names_the_brand_in_odd_characters(provider: Provider) -> None:
    """The names of the Brands have quotes, markup, entities and letters of many scripts."""
    names = ("Müller & Søn's <Outdoor>", "ケストレル “航空” &amp; Co", "Жар-птица “книги”")
    provider.brands = {
        brand_id: replace(brand, name=name)
        for name, (brand_id, brand) in zip(names, provider.brands.items(), strict=False)
    }


# Metadata and keys


@variant()
def publishes_metadata_where_the_rfc_inserts_it(provider: Provider) -> None:
    """The metadata is at the path of RFC 8414 §3.1, before that of the issuer."""

    async def around(call: Call, proceed: Respond) -> Response:
        found = re.fullmatch(rf"{METADATA}/a2a/([^/]+)/oauth", call.path)
        if call.brand_id is None and found is not None:
            call.brand_id, call.path = found[1], f"/oauth{METADATA}"
        return await proceed(call)

    def change(scheme: Document, _flow: Document) -> None:
        url: str = scheme["oauth2MetadataUrl"].removesuffix(METADATA)
        path = url.removeprefix(provider.base)
        scheme["oauth2MetadataUrl"] = f"{provider.base}{METADATA}{path}"

    provider.around.append(around)
    _change_scheme(provider, change)


@variant("5.1-metadata-complete")
def leaves_out_response_types(provider: Provider) -> None:
    """The metadata has no response_types_supported, as there is no authorization endpoint."""
    del provider.delegation.metadata["response_types_supported"]


@variant("5.1-metadata-complete")
def leaves_out_grant_types(provider: Provider) -> None:
    """The metadata has no grant_types_supported."""
    del provider.delegation.metadata["grant_types_supported"]


@variant("5.1-metadata-complete")
def publishes_the_least_metadata(provider: Provider) -> None:
    """The metadata has the issuer, the two endpoints and the keys, and nothing else."""
    members = provider.delegation.metadata
    least = ("issuer", "device_authorization_endpoint", "token_endpoint", "jwks_uri")
    for name in set(members) - set(least):
        del members[name]


@variant()
def publishes_the_most_metadata(provider: Provider) -> None:
    """The metadata has what RFC 8414 and its registry know, and more."""
    more: Document = {
        "authorization_endpoint": "https://sso.example/authorize",
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "token_endpoint_auth_signing_alg_values_supported": ["ES256"],
        "ui_locales_supported": ["en", "de"],
        "op_policy_uri": "https://shop.example/privacy",
        "code_challenge_methods_supported": ["S256"],
        "signed_metadata": "eyJhbGciOiJFUzI1NiJ9.e30.AA",
        "x-more": {"nested": None},
    }
    provider.delegation.metadata.update({name: _member(value) for name, value in more.items()})


def _member(value: object) -> Member:
    return lambda _provider, _brand: value


@variant("5.1-metadata-open")
def guards_the_metadata(provider: Provider) -> None:
    """The metadata needs the personal-agent JWT."""
    routes = provider.delegation.routes
    routes.add(replace(routes["metadata"], public=False))


@variant("5.1-metadata-open")
def guards_the_keys(provider: Provider) -> None:
    """The keys need the personal-agent JWT."""
    routes = provider.delegation.routes
    routes.add(replace(routes["jwks"], public=False))


@variant()
def publishes_documents_of_other_types(provider: Provider) -> None:
    """Metadata and keys come uncached, as application/jwk-set+json with a charset."""
    provider.answers.public_document = lambda document: Response(
        encode(document), media_type="application/jwk-set+json; charset=utf-8"
    )


@variant()
def redirects_to_its_keys(provider: Provider) -> None:
    """The jwks_uri redirects to where the keys are."""
    routes = provider.delegation.routes

    async def moved(provider: Provider, call: Call) -> Response:
        assert call.brand is not None
        issuer = provider.delegation.issuer(provider, call.brand.id)
        return RedirectResponse(f"{issuer}/keys/current", 302)

    routes.handle("jwks", moved)
    routes.add(
        Operation("keys", "GET", "/oauth/keys/current", serve_jwks, public=True, is_a2a=False)
    )


@variant()
def is_an_issuer_with_a_slash(provider: Provider) -> None:
    """The issuer, in metadata and tokens alike, ends with a slash and has a port."""
    delegation = provider.delegation

    def issuer(provider: Provider, brand_id: str) -> str:
        return f"{delegation.issuer(provider, brand_id)}/"

    def issuer_is_ours(provider: Provider, token: PresentedDelegation) -> None:
        if token.claims.get("iss") != issuer(provider, token.brand.id):
            raise BadDelegation("iss")

    delegation.metadata["issuer"] = issuer
    delegation.token_claims["iss"] = lambda provider, issue: issuer(provider, issue.brand.id)
    delegation.token_steps.replace("issuer_is_ours", issuer_is_ours)


@variant()
def is_an_issuer_elsewhere(provider: Provider) -> None:
    """The issuer is a name of another host, one for each Brand."""
    delegation = provider.delegation

    def issuer(_provider: Provider, brand_id: str) -> str:
        return f"https://{brand_id.lower()}.login.example"

    def issuer_is_ours(provider: Provider, token: PresentedDelegation) -> None:
        if token.claims.get("iss") != issuer(provider, token.brand.id):
            raise BadDelegation("iss")

    delegation.metadata["issuer"] = issuer
    delegation.token_claims["iss"] = lambda provider, issue: issuer(provider, issue.brand.id)
    delegation.token_steps.replace("issuer_is_ours", issuer_is_ours)


@variant("5.1-metadata")
def writes_endpoints_with_a_slash_in_metadata(provider: Provider) -> None:
    """The endpoints in the metadata differ from those on the card by a slash."""
    members = provider.delegation.metadata
    for name, path in (("device_authorization_endpoint", _DEVICE), ("token_endpoint", _TOKEN)):
        members[name] = _endpoint(f"{path}/")


def _endpoint(path: str) -> Member:
    return lambda provider, brand: f"{provider.interface(brand)}{path}"
