"""The Brand's login: a form, a session, and the way back to the Provider with an assertion (§5.3).

The link leads here, `/login?return_to=…`, where `return_to` is the Provider's return address and
carries the user code. While the browser's session at the Brand lasts, nobody is asked to sign in.
"""

import hmac
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from starlette.responses import Response

from pact_conformance.counterpart.provider.brand_site.assertions import (
    Attested,
    assertion_claims,
    mint_assertion,
)
from pact_conformance.counterpart.provider.delegation.codes import as_typed
from pact_conformance.counterpart.provider.delegation.signing import SigningKeys
from pact_conformance.counterpart.provider.pages import one, read_fields
from pact_conformance.counterpart.provider.refusals import PageRefusal
from pact_conformance.counterpart.provider.sessions import Session, Sessions

if TYPE_CHECKING:
    from starlette.requests import Request

    from pact_conformance.counterpart.provider.configuration import AccountConfig, BrandConfig
    from pact_conformance.counterpart.provider.provider import Provider

HandOver = Callable[["Provider", "BrandConfig", Session, str], Response]
"""Sends the browser of a session back to the Provider, for the flow of a user code."""


class Login:
    """The parts of the Brands' login."""

    path = "/login"

    def __init__(self) -> None:
        self.sessions = Sessions("brand")
        self.keys = SigningKeys()
        """The Brands' own keys, with which they sign assertions."""
        self.assertion_claims = assertion_claims()
        self.mint_assertion: Callable[[Provider, Attested], str] = mint_assertion
        self.authenticate: Callable[[BrandConfig, str, str], AccountConfig | None] = authenticate
        self.code_in: Callable[[Provider, BrandConfig, str], str] = code_in
        self.check_origin: Callable[[Provider, BrandConfig, Request], None] = check_origin
        self.hand_over: HandOver = hand_over
        self.show: Callable[..., Awaitable[Response]] = show_login
        self.take: Callable[..., Awaitable[Response]] = take_login

    async def answer(
        self, provider: "Provider", brand: "BrandConfig", request: "Request"
    ) -> Response:
        """Serve the login of one Brand."""
        if request.method not in ("GET", "HEAD", "POST"):
            return Response(status_code=405, headers={"Allow": "GET, HEAD, POST"})
        try:
            if request.method in ("GET", "HEAD"):
                return await self.show(provider, brand, request)
            return await self.take(provider, brand, request)
        except PageRefusal as refusal:
            return provider.pages.refuse(refusal, brand.name)


def authenticate(brand: "BrandConfig", username: str, password: str) -> "AccountConfig | None":
    """Return the account with this name and password, None where there is none."""
    for account in brand.accounts:
        same_name = hmac.compare_digest(account.username.encode(), username.encode())
        if hmac.compare_digest(account.password.encode(), password.encode()) and same_name:
            return account
    return None


async def show_login(provider: "Provider", brand: "BrandConfig", request: "Request") -> Response:
    """Serve the link: ask who it is, or hand over at once while the session lasts."""
    return_to = request.query_params.get("return_to", "")
    user_code = provider.login.code_in(provider, brand, return_to)
    now = provider.clock.now(brand.id)
    session = provider.login.sessions.of(request, brand.id, now)
    wants_another = "again" in request.query_params
    if session is not None and user_code and not wants_another:
        return provider.login.hand_over(provider, brand, session, user_code)
    return _form(provider, brand, return_to, user_code)


async def take_login(provider: "Provider", brand: "BrandConfig", request: "Request") -> Response:
    """Take the form, start a session, and go on with the link."""
    provider.login.check_origin(provider, brand, request)
    fields = await read_fields(request, provider.config.max_body)
    return_to = one(fields, "return_to")
    in_link = provider.login.code_in(provider, brand, return_to)
    user_code = in_link or as_typed(one(fields, "user_code"))
    username, password = one(fields, "username"), one(fields, "password")
    account = provider.login.authenticate(brand, username, password)
    if account is None:
        return _form(provider, brand, return_to, in_link, failed=True)
    link = provider.delegation.login_link(provider, brand.id, user_code)
    response = provider.pages.go(link)
    session = Session(
        brand_id=brand.id,
        brand_user=account.user,
        name=account.username,
        expires_at=provider.clock.now(brand.id) + brand.session_seconds,
    )
    is_secure = link.startswith("https:")
    provider.login.sessions.start(session, response, path="/", secure=is_secure)
    return response


def check_origin(provider: "Provider", brand: "BrandConfig", request: "Request") -> None:
    """Refuse a form that another site sent: it would sign the User in as somebody else.

    Browsers say so by `Sec-Fetch-Site`, older ones by `Origin` alone, which is `null` where a page
    has a referrer policy like ours.

    Raises:
        PageRefusal: it is one.
    """
    sent_by = request.headers.get("sec-fetch-site", "same-origin")
    came_from = urlsplit(request.headers.get("origin", "null")).netloc
    own = {"", urlsplit(provider.domains.url(brand.id) or "").netloc, request.headers.get("host")}
    if sent_by not in {"same-origin", "none"} or came_from not in own:
        raise PageRefusal(
            403, "That did not come from this page", "Please open the link that you were given."
        )


def code_in(provider: "Provider", brand: "BrandConfig", return_to: str) -> str:
    """Return the user code that the Provider's return address carries; empty where it has none.

    Raises:
        PageRefusal: it is not the Provider's, so that nobody can be sent elsewhere from here.
    """
    expected = f"{provider.delegation.issuer(provider, brand.id)}/return"
    try:
        parts = urlsplit(return_to)
        codes = parse_qs(parts.query, strict_parsing=bool(parts.query)).pop("user_code", [""])
    except ValueError:
        parts, codes = urlsplit(""), []
    if parts._replace(query="").geturl() != expected or len(codes) != 1:
        raise PageRefusal(
            400, "This link is not complete", "Please open the link again that you were given."
        )
    return codes[0]


def hand_over(
    provider: "Provider", brand: "BrandConfig", session: Session, user_code: str
) -> Response:
    """Send the browser back with an assertion, by POST (§5.3); the code is not in the URL."""
    attested = Attested(brand, session, user_code, provider.clock.now(brand.id))
    address = f"{provider.delegation.issuer(provider, brand.id)}/return"
    view = {
        "brand": brand.name,
        "name": session.name,
        "action": address,
        "fields": {
            "user_code": user_code,
            "assertion": provider.login.mint_assertion(provider, attested),
        },
    }
    return provider.pages.show("hand_over", view, sends_to=origin(address))


def action(provider: "Provider", brand: "BrandConfig") -> str:
    """Return where the form of the login is sent: the Brand's site may be below a path."""
    site = provider.domains.url(brand.id) or ""
    return f"{urlsplit(site).path}{provider.login.path}"


def origin(url: str) -> str:
    """Return the origin of a URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _form(
    provider: "Provider",
    brand: "BrandConfig",
    return_to: str,
    user_code: str,
    *,
    failed: bool = False,
) -> Response:
    view = {
        "brand": brand.name,
        "action": action(provider, brand),
        "return_to": return_to,
        "asks_for_code": not user_code,
        "failed": failed,
    }
    return provider.pages.show("login", view, status=403 if failed else 200)
