"""Legal ways from the link to the consent page (§5.3)."""

import re
import secrets
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, RedirectResponse, Response

from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.delegation import consent_pages
from pact_conformance.counterpart.provider.operations import Operation
from pact_conformance.counterpart.provider.pages import one, read_fields
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import PageRefusal
from pact_conformance.counterpart.provider.sessions import Session
from pact_conformance.counterpart.variants.delegation_changes import change_page
from pact_conformance.counterpart.variants.registry import variant

if TYPE_CHECKING:
    from starlette.requests import Request

View = Mapping[str, Any]


@variant()
def asks_for_the_login_each_time(provider: Provider) -> None:
    """The Brand keeps no session: who follows a link signs in, and is handed over at once."""
    login = provider.login
    sessions = login.sessions

    async def take(provider: Provider, brand: BrandConfig, request: "Request") -> Response:
        fields = await read_fields(request, provider.config.max_body)
        return_to = one(fields, "return_to")
        account = login.authenticate(brand, one(fields, "username"), one(fields, "password"))
        if account is None:
            return RedirectResponse(f"{login.path}?failed=1", 303)
        user_code = return_to.partition("user_code=")[2]
        session = Session(brand.id, account.user, account.username, 1e12)
        return login.hand_over(provider, brand, session, user_code)

    sessions.of = lambda *_: None  # type: ignore[method-assign]
    login.take = take


@variant()
def asks_for_the_name_before_the_password(provider: Provider) -> None:
    """The login has two pages: the first asks for the user name, the second for the password."""
    login = provider.login

    def name_alone(page: str, _view: View) -> str:
        page = re.sub(r'<label for="password">.*?current-password">', "", page, flags=re.DOTALL)
        return page.replace(">Sign in</button>", ">Next</button>").replace(
            'method="post"', 'method="get"'
        )

    change_page(provider, "login", name_alone)
    show = login.show

    async def shown(provider: Provider, brand: BrandConfig, request: "Request") -> Response:
        username = request.query_params.get("username")
        if username is None:
            return await show(provider, brand, request)
        return_to = request.query_params.get("return_to", "")
        return HTMLResponse(
            f"<!doctype html><title>Password</title><p>Hello {escape(username)}!</p>"
            f'<form method="post" action="{login.path}">'
            f'<input type="hidden" name="username" value="{escape(username)}">'
            f'<input type="hidden" name="return_to" value="{escape(return_to)}">'
            '<label>Password <input type="password" name="password"></label>'
            "<button>Sign in</button></form>"
        )

    login.show = shown


@variant()
def redirects_before_the_login(provider: Provider) -> None:
    """The link redirects several times, in several ways, before the login is shown."""
    show = provider.login.show

    async def shown(provider: Provider, brand: BrandConfig, request: "Request") -> Response:
        step = int(request.query_params.get("step", "0"))
        if step == len(_WAYS):
            return await show(provider, brand, request)
        url = request.url.include_query_params(step=step + 1)
        response = RedirectResponse(f"{url.path}?{url.query}", _WAYS[step])
        response.set_cookie(f"step{step}", secrets.token_hex(4), path="/login")
        return response

    provider.login.show = shown


_WAYS = (302, 303, 307, 301, 308)


@variant()
def greets_before_the_login(provider: Provider) -> None:
    """The link shows a page that says what will happen, with a link to the login and others."""
    show = provider.login.show

    async def shown(provider: Provider, brand: BrandConfig, request: "Request") -> Response:
        session = provider.login.sessions.of(request, brand.id, provider.clock.now(brand.id))
        if "ready" in request.query_params or session is not None:
            return await show(provider, brand, request)
        url = request.url.include_query_params(ready="1")
        return HTMLResponse(
            '<!doctype html><title>Welcome</title><nav><a href="/">Home</a> <a href="/help">Help'
            "</a></nav><p>An assistant wants to act for you.</p>"
            f'<p><a href="{escape(f"{url.path}?{url.query}")}">Sign in to go on</a></p>'
        )

    provider.login.show = shown


