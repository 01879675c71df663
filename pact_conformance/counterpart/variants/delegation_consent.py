"""Legal decisions on the consent page, and what comes after it (§5.3)."""

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from starlette.responses import HTMLResponse, RedirectResponse, Response

from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.delegation import consent, consent_pages
from pact_conformance.counterpart.provider.delegation.codes import DeviceCode
from pact_conformance.counterpart.provider.delegation.consent import Fields
from pact_conformance.counterpart.provider.delegation.grants import Grant
from pact_conformance.counterpart.provider.operations import Operation
from pact_conformance.counterpart.provider.pages import one, read_fields
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import PageRefusal
from pact_conformance.counterpart.provider.sessions import Session
from pact_conformance.counterpart.variants.delegation_changes import change_page
from pact_conformance.counterpart.variants.registry import variant

View = Mapping[str, Any]

# Decisions


@variant()
def always_asks_for_consent(provider: Provider) -> None:
    """Consent is never skipped."""
    provider.delegation.consent.covering_grant = lambda _provider, _session, _code: None


@variant()
def asks_for_consent_to_be_confirmed(provider: Provider) -> None:
    """After the scopes a second page asks to confirm what was chosen."""
    routes = provider.delegation.routes
    decide = routes["decide"].handle

    @consent_pages.page
    async def confirm(provider: Provider, call: Call, brand: BrandConfig) -> Response:
        fields = await read_fields(call.request, provider.config.max_body)
        session, _ = consent_pages.flow_of(provider, call, brand)
        consent_pages.check_csrf(session, one(fields, "csrf"))
        hidden = "".join(
            f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
            for name, values in fields.items()
            for value in values
        )
        return HTMLResponse(
            f"<!doctype html><title>Sure?</title><p>Are you sure?</p>"
            f'<form method="post" action="confirmed">{hidden}<button>Confirm</button></form>'
        )

    routes.handle("decide", confirm)
    routes.add(
        Operation("confirmed", "POST", "/oauth/confirmed", decide, public=True, is_a2a=False)
    )


@variant()
def gives_a_token_without_scopes(provider: Provider) -> None:
    """Who approves nothing but sends the form gets the agent a token without any scope."""
    parts = provider.delegation.consent

    def decide(provider: Provider, session: Session, code: DeviceCode, fields: Fields) -> None:
        scopes = parts.approved_scopes(code, fields)
        if fields.get("decision") != ["approve"]:
            code.deny()
            return
        code.approve(parts.grant(provider, session, code, scopes), scopes)

    parts.decide = decide


@variant()
def takes_no_empty_selection(provider: Provider) -> None:
    """Who ticks nothing gets the consent page again, which says that something must be ticked."""
    parts = provider.delegation.consent
    original = parts.decide

    def decide(provider: Provider, session: Session, code: DeviceCode, fields: Fields) -> None:
        if fields.get("decision") == ["approve"] and not parts.approved_scopes(code, fields):
            return
        original(provider, session, code, fields)

    parts.decide = decide


@variant()
def complains_about_an_empty_selection(provider: Provider) -> None:
    """Who ticks nothing gets a page with 422, and the flow stays pending."""
    parts = provider.delegation.consent
    original = parts.decide

    def decide(provider: Provider, session: Session, code: DeviceCode, fields: Fields) -> None:
        if fields.get("decision") == ["approve"] and not parts.approved_scopes(code, fields):
            raise PageRefusal(422, "Nothing was chosen", "Please go back and tick something.")
        original(provider, session, code, fields)

    parts.decide = decide


@variant()
def skips_consent_where_grants_together_cover_it(provider: Provider) -> None:
    """Consent is skipped where several grants together cover the request."""
    parts = provider.delegation.consent
    conditions = {it.__name__: it for it in parts.skipping}

    def covering(provider: Provider, session: Session, code: DeviceCode) -> Grant | None:
        wanted = consent.wanted(provider, session, code)
        own = [
            grant
            for grant in provider.delegation.grants.standing()
            if all(
                condition(grant, wanted)
                for name, condition in conditions.items()
                if name != "grant_covers_every_scope"
            )
        ]
        held = {scope for grant in own for scope in grant.scopes}
        if not set(code.scopes) <= held:
            return None
        return parts.grant(provider, session, code, code.scopes)

    parts.covering_grant = covering


# The end


def _end_at(provider: Provider, where: str) -> None:
    """Let the page after the decision redirect."""

    async def done(provider: Provider, call: Call) -> Response:
        assert call.brand is not None
        site = provider.domains.url(call.brand.id)
        return RedirectResponse(where.format(site=site), 302)

    provider.delegation.routes.handle("done", done)


@variant()
def ends_at_the_site_of_the_brand(provider: Provider) -> None:
    """After the decision the browser is sent to the Brand's site, which has no such page."""
    _end_at(provider, "{site}/thank-you?from=" + quote("http://x/"))


@variant()
def ends_at_a_site_that_is_not_there(provider: Provider) -> None:
    """After the decision the browser is sent to a site that cannot be reached."""
    _end_at(provider, "http://127.0.0.1:9/thank-you")


@variant()
def ends_in_another_application(provider: Provider) -> None:
    """After the decision the browser is sent out of itself, to an application."""
    _end_at(provider, "assistant-app://done?state=1")


@variant()
def ends_on_an_empty_page(provider: Provider) -> None:
    """After the decision there is an empty answer with 204."""

    async def done(_provider: Provider, _call: Call) -> Response:
        return Response(status_code=204)

    provider.delegation.routes.handle("done", done)


@variant()
def ends_on_a_page_that_goes_on(provider: Provider) -> None:
    """After the decision a page leads on by a Refresh, and has a form to search and a log-out."""

    def change(page: str, _view: View) -> str:
        more = (
            '<form action="/search"><input type="search" name="q"><button>Go</button></form>'
            '<form method="post" action="/logout"><button>Sign out</button></form>'
        )
        return page.replace("</main>", f"{more}</main>")

    change_page(provider, "done", change)
