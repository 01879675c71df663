"""The cookies of one browser (RFC 6265): kept by host, path and Secure; a port tells nothing."""

import http.cookiejar
from urllib.parse import urlsplit
from urllib.request import Request

import httpx

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class _Policy(http.cookiejar.DefaultCookiePolicy):
    """As the browsers do: loopback is secure without TLS."""

    def return_ok_secure(self, cookie: http.cookiejar.Cookie, request: Request) -> bool:
        """Say whether a cookie may go out on this connection."""
        if urlsplit(request.get_full_url()).hostname in _LOOPBACK:
            return True
        return super().return_ok_secure(cookie, request)


def empty() -> httpx.Cookies:
    """Return the cookies of a new browser: none."""
    # a cookie without a Domain goes back to its own host alone, and to none below
    policy = _Policy(strict_ns_domain=_Policy.DomainStrictNonDomain)
    return httpx.Cookies(http.cookiejar.CookieJar(policy))


def header(cookies: httpx.Cookies, method: str, url: str) -> str | None:
    """Return the Cookie header of a request; None without one."""
    request = httpx.Request(method, url)
    cookies.set_cookie_header(request)
    value = request.headers.get("cookie")
    return None if value is None else str(value)


def across(cookies: httpx.Cookies) -> httpx.Cookies:
    """Return those that a browser sends along with a form of another site."""
    found = empty()
    for cookie in cookies.jar:
        kept = str(_attribute(cookie, "samesite") or "").strip().lower()
        if kept not in {"lax", "strict"}:
            found.jar.set_cookie(cookie)
    return found


def _attribute(cookie: http.cookiejar.Cookie, name: str) -> str | None:
    """Return an attribute that http.cookiejar keeps and does not know, however it is written."""
    kept: dict[str, str | None] = vars(cookie).get("_rest", {})
    return next((value for key, value in kept.items() if key.lower() == name), None)


def take(cookies: httpx.Cookies, method: str, url: str, headers: httpx.Headers) -> None:
    """Keep the cookies that an answer sets."""
    if "set-cookie" in headers:
        cookies.extract_cookies(
            httpx.Response(200, headers=headers, request=httpx.Request(method, url))
        )


def add(cookies: httpx.Cookies, name: str, value: str, domain: str, path: str) -> None:
    """Keep a cookie that another browser got."""
    # http.cookiejar knows a host without a dot as one of the domain "local" (RFC 2965).
    known = domain if "." in domain else f"{domain}.local"
    cookies.set(name, value, domain=known, path=path)
