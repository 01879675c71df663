"""Makes the scene of an example: everything that its Brand answers, good but for the changes."""

import secrets
import time
from collections.abc import Collection
from copy import deepcopy
from datetime import UTC, datetime
from functools import cache
from typing import Any

from pact_conformance.fuzz.hostile_answers.draft import (
    DELEGATED,
    SAID,
    Answered,
    Area,
    Draft,
    Names,
    Receipt,
    a2a,
)
from pact_conformance.fuzz.hostile_answers.writing import member, written
from pact_conformance.subject.stage_address import StageAddress
from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import Segments, compact, segment, sign
from pact_conformance.tokens.keys import SigningKey

READ, CANCEL = "orders:read", "orders:cancel"
SCOPES = {
    READ: "Look up your orders and their status",
    CANCEL: "Cancel an order that has not shipped",
}
USER = "jane-4471"

TOKEN_SECONDS = 3600


@cache
def keys() -> dict[str, SigningKey]:
    """Return the keys of all Brands, made once; that of a stranger nobody publishes."""
    return {
        "ES256": SigningKey.generate("ES256", kid="brand-es256"),
        "RS256": SigningKey.generate("RS256", kid="brand-rs256"),
        "stranger": SigningKey.generate("ES256", kid="brand-es256"),
    }


# A shorter text may stand in a request by chance.
LEAST_SECRET = 12


def draft(address: StageAddress, *, delegates: bool = True) -> Draft:
    """Return a good scene on a stage; where it does not delegate, nobody is led to sign in."""
    names = Names(f"/hostile/{secrets.token_hex(8)}", address.base, address.other)
    now = int(time.time())
    grant = f"a2agrant_{secrets.token_hex(6)}"
    claims = {
        "grantId": grant,
        "user": USER,
        "pa": address.issuer,
        "brand": names.interface,
        "scopesUsed": [READ],
        "actions": [{"tool": "lookup_orders", "argsHash": f"sha256:{'5e' * 32}"}],
        "ts": datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
    }
    key = keys()["ES256"]
    return Draft(
        names=names,
        card=Answered(_card(names) if delegates else _plain(_card(names))),
        metadata=Answered(_metadata(names)),
        device=Answered(_device(names)),
        token=Answered(_token(names, address.issuer, grant, now)),
        second_device=Answered(_device(names)),
        second_token=Answered(_token(names, address.issuer, grant, now, READ, CANCEL)),
        reply=a2a(_reply()),
        step_up=a2a(_step_up(names)),
        keys=Answered({"keys": [keys()[alg].public_jwk() for alg in ("ES256", "RS256")]}),
        receipt=Receipt(
            header={"alg": "ES256", "kid": key.kid, "typ": "JWT"},
            payload=claims,
            claims=deepcopy(claims),
            sign=lambda signing_input: sign(key, signing_input),
        ),
    )


def script(made: Draft, areas: Collection[Area]) -> dict[str, Any]:
    """Return the script of a scene (docs/stage.md)."""
    polls = [it.scripted(always=False) for it in made.pending]
    token, device = [made.token.scripted()], [made.device.scripted()]
    if made.refresh is not None:
        token = [made.token.scripted(always=False), made.refresh.scripted()]
    if "step-up" in areas:
        token = [made.token.scripted(always=False), made.second_token.scripted()]
        device = [made.device.scripted(always=False), made.second_device.scripted()]
    return {
        "apart": True,
        "cardPath": made.names.card,
        "interfacePath": f"{made.names.folder}/brand",
        "answers": {
            "card": [made.card.scripted()],
            "metadata": [made.metadata.scripted()],
            "device_authorization": device,
            "token": [*polls, *token],
            "jwks": [made.keys.scripted()],
            "message:send": _messages(made, areas),
        },
    }


def confided(made: Draft) -> dict[str, str]:
    """Return what the Brand gives the agent in confidence, after all changes, by what it is."""
    given = (
        ("the device code", "device_code", made.device),
        ("the delegation token", "access_token", made.token),
        ("the refresh token", "refresh_token", made.token),
        ("the second device code", "device_code", made.second_device),
        ("the second delegation token", "access_token", made.second_token),
        ("the second refresh token", "refresh_token", made.second_token),
    )
    found = {words: _text(answered.document, name) for words, name, answered in given}
    return {words: text for words, text in found.items() if len(text) >= LEAST_SECRET}


def _text(document: object, name: str) -> str:
    found = member(document, name)
    return found if isinstance(found, str) else ""


def receipt_of(receipt: Receipt) -> Any:  # noqa: ANN401 - a JSON value
    """Return what stands under `pact.receipt`."""
    header = segment(written(receipt.header))
    payload = segment(written(receipt.payload, receipt.payload_manner))
    unsigned = Segments(header, payload, "")
    signature = receipt.sign(unsigned.signing_input)
    if receipt.signature is not None:
        signature = receipt.signature(signature)
    jws = str(Segments(header, payload, base64url.encode(signature)))
    if receipt.join is not None:
        jws = receipt.join(jws)
    made = {"jws": jws, "claims": receipt.claims}
    return made if receipt.whole is None else receipt.whole(made)


