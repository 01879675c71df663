"""Flaws of §5.3: the login, and what brings the User back from it."""

from dataclasses import replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.brand_site.assertions import Attested
from pact_conformance.counterpart.provider.brand_site.login import code_in, origin
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.delegation.consent_pages import take_assertion
from pact_conformance.counterpart.provider.operations import Operation
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.sessions import Session
from pact_conformance.wire.media_types import FORM


@flaw(
    "5.3-consent-skip-own-grant",
    "5.3-link-opens-login",
    "5.4-sub",
    "5.5-other-brand-user",
    "5.5-retry-other-user",
)
def takes_whoever_has_the_link_for_the_first_customer(provider: Provider) -> None:
    """The link signs in the first account by itself, in whatever browser it is opened."""

    async def show(provider: Provider, brand: BrandConfig, request: Request) -> Response:
        user_code = code_in(provider, brand, request.query_params.get("return_to", ""))
        account, now = brand.accounts[0], provider.clock.now(brand.id)
        session = Session(brand.id, account.user, account.username, now + brand.session_seconds)
        return provider.login.hand_over(provider, brand, session, user_code)

    provider.login.show = show


def _attest(provider: Provider, brand: BrandConfig, session: Session, user_code: str) -> str:
    attested = Attested(brand, session, user_code, provider.clock.now(brand.id))
    return provider.login.mint_assertion(provider, attested)


def _return_address(provider: Provider, brand: BrandConfig) -> str:
    return f"{provider.delegation.issuer(provider, brand.id)}/return"


def _take_from_the_url(provider: Provider) -> None:
    """Let the return address take the fields of its form from the query too, and by GET."""

    async def handle(provider: Provider, call: Call) -> Response:
        query = call.request.url.query
        if "assertion" not in call.request.query_params:
            return await take_assertion(provider, call)
        headers = [
            (name, value)
            for name, value in call.request.scope["headers"]
            if name != b"content-type"
        ]
        scope = {**call.request.scope, "headers": [*headers, (b"content-type", FORM.encode())]}

        async def receive() -> Message:
            return {"type": "http.request", "body": query.encode(), "more_body": False}

        return await take_assertion(provider, replace(call, request=Request(scope, receive)))

    routes = provider.delegation.routes
    routes.handle("return", handle)
    routes.add(
        Operation("return by GET", "GET", "/oauth/return", handle, public=True, is_a2a=False)
    )


@flaw("5.3-assertion-by-post")
def redirects_with_the_assertion_in_the_url(provider: Provider) -> None:
    """The User comes back from the login by a redirect that carries the assertion."""

    def hand_over(
        provider: Provider, brand: BrandConfig, session: Session, user_code: str
    ) -> Response:
        assertion = _attest(provider, brand, session, user_code)
        query = urlencode({"user_code": user_code, "assertion": assertion})
        return provider.pages.go(f"{_return_address(provider, brand)}?{query}")

    provider.login.hand_over = hand_over
    _take_from_the_url(provider)


@flaw("5.3-assertion-by-post")
def puts_the_assertion_in_the_url_too(provider: Provider) -> None:
    """The User comes back by POST, to a URL that carries the assertion as well."""

    def hand_over(
        provider: Provider, brand: BrandConfig, session: Session, user_code: str
    ) -> Response:
        fields = {
            "user_code": user_code,
            "assertion": _attest(provider, brand, session, user_code),
        }
        action = f"{_return_address(provider, brand)}?{urlencode(fields)}"
        view = {"brand": brand.name, "name": session.name, "action": action, "fields": fields}
        return provider.pages.show("hand_over", view, sends_to=origin(action))

    provider.login.hand_over = hand_over
    _take_from_the_url(provider)


@flaw("5.3-assertion-single-use")
def takes_an_assertion_twice(provider: Provider) -> None:
    """Of an assertion only the lifetime is checked."""
    provider.delegation.consent.assertion_steps.drop("it_is_used_once")


@flaw("5.3-assertion-bound")
def takes_an_assertion_for_any_flow(provider: Provider) -> None:
    """The user code travels beside the assertion, and is not compared with the one inside it."""
    provider.delegation.consent.assertion_steps.drop("it_is_for_this_code")


@flaw("5.3-assertion-bound")
def makes_assertions_for_no_flow_in_particular(provider: Provider) -> None:
    """The Brand's assertion says who has signed in, and not for what."""
    del provider.login.assertion_claims["user_code"]
    provider.delegation.consent.assertion_steps.drop("it_is_for_this_code")