@variant()
def has_more_on_its_login(provider: Provider) -> None:
    """The login has a search, a box to be remembered, other ways to sign in, and a token."""
    before = '<form action="/search"><input type="search" name="q"><button>Search</button></form>'
    sso = (
        '<form method="post" action="/sso"><button name="sso">Sign in with Example</button></form>'
    )
    more = (
        '<input type="hidden" name="_csrf" value="abc"><label><input type="checkbox"'
        ' name="remember" value="1"> Remember me</label> <a href="/forgot">Forgot password?</a>'
    )

    def change(page: str, _view: View) -> str:
        page = page.replace("<main>", f"<main>{before}{sso}", 1)
        return page.replace('<button type="submit" class="first">', f"{more}<button>", 1)

    change_page(provider, "login", change)


@variant()
def waits_a_moment_after_the_login(provider: Provider) -> None:
    """After the login a page that shows who has signed in asks to continue."""

    def without_script(page: str, _view: View) -> str:
        return re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)

    change_page(provider, "hand_over", without_script)


@variant()
def carries_the_user_code_in_the_assertion_alone(provider: Provider) -> None:
    """The way back has one field, of another name; the user code stands within the assertion."""

    def change(page: str, _view: View) -> str:
        page = re.sub(r'<input type="hidden" name="user_code"[^>]*>', "", page)
        return page.replace('name="assertion"', 'name="SAMLResponse"')

    change_page(provider, "hand_over", change)
    take = provider.delegation.routes["return"].handle

    async def handle(provider: Provider, call: Call) -> Response:
        fields = await read_fields(call.request, provider.config.max_body)
        text = one(fields, "SAMLResponse")
        pairs = f"assertion={text}&user_code={_user_code(text)}".encode()
        call.request = _with_body(call.request, pairs)
        return await take(provider, call)

    provider.delegation.routes.handle("return", handle)


def _user_code(assertion: str) -> str:
    from pact_conformance.counterpart.provider import jose  # noqa: PLC0415 - used here alone

    try:
        claims = jose.read_object(jose.decode_segment(assertion.split(".")[1]))
    except (ValueError, IndexError):
        return ""
    return str(claims.get("user_code", ""))


