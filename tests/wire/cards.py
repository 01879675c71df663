"""A good card, as the specification's example has it, to change one thing at a time."""

import copy
from typing import Any

_CARD: dict[str, Any] = {
    "name": "Example Co. Support",
    "supportedInterfaces": [
        {
            "url": "https://provider.example.com/a2a/01J",
            "protocolBinding": "HTTP+JSON",
            "protocolVersion": "1.0",
        }
    ],
    "provider": {"organization": "Example Provider", "url": "https://provider.example.com"},
    "version": "0.1.0",
    "capabilities": {"streaming": False},
    "securitySchemes": {
        "paJwt": {"httpAuthSecurityScheme": {"scheme": "Bearer", "bearerFormat": "JWT"}},
        "userDelegation": {
            "oauth2SecurityScheme": {
                "flows": {
                    "deviceCode": {
                        "deviceAuthorizationUrl": "https://provider.example.com/device",
                        "tokenUrl": "https://provider.example.com/token",
                        "scopes": {"orders:read": "Look up your orders"},
                    }
                },
                "oauth2MetadataUrl": "https://provider.example.com/metadata",
            }
        },
    },
    "securityRequirements": [
        {"schemes": {"paJwt": {"list": []}}},
        {"schemes": {"paJwt": {"list": []}, "userDelegation": {"list": []}}},
    ],
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [{"id": "orders", "name": "Orders", "description": "Orders.", "tags": ["orders"]}],
}


def good_card() -> dict[str, Any]:
    """A fresh copy that offers delegated authority."""
    return copy.deepcopy(_CARD)
