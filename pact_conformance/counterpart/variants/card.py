"""Legal cards that look unlike the example (§2.1)."""

import dataclasses
import re
from typing import Any

from starlette.datastructures import QueryParams
from starlette.responses import Response

from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.card import DELEGATION, SCHEME
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.provider import Provider, Respond
from pact_conformance.counterpart.provider.refusals import invalid
from pact_conformance.counterpart.substitution import Document, change_card
from pact_conformance.counterpart.variants.registry import variant
from pact_conformance.wire.media_types import A2A_JSON


def _rename_scheme(card: Document, name: str) -> None:
    card["securitySchemes"][name] = card["securitySchemes"].pop(SCHEME)
    card["securityRequirements"] = [{"schemes": {name: {"list": []}}}]


@variant()
def names_the_scheme_otherwise(provider: Provider) -> None:
    """The scheme of the JWT is called by another name."""
    change_card(provider, lambda card: _rename_scheme(card, "agent token (JWT)"))


@variant()
def declares_further_schemes(provider: Provider) -> None:
    """The card declares other schemes too, and requires one of them as an alternative."""
    schemes = {
        "key": {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}},
        "basic": {"httpAuthSecurityScheme": {"scheme": "Basic"}},
        "sso": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://sso.example/"}},
        "tls": {"mtlsSecurityScheme": {}},
    }

    def change(card: Document) -> None:
        card["securitySchemes"] = schemes | card["securitySchemes"]
        card["securityRequirements"].insert(0, {"schemes": {"key": {"list": []}}})
        both: Document = {SCHEME: {"list": []}, "tls": {"list": []}}
        card["securityRequirements"].append({"schemes": both})

    change_card(provider, change)


@variant()
def lists_the_interface_among_others(provider: Provider) -> None:
    """The interface stands behind others of other bindings and versions."""
    decoys = [
        {
            "url": "https://rpc.provider.example/",
            "protocolBinding": "JSONRPC",
            "protocolVersion": "1.0",
        },
        {
            "url": "https://old.provider.example/v0",
            "protocolBinding": "HTTP+JSON",
            "protocolVersion": "0.3",
        },
        {
            "url": "grpc.provider.example:443",
            "protocolBinding": "GRPC",
            "protocolVersion": "1.0",
        },
        {
            "url": "https://next.provider.example/",
            "protocolBinding": "HTTP+JSON",
            "protocolVersion": "1.1",
        },
    ]

    def change(card: Document) -> None:
        card["supportedInterfaces"] = decoys[:3] + card["supportedInterfaces"] + decoys[3:]

    change_card(provider, change)


@variant()
def lists_the_interface_twice(provider: Provider) -> None:
    """The card has two equal entries for the interface."""

    def change(card: Document) -> None:
        card["supportedInterfaces"] *= 2

    change_card(provider, change)


@variant()
def names_a_tenant(provider: Provider) -> None:
    """The interface has a tenant, which requests may carry in the body, query or path."""
    _name_a_tenant(provider)


@variant()
def demands_the_tenant_it_names(provider: Provider) -> None:
    """The interface has a tenant, and messages and lists that do not carry it are refused."""
    _name_a_tenant(provider)
    check = provider.check_filters

    def the_tenant_is_ours(submission: Submission) -> None:
        if submission.document.get("tenant") != "outdoor":
            raise invalid("tenant is missing")

    def check_filters(query: QueryParams) -> None:
        if query.get("tenant") != "outdoor":
            raise invalid("tenant is missing")
        check(query)

    provider.rules.add(the_tenant_is_ours)
    provider.check_filters = check_filters


def _name_a_tenant(provider: Provider) -> None:
    async def around(call: Call, proceed: Respond) -> Response:
        call.path = call.path.removeprefix("/outdoor")
        return await proceed(call)

    change_card(provider, lambda card: card["supportedInterfaces"][0].update(tenant="outdoor"))
    provider.around.append(around)