def _with_body(request: "Request", body: bytes) -> "Request":
    """Return a request with another body."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return type(request)(request.scope, receive)


@variant()
def binds_the_return_to_the_browser(provider: Provider) -> None:
    """The way begins at the Provider, which takes the assertion from that browser alone."""
    delegation = provider.delegation
    login_link = delegation.login_link
    browsers: set[str] = set()

    def link(provider: Provider, brand_id: str, user_code: str | None = None) -> str:
        query = "" if user_code is None else f"?user_code={user_code}"
        return f"{delegation.issuer(provider, brand_id)}/start{query}"

    async def start(provider: Provider, call: Call) -> Response:
        assert call.brand is not None
        code = call.request.query_params.get("user_code")
        response = RedirectResponse(login_link(provider, call.brand.id, code), 303)
        browsers.add(value := secrets.token_urlsafe(16))
        # The assertion comes from another site, so that a lax cookie would stay at home.
        response.set_cookie("browser", value, path=call.request.url.path.removesuffix("/start"))
        return response

    take = delegation.routes["return"].handle

    @consent_pages.page
    async def handle(provider: Provider, call: Call, _brand: BrandConfig) -> Response:
        if call.request.cookies.get("browser") not in browsers:
            raise PageRefusal(403, "This is another browser", "Please open the link again.")
        return await take(provider, call)

    delegation.routes.handle("return", handle)
    delegation.routes.add(
        Operation("start", "GET", "/oauth/start", start, public=True, is_a2a=False)
    )
    for member in ("verification_uri", "verification_uri_complete"):
        delegation.device_response[member] = _linked(link, complete=member.endswith("complete"))
    delegation.task_metadata["pact.verificationUriComplete"] = lambda provider, it: link(
        provider, it.brand_id, it.code.user_code
    )


def _linked(link: Any, *, complete: bool) -> Any:  # noqa: ANN401 - both are functions
    return lambda provider, brand, code: link(
        provider, brand.id, code.user_code if complete else None
    )


@variant()
def asks_for_the_code_to_be_compared(provider: Provider) -> None:
    """Between login and consent a page of the Provider asks whether the code is the same."""
    routes = provider.delegation.routes
    show = routes["consent"].handle

    @consent_pages.page
    async def compare(provider: Provider, call: Call, brand: BrandConfig) -> Response:
        _, code = consent_pages.flow_of(provider, call, brand)
        if "compared" in call.request.query_params:
            return await show(provider, call)
        return HTMLResponse(
            "<!doctype html><title>Your code</title><p>Does your assistant show you this code?</p>"
            f'<form><input type="hidden" name="compared" value="1"><p>{code.user_code}</p>'
            "<button>Yes, continue</button></form>"
        )

    routes.handle("consent", compare)


@variant()
def redirects_before_the_consent(provider: Provider) -> None:
    """After the way back the Provider redirects several times before it shows the consent page."""
    routes = provider.delegation.routes
    show = routes["consent"].handle

    async def shown(provider: Provider, call: Call) -> Response:
        step = int(call.request.query_params.get("step", "0"))
        if step < len(_WAYS):
            return RedirectResponse(f"consent?step={step + 1}", _WAYS[step])
        return await show(provider, call)

    routes.handle("consent", shown)


@variant()
def signs_users_in_at_one_origin(provider: Provider) -> None:
    """The Brand's login is at the Provider's origin, so that nothing is handed over."""
    login, delegation = provider.login, provider.delegation

    def login_link(provider: Provider, brand_id: str, user_code: str | None = None) -> str:
        query = "" if user_code is None else f"?user_code={user_code}"
        return f"{delegation.issuer(provider, brand_id)}/login{query}"

    @consent_pages.page
    async def show(provider: Provider, call: Call, brand: BrandConfig) -> Response:
        user_code = call.request.query_params.get("user_code", "")
        view = {
            "brand": brand.name,
            "action": "login",
            "return_to": user_code,
            "asks_for_code": False,
            "failed": False,
        }
        return provider.pages.show("login", view)

    @consent_pages.page
    async def take(provider: Provider, call: Call, brand: BrandConfig) -> Response:
        login.check_origin(provider, brand, call.request)
        fields = await read_fields(call.request, provider.config.max_body)
        account = login.authenticate(brand, one(fields, "username"), one(fields, "password"))
        if account is None:
            raise PageRefusal(403, "That is wrong", "Please go back and try again.")
        code = delegation.codes.by_user_code(one(fields, "return_to"))
        if code is None or code.brand_id != brand.id:
            raise PageRefusal(404, "This code is not known", "Please open the link again.")
        ends_at = provider.clock.now(brand.id) + brand.session_seconds
        session = Session(brand.id, account.user, account.username, ends_at, code)
        consent_pages.skip_consent(provider, session, code)
        where = "consent" if code.decision == "pending" else "done"
        response = provider.pages.go(f"{delegation.issuer(provider, brand.id)}/{where}")
        path = call.request.scope["path"].removesuffix("/login")
        delegation.consent.sessions.start(session, response, path=path, secure=False)
        return response

    delegation.login_link = login_link
    delegation.routes.add(
        Operation("show login", "GET", "/oauth/login", show, public=True, is_a2a=False)
    )
    delegation.routes.add(
        Operation("take login", "POST", "/oauth/login", take, public=True, is_a2a=False)
    )


@variant()
def keeps_the_flow_in_the_url(provider: Provider) -> None:
    """The consent page has the flow's handle in its URL beside the cookie of the session."""
    routes = provider.delegation.routes
    show = routes["consent"].handle

    async def shown(provider: Provider, call: Call) -> Response:
        if "flow" not in call.request.query_params:
            return RedirectResponse(f"consent?flow={secrets.token_urlsafe(24)}", 303)
        return await show(provider, call)

    routes.handle("consent", shown)
