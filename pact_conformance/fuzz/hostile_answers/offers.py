"""Changes of what a card offers of delegation (§5.1, §5.2), and of the metadata behind it."""

from typing import Any

from pact_conformance.fuzz.hostile_answers.draft import Draft
from pact_conformance.fuzz.hostile_answers.entering import (
    kind,
    more,
    odd,
    otherwise_written,
    typed,
    valued,
    without,
)
from pact_conformance.fuzz.hostile_answers.making import CANCEL, READ, SCOPES
from pact_conformance.fuzz.hostile_answers.writing import Twice
from pact_conformance.fuzz.kind import Kind, OneOf

_FINDS, _ENDPOINTS = "5.1-agent-finds-scheme", "5.1-agent-endpoints"
_OFFER = "securitySchemes.userDelegation.oauth2SecurityScheme"
_FLOW = f"{_OFFER}.flows.deviceCode"

_PLACES = (
    "securitySchemes.userDelegation",
    _OFFER,
    f"{_OFFER}.flows",
    _FLOW,
    f"{_FLOW}.deviceAuthorizationUrl",
    f"{_FLOW}.tokenUrl",
    f"{_FLOW}.scopes",
    f"{_FLOW}.scopes.{CANCEL}",
    f"{_OFFER}.oauth2MetadataUrl",
    "securityRequirements.1",
    "securityRequirements.1.schemes.userDelegation",
)

# Beside the delegation; where they lead is nobody's place.
_OTHERS: dict[str, Any] = {
    "OAuth with an authorization code": {
        "oauth2SecurityScheme": {
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "https://shop.example/authorize",
                    "tokenUrl": "https://shop.example/token",
                    "scopes": {"shop:all": "Everything"},
                }
            }
        }
    },
    "OAuth with client credentials": {
        "oauth2SecurityScheme": {
            "flows": {
                "clientCredentials": {
                    "tokenUrl": "https://shop.example/token",
                    "scopes": {},
                }
            }
        }
    },
    "OpenID Connect": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://id.example/"}},
    "an API key": {"apiKeySecurityScheme": {"location": "query", "name": "k"}},
    "mutual TLS": {"mtlsSecurityScheme": {}},
    "a scheme that nobody knows": {"smokeSignalSecurityScheme": {"colour": "white"}},
}

# Further scopes with ids of RFC 6749 §3.3, which nobody asks for.
_SCOPES: dict[str, dict[str, Any]] = {
    "of one letter": {"x": "Whatever x is"},
    "a URL": {"https://shop.example/scopes/~refunds": "Issue refunds"},
    "with punctuation": {"a:b/c;d=e!f$": "Odd, and allowed"},
    "with a long description": {"notes:read": "x" * 5000},
    "with markup in its description": {"notes:read": "<b>Read</b> {{notes}} \u202e"},
    "without a description": {"notes:read": ""},
    "a hundred": {f"n{number}:read": f"Read notes {number}" for number in range(100)},
}


def _another_scheme(draft: Draft, which: str, where: str) -> None:
    schemes = draft.card.document["securitySchemes"]
    document = draft.card.document
    both = {"another": _OTHERS[which], **schemes}
    behind = {**schemes, "another": _OTHERS[which]}
    document["securitySchemes"] = both if where == "before" else behind


def _more_scopes(draft: Draft, which: str) -> None:
    flow = draft.card.document
    for name in _FLOW.split("."):
        flow = flow[name]
    flow["scopes"] |= _SCOPES[which]


def _renamed(draft: Draft, name: str) -> None:
    document = draft.card.document
    document["securitySchemes"][name] = document["securitySchemes"].pop("userDelegation")
    schemes = document["securityRequirements"][1]["schemes"]
    schemes[name] = schemes.pop("userDelegation")


def _not_offered(draft: Draft, how: str) -> None:
    document = draft.card.document
    offer = document["securitySchemes"]["userDelegation"]["oauth2SecurityScheme"]
    flow = offer["flows"].pop("deviceCode")
    if how == "another flow":
        offer["flows"]["authorizationCode"] = {
            "authorizationUrl": flow["deviceAuthorizationUrl"],
            "tokenUrl": flow["tokenUrl"],
            "scopes": dict(SCOPES),
        }
    elif how == "no scheme":
        del document["securitySchemes"]["userDelegation"]


def _refresh_url(draft: Draft) -> None:
    flow = draft.card.document
    for name in _FLOW.split("."):
        flow = flow[name]
    flow["refreshUrl"] = flow["tokenUrl"]


