"""What a Brand has seen of an agent's OAuth (§5.3): flows, polls, tokens that were given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Scene
from pact_conformance.wire.card import Card
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT

# Seconds between polls where the Brand names none (RFC 8628 §3.2).
USUAL_INTERVAL = 5.0


@dataclass(frozen=True)
class Flow:
    """A device flow that the Brand has begun for the agent (RFC 8628 §3.2)."""

    seen: Seen
    code: str = field(repr=False)
    link: str = field(repr=False)
    """The `verification_uri_complete`."""
    user_code: str = field(repr=False)
    interval: float
    scopes: tuple[str, ...]
    """What was asked for."""


@dataclass(frozen=True)
class Issue:
    """A token response of the stage."""

    seen: Seen
    token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)


def flows(scene: Scene) -> tuple[Flow, ...]:
    """Return the device flows that a Brand has begun, oldest first."""
    found = []
    for seen in scene.seen("device_authorization"):
        told = answered(seen)
        code = told.get("device_code")
        if isinstance(code, str):
            interval = told.get("interval")
            found.append(
                Flow(
                    seen,
                    code,
                    str(told.get("verification_uri_complete")),
                    str(told.get("user_code")),
                    USUAL_INTERVAL if interval is None else float(interval),
                    tuple((seen.parameter("scope") or "").split()),
                )
            )
    return tuple(found)


def polls(scene: Scene, code: str) -> tuple[Seen, ...]:
    """Return the polls of a device code."""
    return tuple(it for it in scene.seen("token") if it.parameter("device_code") == code)


def refreshes(scene: Scene) -> tuple[Seen, ...]:
    """Return the refreshes."""
    wanted = REFRESH_TOKEN_GRANT
    return tuple(it for it in scene.seen("token") if it.parameter("grant_type") == wanted)


def issues(seen: Sequence[Seen]) -> tuple[Issue, ...]:
    """Return the tokens that were given in answer to some requests."""
    found = []
    for each in seen:
        token, refresh = (answered(each).get(it) for it in ("access_token", "refresh_token"))
        if each.operation == "token" and isinstance(token, str):
            found.append(Issue(each, token, refresh if isinstance(refresh, str) else None))
    return tuple(found)


def answered(seen: Seen) -> dict[str, Any]:
    """Return the object that a request was answered with; empty where there is none."""
    told: Any = None if seen.answer is None else seen.answer.json
    return told if isinstance(told, dict) else {}


def error_of(seen: Seen) -> str:
    """Return the OAuth error that a request was answered with; empty where there is none."""
    error = answered(seen).get("error")
    return error if isinstance(error, str) else ""


def offers(seen: Sequence[Seen]) -> dict[str | None, Mapping[str, str]]:
    """Return the scopes on the latest card of each Brand; none where it offers no delegation."""
    found: dict[str | None, Mapping[str, str]] = {}
    for each in seen:
        if each.operation == "card" and answered(each):
            offer = Card(answered(each), each.url).delegation
            found[each.brand] = {} if offer is None else offer.scopes
    return found


def carries(seen: Seen, *secrets: str) -> bool:
    """Say whether a request has one of these, wherever it stands; where it should is §5.5."""
    held = [seen.url, seen.body, *(value for _, value in seen.headers)]
    return any(secret in text for text in held for secret in secrets)


def is_oauth(seen: Seen) -> bool:
    """Say whether a request was meant for an authorization server, wherever it went."""
    if seen.operation in {"device_authorization", "token", "metadata", "jwks"}:
        return True
    kind = (seen.header("content-type") or "").lower()
    is_form = seen.method == "POST" and kind.startswith("application/x-www-form-urlencoded")
    grants = (DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT)
    return "/oauth" in seen.path.lower() or is_form or seen.parameter("grant_type") in grants