@variant()
def serves_the_interface_at_another_path(provider: Provider) -> None:
    """The interface URL is not what the card's URL begins with."""

    async def around(call: Call, proceed: Respond) -> Response:
        found = re.fullmatch(r"/agents/([^/]+)/v1(/.*)?", call.path)
        if call.brand_id is None and found is not None:
            call.brand_id, call.path = found[1], found[2] or ""
        return await proceed(call)

    def move(interface: Document) -> None:
        interface["url"] = interface["url"].replace("/a2a/", "/agents/") + "/v1"

    def move_oauth(members: Document) -> None:
        for name, value in members.items():
            if isinstance(value, str):
                members[name] = re.sub(r"/a2a/([^/]+)/oauth", r"/agents/\1/v1/oauth", value)

    def change(card: Document) -> None:
        move(card["supportedInterfaces"][0])
        scheme = card["securitySchemes"][DELEGATION]["oauth2SecurityScheme"]
        move_oauth(scheme)
        move_oauth(scheme["flows"]["deviceCode"])

    change_card(provider, change)
    provider.interface = lambda brand_id: f"{provider.base}/agents/{brand_id}/v1"
    provider.around.append(around)


@variant("5.4-aud", "5.6-brand")
def ends_the_interface_url_with_a_slash(provider: Provider) -> None:
    """The interface URL on the card ends with a slash, and nowhere else."""

    def end(card: Document) -> None:
        interface = card["supportedInterfaces"][0]
        interface["url"] += "/"

    change_card(provider, end)


@variant()
def adds_members_to_the_card(provider: Provider) -> None:
    """The card has members that A2A does not know, everywhere."""

    def change(card: Document) -> None:
        more: dict[str, Any] = {"x-more": {"nested": [1, None, "text"]}}
        card.update(more, iconUrl="https://provider.example/i.png", signatures=[])
        card["supportedInterfaces"][0].update(more)
        card["capabilities"].update(more, extensions=[{"uri": "https://ext.example/1"}])
        card["securitySchemes"][SCHEME]["httpAuthSecurityScheme"].update(more)
        card["skills"][0].update(more)
        card["provider"].update(more)

    change_card(provider, change)


@variant()
def leaves_out_what_the_card_may_lack(provider: Provider) -> None:
    """The card has no provider, no capability flags and no descriptions of schemes."""

    def change(card: Document) -> None:
        del card["provider"]
        card["capabilities"] = {}
        del card["securitySchemes"][SCHEME]["httpAuthSecurityScheme"]["description"]
        del card["skills"][1]

    change_card(provider, change)


@variant("2.1-card-description")
def has_neither_description_nor_version(provider: Provider) -> None:
    """The card has no description and no version."""

    def change(card: Document) -> None:
        del card["description"]
        del card["version"]

    change_card(provider, change)


@variant("2.1-jwt-scheme-case")
def shouts_bearer(provider: Provider) -> None:
    """The scheme on the card is spelt BEARER."""
    change_card(
        provider,
        lambda card: card["securitySchemes"][SCHEME]["httpAuthSecurityScheme"].update(
            scheme="BEARER"
        ),
    )


@variant("2.1-jwt-alone")
def leaves_out_an_empty_list_of_scopes(provider: Provider) -> None:
    """The requirement has an empty object for the JWT, without a list."""
    requirements: list[Document] = [{"schemes": {SCHEME: {}}}]
    change_card(provider, lambda card: card.update(securityRequirements=requirements))


@variant()
def sends_the_card_as_a2a_json(provider: Provider) -> None:
    """The card has A2A's own media type."""
    provider.answers.card = lambda document: Response(encode(document), media_type=A2A_JSON)


@variant()
def sends_the_card_uncached_with_charset(provider: Provider) -> None:
    """The card has a charset in its media type and must not be stored."""
    headers = {"Cache-Control": "no-store", "Vary": "Accept"}
    provider.answers.card = lambda document: Response(
        encode(document), media_type="application/json; charset=UTF-8", headers=headers
    )


@variant()
def offers_no_delegation(provider: Provider) -> None:
    """No Brand offers delegated authority, so the card says nothing of it."""
    provider.brands = {
        id_: dataclasses.replace(brand, scopes={}) for id_, brand in provider.brands.items()
    }
