"""The pages between the Brand's login and the personal agent's token (§5.3)."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pact_conformance.counterpart.provider.delegation import consent
from pact_conformance.counterpart.provider.delegation.assertions import PresentedAssertion
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.pages import one, read_fields
from pact_conformance.counterpart.provider.refusals import PageRefusal
from pact_conformance.counterpart.provider.sessions import Session

if TYPE_CHECKING:
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.provider import Provider

Page = Callable[["Provider", "Call", "BrandConfig"], Awaitable["Response"]]


def page(serve: Page) -> Callable[["Provider", "Call"], Awaitable["Response"]]:
    """Make a handler of what serves a page; what it refuses is said on a page too."""

    @wraps(serve)
    async def handle(provider: "Provider", call: "Call") -> "Response":
        assert call.brand is not None
        try:
            return await serve(provider, call, call.brand)
        except PageRefusal as refusal:
            return provider.pages.refuse(refusal, call.brand.name)

    return handle


@page
async def take_assertion(provider: "Provider", call: "Call", brand: "BrandConfig") -> "Response":
    """Take the User back from the Brand's login, and go on to consent as that User."""
    fields = await read_fields(call.request, provider.config.max_body)
    now = provider.clock.now(brand.id)
    assertion = PresentedAssertion(
        text=one(fields, "assertion"), user_code=one(fields, "user_code"), brand=brand, now=now
    )
    parts = provider.delegation.consent
    for step in parts.assertion_steps:
        step(provider, assertion)
    code = flow_to_show(provider, assertion)
    session = Session(
        brand_id=brand.id,
        brand_user=assertion.claims["sub"],
        name=assertion.claims.get("name") or assertion.claims["sub"],
        expires_at=now + brand.session_seconds,
        code=code,
    )
    if code.decision == "pending":
        skip_consent(provider, session, code)
    issuer = provider.delegation.issuer(provider, brand.id)
    response = provider.pages.go(f"{issuer}/{'consent' if code.decision == 'pending' else 'done'}")
    path = urlsplit(issuer).path
    is_secure = provider.base.startswith("https:")
    parts.sessions.start(session, response, path=path, secure=is_secure)
    return response


@page
async def show_consent(provider: "Provider", call: "Call", brand: "BrandConfig") -> "Response":
    """Show what the personal agent asks for."""
    session, code = flow_of(provider, call, brand)
    if code.decision != "pending":
        return provider.pages.go(f"{provider.delegation.issuer(provider, brand.id)}/done")
    check_lasts(provider, code)
    view = consent.shown(provider, session, code)
    return provider.pages.show("consent", view)


@page
async def take_decision(provider: "Provider", call: "Call", brand: "BrandConfig") -> "Response":
    """Take what the User has decided."""
    fields = await read_fields(call.request, provider.config.max_body)
    session, code = flow_of(provider, call, brand)
    check_csrf(session, one(fields, "csrf"))
    if code.decision == "pending":
        check_lasts(provider, code)
        provider.delegation.consent.decide(provider, session, code, fields)
    return provider.pages.go(f"{provider.delegation.issuer(provider, brand.id)}/done")


@page
async def show_done(provider: "Provider", call: "Call", brand: "BrandConfig") -> "Response":
    """Show what has come of it."""
    session, code = flow_of(provider, call, brand)
    if code.decision == "pending":
        return provider.pages.go(f"{provider.delegation.issuer(provider, brand.id)}/consent")
    view = {
        "agent": consent.agent_origin(code.client_id),
        "brand": brand.name,
        "account": session.name,
        "approved": [brand.scopes[scope] for scope in code.granted],
        "grants": f"{provider.delegation.issuer(provider, brand.id)}/grants",
    }
    return provider.pages.show("done", view)


def skip_consent(provider: "Provider", session: Session, code: DeviceCode) -> None:
    """Approve a flow at once where a grant covers it already (§5.3)."""
    covering = provider.delegation.consent.covering_grant(provider, session, code)
    if covering is not None:
        code.decided_by = session.brand_user
        code.approve(covering, code.scopes)


def flow_to_show(provider: "Provider", assertion: PresentedAssertion) -> DeviceCode:
    """Return the flow of an assertion's user code: to decide it, or to see what was decided.

    Raises:
        PageRefusal: there is no such flow at this Brand, it has expired, or somebody else has
            decided it.
    """
    code = provider.delegation.codes.by_user_code(assertion.user_code)
    if code is None or code.brand_id != assertion.brand.id:
        raise PageRefusal(
            404, "This code is not known", "Please open the link again that you were given."
        )
    if code.decision == "pending":
        check_lasts(provider, code)
    elif code.decided_by != assertion.claims["sub"]:
        raise PageRefusal(410, "This link has been used", "Your assistant can give you a new one.")
    return code


def check_lasts(provider: "Provider", code: DeviceCode) -> None:
    """Refuse to go on with a flow whose codes have expired."""
    if provider.clock.now(code.brand_id) >= code.expires_at:
        raise PageRefusal(410, "This link has expired", "Your assistant can give you a new one.")


def session_of(provider: "Provider", call: "Call", brand: "BrandConfig") -> Session:
    """Return the session of a browser; without one there is nothing to see here (§5.3)."""
    now = provider.clock.now(brand.id)
    session = provider.delegation.consent.sessions.of(call.request, brand.id, now)
    if session is None:
        raise PageRefusal(
            403, "You are not signed in", "Please open the link again that you were given."
        )
    return session


def flow_of(provider: "Provider", call: "Call", brand: "BrandConfig") -> tuple[Session, DeviceCode]:
    """Return the session of a browser, and the flow that an assertion brought into it."""
    session = session_of(provider, call, brand)
    assert session.code is not None
    return session, session.code


def check_csrf(session: Session, csrf: str) -> None:
    """Refuse a form that is not from one of our pages in this browser."""
    if not session.sent(csrf):
        raise PageRefusal(403, "That did not come from this page", "Please go back and try again.")