OFFERS: tuple[Kind[Draft], ...] = (
    more("offer", "card", ("securitySchemes.userDelegation", _OFFER, _FLOW), "the card"),
    kind("offer-another-scheme", "the card has {0} {1} the delegation", "accepted", _FINDS,
         _another_scheme, "offer.schemes",
         takes=[OneOf(tuple(_OTHERS)), OneOf(("behind", "before"))]),
    kind("offer-renamed", "the delegation's scheme is called `{0}`", "accepted", _FINDS, _renamed,
         "offer.document", "card.document",
         takes=[OneOf(("oauth", "Kundenkonto 7", "ﺪﻋﻢ", "0", "__proto__", "x" * 300))]),
    kind("offer-more-scopes", "the card has further scopes: {0}", "accepted", _FINDS, _more_scopes,
         "offer.document", "card.document", takes=[OneOf(tuple(_SCOPES))]),
    kind("offer-refresh-url", "the flow has a `refreshUrl`, its `tokenUrl`", "accepted", _FINDS,
         _refresh_url, "offer.document", "card.document"),
    kind("offer-none", "the card offers {0}, and no device code flow", "refused",
         "5-agent-not-offered", _not_offered, "offer.document", "card.document",
         takes=[OneOf(("no flow", "another flow", "no scheme"))]),
    without("offer", "offer-without", "card",
            (f"{_FLOW}.deviceAuthorizationUrl", f"{_FLOW}.tokenUrl", f"{_FLOW}.scopes",
             f"{_FLOW}.scopes.{READ}", f"{_OFFER}.oauth2MetadataUrl", "securityRequirements.1"),
            "the card", "either", _ENDPOINTS),
    odd("offer", "card", _PLACES, "the card", _FINDS),
)  # fmt: skip

_MEMBERS = (
    "issuer",
    "device_authorization_endpoint",
    "token_endpoint",
    "jwks_uri",
    "grant_types_supported",
    "response_types_supported",
    "scopes_supported",
)
_EXTRAS: dict[str, Any] = {
    "authorization_endpoint": "https://shop.example/authorize",
    "token_endpoint_auth_methods_supported": ["private_key_jwt", "none"],
    "revocation_endpoint": "https://shop.example/revoke",
    "service_documentation": "https://docs.example/",
    "ui_locales_supported": ["nl", "x-klingon"],
    "code_challenge_methods_supported": [],
    "dpop_signing_alg_values_supported": ["ES256"],
}


def _extra(draft: Draft, name: str) -> None:
    draft.metadata.document[name] = _EXTRAS[name]


def _elsewhere(draft: Draft, name: str) -> None:
    """Have the metadata name another endpoint than the card: an agent may go by either."""
    url = draft.names.elsewhere(name, far=True)
    draft.metadata.document[name] = url
    draft.opened |= {url}


def _twice(draft: Draft, name: str) -> None:
    document = draft.metadata.document
    document[name] = Twice(draft.names.elsewhere("first"), document[name])


def _status(draft: Draft, status: int) -> None:
    draft.metadata.status = status


METADATA: tuple[Kind[Draft], ...] = (
    more("metadata", "metadata", ("",), "the metadata"),
    otherwise_written("metadata", "metadata", "the metadata", _ENDPOINTS),
    kind("metadata-extra", "the metadata has `{0}`, which others know", "accepted", _ENDPOINTS,
         _extra, "metadata.extra", takes=[OneOf(tuple(_EXTRAS))]),
    typed("metadata", "metadata", "the metadata",
          ("application/json; charset=utf-8", "Application/JSON"), "accepted", _ENDPOINTS),
    without("metadata", "metadata-without", "metadata",
            ("scopes_supported", "response_types_supported"),
            "the metadata", "accepted", _ENDPOINTS),
    without("metadata", "metadata-without-more", "metadata",
            ("issuer", "device_authorization_endpoint", "token_endpoint", "jwks_uri",
             "grant_types_supported"),
            "the metadata", "either", _ENDPOINTS),
    valued("metadata", "metadata-issuer", "the metadata's `issuer` is `{0}`", "either", _ENDPOINTS,
           "metadata", "issuer", ("https://other.example", "", "x")),
    kind("metadata-elsewhere", "the metadata's `{0}` is at another host than the card's", "either",
         _ENDPOINTS, _elsewhere, "metadata.document", needs=["another-host"],
         takes=[OneOf(("token_endpoint", "device_authorization_endpoint", "jwks_uri"))]),
    kind("metadata-twice", "the metadata has `{0}` twice", "either", _ENDPOINTS, _twice,
         "metadata.document", takes=[OneOf(("jwks_uri", "token_endpoint", "issuer"))]),
    odd("metadata", "metadata", ("", *_MEMBERS), "the metadata", _ENDPOINTS),
    kind("metadata-status", "the metadata comes with status {0}", "either", _ENDPOINTS, _status,
         "metadata.status", takes=[OneOf((201, 401, 403, 404, 429, 500, 503))]),
    typed("metadata", "metadata", "the metadata", ("text/plain", "text/html", "", "x"), "either",
          _ENDPOINTS, id_="metadata-type-other"),
)  # fmt: skip
