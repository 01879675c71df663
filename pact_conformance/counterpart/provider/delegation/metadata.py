"""The metadata of a Brand's authorization server (RFC 8414), and its part of the card (§5.1)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.provider import Provider

DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
"""The grant type of RFC 8628 §3.4."""

REFRESH_TOKEN = "refresh_token"  # noqa: S105 - the grant type's name
"""The grant type of RFC 6749 §6."""

METADATA = "/.well-known/oauth-authorization-server"

Member = Callable[["Provider", str], object]
"""Gives a member of the metadata of the Brand with an id."""


def issuer(provider: "Provider", brand_id: str) -> str:
    """Return the issuer of a Brand's authorization server, the `iss` of its tokens (§5.4)."""
    return f"{provider.interface(brand_id)}/oauth"


def members() -> dict[str, Member]:
    """Return the members of the metadata (RFC 8414 §2, RFC 8628 §4), each by itself."""
    return {
        "issuer": lambda provider, brand: provider.delegation.issuer(provider, brand),
        "device_authorization_endpoint": _below("/device_authorization"),
        "token_endpoint": _below("/token"),
        "jwks_uri": _below("/jwks.json"),
        "scopes_supported": lambda provider, brand: list(provider.brands[brand].scopes),
        # There is no authorization endpoint, but RFC 8414 requires the member.
        "response_types_supported": lambda _provider, _brand: [],
        "grant_types_supported": lambda provider, _brand: list(provider.delegation.grant_types),
        # The personal-agent JWT goes in Authorization, which no registered method is.
        "token_endpoint_auth_methods_supported": lambda _provider, _brand: ["none"],
        "service_documentation": lambda provider, brand: provider.card_url(brand),
    }


def _below(path: str) -> Member:
    return lambda provider, brand: f"{provider.delegation.issuer(provider, brand)}{path}"


async def serve_metadata(provider: "Provider", call: "Call") -> "Response":
    """Serve the metadata, to anybody (§5.1)."""
    assert call.brand is not None
    brand_id = call.brand.id
    document = {
        name: member(provider, brand_id) for name, member in provider.delegation.metadata.items()
    }
    return provider.answers.public_document(document)


async def serve_jwks(provider: "Provider", call: "Call") -> "Response":
    """Serve the public keys, to anybody (§5.1)."""
    assert call.brand is not None
    return provider.answers.public_document(provider.delegation.keys.jwks(call.brand.id))


def security_scheme(issuer_url: str, scopes: dict[str, str]) -> dict[str, Any]:
    """Return the scheme that stands on the card of a Brand that offers delegation (§5.1)."""
    return {
        "oauth2SecurityScheme": {
            "description": "The customer signs in with the Brand and approves scopes.",
            "flows": {
                "deviceCode": {
                    "deviceAuthorizationUrl": f"{issuer_url}/device_authorization",
                    "tokenUrl": f"{issuer_url}/token",
                    "scopes": scopes,
                }
            },
            "oauth2MetadataUrl": f"{issuer_url}{METADATA}",
        }
    }
