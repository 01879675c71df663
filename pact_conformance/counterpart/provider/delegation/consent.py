"""Consent: what the page shows, what the User's form means, and when it is skipped (§5.3)."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pact_conformance.counterpart.provider.delegation.assertions import assertion_steps
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.grants import Grant, Wanted, skipping
from pact_conformance.counterpart.provider.sessions import Session, Sessions

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.provider import Provider

Shown = Callable[["Provider", Session, DeviceCode], object]
"""Gives something that the consent page shows."""

Fields = Mapping[str, list[str]]


class Consent:
    """The parts of consent."""

    def __init__(self) -> None:
        self.sessions = Sessions("consent")
        self.assertion_steps = assertion_steps()
        self.used_assertions: set[tuple[str, str]] = set()
        self.page = consent_page()
        self.skipping = skipping()
        self.covering_grant: Callable[[Provider, Session, DeviceCode], Grant | None] = (
            covering_grant
        )
        self.approved_scopes: Callable[[DeviceCode, Fields], tuple[str, ...]] = approved_scopes
        self.decide: Callable[[Provider, Session, DeviceCode, Fields], None] = decide
        self.grant: Callable[[Provider, Session, DeviceCode, tuple[str, ...]], Grant] = grant


def consent_page() -> dict[str, Shown]:
    """Return what the consent page shows (§5.3), each by itself."""
    return {
        "agent": lambda _provider, _session, code: agent_origin(code.client_id),
        "brand": lambda provider, session, _code: provider.brands[session.brand_id].name,
        "account": lambda _provider, session, _code: session.name,
        "switch": lambda provider, session, code: (
            f"{provider.delegation.login_link(provider, session.brand_id, code.user_code)}&again=1"
        ),
        "user_code": lambda _provider, _session, code: code.user_code,
        "scopes": lambda provider, session, code: {
            scope: provider.brands[session.brand_id].scopes[scope] for scope in code.scopes
        },
        "ticked": lambda _provider, _session, code: code.scopes,
        "csrf": lambda _provider, session, _code: session.csrf,
    }


def agent_origin(issuer: str) -> str:
    """Return the origin of a personal agent's issuer; what has none is shown as it is (§5.3)."""
    parts = urlsplit(issuer)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else issuer


def wanted(provider: "Provider", session: Session, code: DeviceCode) -> Wanted:
    """Return what a flow asks for, now that it is known who has signed in."""
    return Wanted(
        brand_id=session.brand_id,
        brand_user=session.brand_user,
        client_id=code.client_id,
        scopes=code.scopes,
        now=provider.clock.now(session.brand_id),
    )


def covering_grant(provider: "Provider", session: Session, code: DeviceCode) -> Grant | None:
    """Return a grant that lets consent be skipped: the latest that meets every condition (§5.3)."""
    asked, conditions = wanted(provider, session, code), provider.delegation.consent.skipping
    found = (
        grant
        for grant in provider.delegation.grants.standing()
        if all(condition(grant, asked) for condition in conditions)
    )
    return next(found, None)


def approved_scopes(code: DeviceCode, fields: Fields) -> tuple[str, ...]:
    """Return what the User approves: the boxes that are ticked, of those that were asked for."""
    ticked = fields.get("scope", [])
    return tuple(scope for scope in code.scopes if scope in ticked)


def decide(provider: "Provider", session: Session, code: DeviceCode, fields: Fields) -> None:
    """Let the User's form decide a flow. To approve nothing is to refuse."""
    consent = provider.delegation.consent
    code.decided_by = session.brand_user
    scopes = consent.approved_scopes(code, fields)
    if fields.get("decision") != ["approve"] or not scopes:
        code.deny()
        return
    code.approve(consent.grant(provider, session, code, scopes), scopes)


def grant(
    provider: "Provider", session: Session, code: DeviceCode, scopes: tuple[str, ...]
) -> Grant:
    """Return the grant that an approval makes; it is bound to the account that signed in (§5.3)."""
    brand, grants = provider.brands[session.brand_id], provider.delegation.grants
    now = provider.clock.now(brand.id)
    made = Grant(
        id=grants.mint(),
        brand_id=brand.id,
        brand_user=session.brand_user,
        client_id=code.client_id,
        scopes=scopes,
        granted_at=now,
        expires_at=now + brand.grant_seconds,
    )
    grants.add(made)
    return made


def shown(provider: "Provider", session: Session, code: DeviceCode) -> dict[str, Any]:
    """Return everything that the consent page shows."""
    members = provider.delegation.consent.page
    return {name: member(provider, session, code) for name, member in members.items()}
