"""The Agent Card of a Brand (§2.1, §5.1)."""

from typing import Any

from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.delegation.metadata import security_scheme
from pact_conformance.wire.card import BINDING, VERSION

SCHEME = "paJwt"
"""The name of the security scheme; the name is the Provider's choice."""


DELEGATION = "userDelegation"
"""The name of the scheme of delegated authority."""


def agent_card(brand: BrandConfig, base: str) -> dict[str, Any]:
    """Return the card: what everybody reads, and the offer of delegation where there is one."""
    card = identity_card(brand, base)
    if brand.delegates:
        add_delegation(card, brand, f"{base}/a2a/{brand.id}/oauth")
    return card


def add_delegation(card: dict[str, Any], brand: BrandConfig, issuer: str) -> None:
    """Offer delegation beside the entry that needs the personal-agent JWT alone (§5.1)."""
    card["securitySchemes"][DELEGATION] = security_scheme(issuer, dict(brand.scopes))
    both: dict[str, Any] = {SCHEME: {"list": []}, DELEGATION: {"list": []}}
    card["securityRequirements"].append({"schemes": both})


def identity_card(brand: BrandConfig, base: str) -> dict[str, Any]:
    """Return the card without delegation: one interface, and the personal-agent JWT (§2.1)."""
    return {
        "name": f"{brand.name} Support",
        "description": f"Answers questions about orders and returns at {brand.name}.",
        "supportedInterfaces": [
            {
                "url": f"{base}/a2a/{brand.id}",
                "protocolBinding": BINDING,
                "protocolVersion": VERSION,
            }
        ],
        "provider": {"organization": "Mock Provider", "url": base},
        "version": "1.0.0",
        "capabilities": {
            "streaming": False,
            "pushNotifications": False,
            "extendedAgentCard": False,
        },
        "securitySchemes": {
            SCHEME: {
                "httpAuthSecurityScheme": {
                    "description": "A JWT that the personal agent signs with its own key.",
                    "scheme": "Bearer",
                    "bearerFormat": "JWT",
                }
            }
        },
        "securityRequirements": [{"schemes": {SCHEME: {"list": []}}}],
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [
            {
                "id": "orders",
                "name": "Orders",
                "description": "Says where an order is and when it will arrive.",
                "tags": ["orders", "delivery"],
                "examples": ["Where is my order?"],
            },
            {
                "id": "returns",
                "name": "Returns",
                "description": "Explains how to send something back.",
                "tags": ["returns"],
            },
        ],
    }
