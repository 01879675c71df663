"""Receipts: what was done under a delegation token, signed (§5.6)."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pact_conformance.counterpart.provider.brand_agent import Action, Authority, Reply, Turn

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.provider import Provider


@dataclass(frozen=True)
class Served:
    """A turn that was served under a delegation token."""

    brand_id: str
    turn: Turn
    authority: Authority
    reply: Reply
    now: float


ReceiptClaim = Callable[["Provider", Served], object]


def receipt_claims() -> dict[str, ReceiptClaim]:
    """Return the claims of a receipt (§5.6), each by itself."""
    return {
        "grantId": lambda _provider, served: served.authority.grant_id,
        "user": lambda _provider, served: served.authority.brand_user,
        "pa": lambda _provider, served: served.authority.client_id,
        "brand": lambda provider, served: provider.interface(served.brand_id),
        "scopesUsed": lambda _provider, served: list(served.reply.scopes_used),
        "actions": lambda _provider, served: [described(it) for it in served.reply.actions],
        "ts": lambda _provider, served: timestamp(served.now),
    }


def receipt(provider: "Provider", served: Served) -> dict[str, Any]:
    """Return the receipt of a turn: its claims, and the compact JWS of them."""
    claims = {
        name: claim(provider, served) for name, claim in provider.delegation.receipt_claims.items()
    }
    jws = provider.delegation.sign_receipt(provider, served.brand_id, claims, "JWT")
    return {"jws": jws, "claims": claims}


def attach_receipt(answer: Any, receipt: dict[str, Any]) -> Any:  # noqa: ANN401 - a JSON value
    """Return a SendMessageResponse whose Message carries a receipt in its metadata."""
    message = answer["message"]
    metadata = {**message.get("metadata", {}), "pact.receipt": receipt}
    return {**answer, "message": {**message, "metadata": metadata}}


def described(action: Action) -> dict[str, str]:
    """Return an action as receipts show it: the tool, and a hash of what it was given."""
    if not action.arguments:
        return {"tool": action.tool}
    text = json.dumps(action.arguments, sort_keys=True, separators=(",", ":"))
    return {"tool": action.tool, "argsHash": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"}


def timestamp(seconds: float) -> str:
    """Return a time as A2A and receipts write it: RFC 3339, UTC, milliseconds."""
    text = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