def _messages(made: Draft, areas: Collection[Area]) -> list[dict[str, Any]]:
    """Return what messages get, in their order."""
    if made.error is not None:
        return [made.error.scripted()]
    found = [made.step_up.scripted(always=False)] if "step-up" in areas else []
    later = a2a(_reply())
    later.document["message"]["contextId"] = member(made.reply.document, "message", "contextId")
    if not DELEGATED.isdisjoint(areas):
        later.document["message"]["metadata"] = {"pact.receipt": receipt_of(made.receipt)}
    if made.closing is not None:
        later.document["message"]["contextId"] = _context_id()
        return [made.reply.scripted(always=False), made.closing.scripted(always=False),
                later.scripted()]  # fmt: skip
    if made.goes_on:
        return [*found, made.reply.scripted(always=False), later.scripted()]
    return [*found, made.reply.scripted()]


def attach(made: Draft) -> None:
    """Put the receipt into the reply, unless a change has left no place for it."""
    message = member(made.reply.document, "message")
    if isinstance(message, dict):
        metadata = message.setdefault("metadata", {})
        if isinstance(metadata, dict):
            metadata.setdefault("pact.receipt", receipt_of(made.receipt))


def _context_id() -> str:
    return f"ctx-{secrets.token_hex(8)}"


def _card(names: Names) -> dict[str, Any]:
    jwt = {"scheme": "Bearer", "bearerFormat": "JWT"}
    flow = {
        "deviceAuthorizationUrl": names.endpoint("device_authorization"),
        "tokenUrl": names.endpoint("token"),
        "scopes": dict(SCOPES),
    }
    metadata = names.endpoint(".well-known/oauth-authorization-server")
    offer = {"flows": {"deviceCode": flow}, "oauth2MetadataUrl": metadata}
    interface = {"url": names.interface, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    both: dict[str, Any] = {"paJwt": {"list": []}, "userDelegation": {"list": []}}
    skill = {"id": "orders", "name": "Orders", "description": "Order status.", "tags": ["orders"]}
    return {
        "name": "Example Co. Support",
        "description": "Answers questions about orders.",
        "supportedInterfaces": [interface],
        "provider": {"organization": "Example Provider", "url": "https://provider.example.com"},
        "version": "0.1.0",
        "capabilities": {
            "streaming": False,
            "pushNotifications": False,
            "extendedAgentCard": False,
        },
        "securitySchemes": {
            "paJwt": {"httpAuthSecurityScheme": jwt},
            "userDelegation": {"oauth2SecurityScheme": offer},
        },
        "securityRequirements": [{"schemes": {"paJwt": {"list": []}}}, {"schemes": both}],
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [skill],
    }


def _plain(card: dict[str, Any]) -> dict[str, Any]:
    """Return a card without what it offers of delegation (§5.1)."""
    del card["securitySchemes"]["userDelegation"]
    del card["securityRequirements"][1]
    return card


def _metadata(names: Names) -> dict[str, Any]:
    return {
        "issuer": names.endpoint("").removesuffix("/"),
        "device_authorization_endpoint": names.endpoint("device_authorization"),
        "token_endpoint": names.endpoint("token"),
        "jwks_uri": names.endpoint("jwks.json"),
        "grant_types_supported": ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
        "response_types_supported": [],
        "scopes_supported": list(SCOPES),
    }


def _device(names: Names) -> dict[str, Any]:
    link = names.elsewhere("login")
    return {
        "device_code": f"dc_{secrets.token_urlsafe(18)}",
        "user_code": "WDJB-MJHT",
        "verification_uri": link,
        "verification_uri_complete": f"{link}?user_code=WDJB-MJHT",
        "expires_in": 600,
        "interval": 1,
    }


def _token(names: Names, agent: str, grant: str, now: int, *scopes: str) -> dict[str, Any]:
    scope = " ".join(scopes or [READ])
    claims = {
        "iss": names.endpoint("").removesuffix("/"),
        "aud": names.interface,
        "sub": USER,
        "client_id": agent,
        "scope": scope,
        "grant_id": grant,
        "iat": now,
        "exp": now + TOKEN_SECONDS,
    }
    key = keys()["ES256"]
    header = {"alg": key.alg, "kid": key.kid, "typ": "JWT"}
    return {
        "token_type": "Bearer",
        "access_token": str(compact(header, claims, lambda it: sign(key, it))),
        "refresh_token": f"rt_{secrets.token_urlsafe(18)}",
        "expires_in": TOKEN_SECONDS,
        "scope": scope,
    }


def _reply() -> dict[str, Any]:
    return {
        "message": {
            "messageId": f"r-{secrets.token_hex(6)}",
            "contextId": _context_id(),
            "role": "ROLE_AGENT",
            "parts": [{"text": SAID}],
        }
    }


def _step_up(names: Names) -> dict[str, Any]:
    return {
        "task": {
            "id": f"t-{secrets.token_hex(6)}",
            "contextId": _context_id(),
            "status": {
                "state": "TASK_STATE_AUTH_REQUIRED",
                "message": {
                    "messageId": f"r-{secrets.token_hex(6)}",
                    "role": "ROLE_AGENT",
                    "parts": [{"text": "I need permission to cancel orders."}],
                },
            },
            "metadata": {
                "pact.missingScopes": [CANCEL],
                "pact.verificationUriComplete": names.elsewhere("login?user_code=WDJB-MJHU"),
            },
        }
    }
