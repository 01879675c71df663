"""A Provider whose pages follow no advice: framed, kept, told of, sent by other sites."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from starlette.responses import Response

from pact_conformance.counterpart.flaws.registry import advice_flaw
from pact_conformance.counterpart.provider.brand_site.assertions import Attested
from pact_conformance.counterpart.provider.brand_site.login import origin
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.delegation import consent_pages
from pact_conformance.counterpart.provider.delegation.consent_pages import flow_of
from pact_conformance.counterpart.provider.pages import read_fields
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.sessions import Session, Sessions


def _change_pages(provider: Provider, change: Callable[[Response], None]) -> None:
    show = provider.pages.show

    def shown(*arguments: Any, **named: Any) -> Response:  # noqa: ANN401 - handed on as they are
        response = show(*arguments, **named)
        change(response)
        return response

    provider.pages.show = shown  # type: ignore[method-assign]


def _change_cookies(sessions: Sessions, pattern: str, text: str) -> None:
    start = sessions.start

    def started(session: Session, response: Response, *, path: str, secure: bool) -> None:
        start(session, response, path=path, secure=secure)
        name, value = response.raw_headers[-1]
        assert name == b"set-cookie"
        changed = re.sub(pattern, text, value.decode("latin-1"), flags=re.IGNORECASE)
        response.raw_headers[-1] = (name, changed.encode("latin-1"))

    sessions.start = started  # type: ignore[method-assign]


@advice_flaw("hardening-framing")
def lets_its_pages_be_framed(provider: Provider) -> None:
    """Any site may frame the login and the consent page."""

    def open_up(response: Response) -> None:
        del response.headers["x-frame-options"]
        policy = response.headers["content-security-policy"]
        response.headers["content-security-policy"] = policy.replace(
            "frame-ancestors 'none'", "frame-ancestors *"
        )

    _change_pages(provider, open_up)


@advice_flaw("hardening-page-caching")
def lets_its_pages_be_kept(provider: Provider) -> None:
    """Browsers may keep the login and the consent page."""

    def keep(response: Response) -> None:
        response.headers["cache-control"] = "private, max-age=60"

    _change_pages(provider, keep)


@advice_flaw("hardening-referrer")
def tells_other_sites_the_whole_link(provider: Provider) -> None:
    """What the pages load and link to is told their whole URL."""
    render = provider.pages.render

    def rendered(name: str, view: Mapping[str, Any]) -> str:
        return render(name, view).replace('content="no-referrer"', 'content="unsafe-url"')

    provider.pages.render = rendered


@advice_flaw("hardening-cookies")
def leaves_its_cookies_to_scripts(provider: Provider) -> None:
    """Scripts can read the cookies of the login and of the consent page."""
    for sessions in (provider.login.sessions, provider.delegation.consent.sessions):
        _change_cookies(sessions, r";\s*httponly", "")


@advice_flaw("hardening-cookies")
def does_not_say_which_sites_its_cookies_are_for(provider: Provider) -> None:
    """The cookie of the login says nothing of SameSite."""
    _change_cookies(provider.login.sessions, r";\s*samesite=lax", "")


@advice_flaw("hardening-consent-csrf")
def takes_consent_from_any_site(provider: Provider) -> None:
    """The form of the consent page has no secret, and its cookie goes along with any form."""
    _change_cookies(provider.delegation.consent.sessions, "samesite=lax", "SameSite=None")

    @consent_pages.page
    async def decide(provider: Provider, call: Call, brand: BrandConfig) -> Response:
        fields = await read_fields(call.request, provider.config.max_body)
        session, code = flow_of(provider, call, brand)
        if code.decision == "pending":
            provider.delegation.consent.decide(provider, session, code, fields)
        return provider.pages.go(f"{provider.delegation.issuer(provider, brand.id)}/done")

    provider.delegation.routes.handle("decide", decide)


@advice_flaw("hardening-login-csrf")
def signs_in_for_any_site(provider: Provider) -> None:
    """The form of the login is taken from wherever it is sent."""
    provider.login.check_origin = lambda _provider, _brand, _request: None


@advice_flaw("hardening-open-redirect")
def leads_back_to_wherever_the_link_says(provider: Provider) -> None:
    """The login hands the User and the assertion over to the address in the link."""
    addresses: dict[str, str] = {}
    login = provider.login
    link = provider.delegation.login_link

    def code_in(_provider: Provider, _brand: BrandConfig, return_to: str) -> str:
        parts = urlsplit(return_to)
        codes = parse_qs(parts.query).get("user_code", [""])
        addresses[codes[0]] = parts._replace(query="").geturl()
        return codes[0]

    def hand_over(
        provider: Provider, brand: BrandConfig, session: Session, user_code: str
    ) -> Response:
        attested = Attested(brand, session, user_code, provider.clock.now(brand.id))
        address = addresses[user_code]
        fields = {"user_code": user_code, "assertion": login.mint_assertion(provider, attested)}
        view = {"brand": brand.name, "name": session.name, "action": address, "fields": fields}
        return provider.pages.show("hand_over", view, sends_to=origin(address))

    def login_link(provider: Provider, brand_id: str, user_code: str) -> str:
        honest = link(provider, brand_id, user_code)
        own = f"{provider.delegation.issuer(provider, brand_id)}/return"
        return honest.replace(quote(own, safe=""), quote(addresses.get(user_code, own), safe=""))

    login.code_in, login.hand_over = code_in, hand_over
    provider.delegation.login_link = login_link
