"""The page where a User sees what has been approved, and takes it back (§5.5: revoked)."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.delegation.consent import agent_origin
from pact_conformance.counterpart.provider.delegation.consent_pages import (
    check_csrf,
    page,
    session_of,
)
from pact_conformance.counterpart.provider.pages import one, read_fields
from pact_conformance.counterpart.provider.refusals import PageRefusal

if TYPE_CHECKING:
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.delegation.grants import Grant
    from pact_conformance.counterpart.provider.provider import Provider
    from pact_conformance.counterpart.provider.sessions import Session


@page
async def show_grants(provider: "Provider", call: "Call", brand: "BrandConfig") -> "Response":
    """Show the grants of whoever has signed in, as long as they last."""
    session = session_of(provider, call, brand)
    view = {
        "brand": brand.name,
        "account": session.name,
        "csrf": session.csrf,
        "grants": [
            {
                "id": grant.id,
                "agent": agent_origin(grant.client_id),
                "scopes": [brand.scopes[scope] for scope in grant.scopes],
                "since": _day(grant.granted_at),
                "until": _day(grant.expires_at),
            }
            for grant in _grants_of(provider, session)
        ],
    }
    return provider.pages.show("grants", view)


@page
async def revoke_grant(provider: "Provider", call: "Call", brand: "BrandConfig") -> "Response":
    """Take a grant back."""
    fields = await read_fields(call.request, provider.config.max_body)
    session = session_of(provider, call, brand)
    check_csrf(session, one(fields, "csrf"))
    for grant in _grants_of(provider, session):
        if grant.id == one(fields, "grant"):
            grant.revoked = True
            return provider.pages.go(f"{provider.delegation.issuer(provider, brand.id)}/grants")
    raise PageRefusal(404, "There is no such permission", "It may have ended already.")


def _grants_of(provider: "Provider", session: "Session") -> "list[Grant]":
    now = provider.clock.now(session.brand_id)
    return [
        grant
        for grant in provider.delegation.grants.standing()
        if grant.brand_id == session.brand_id
        and grant.brand_user == session.brand_user
        and grant.lasts(now)
    ]


def _day(seconds: float) -> str:
    day = datetime.fromtimestamp(seconds, UTC)
    return f"{day.day} {day:%b %Y}"
