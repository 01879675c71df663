"""Cookies as browsers keep them (RFC 6265)."""

import httpx
import pytest

from pact_conformance.subject.approver import cookies


def kept(url: str, *lines: str) -> httpx.Cookies:
    """A browser that got these Set-Cookie lines at a URL."""
    jar = cookies.empty()
    cookies.take(jar, "GET", url, httpx.Headers([("set-cookie", line) for line in lines]))
    return jar


@pytest.mark.parametrize(
    ("line", "set_at", "sent_to", "comes"),
    [
        ("a=1", "http://127.0.0.1:1/", "http://127.0.0.1:2/x", True),
        ("a=1", "http://localhost:1/", "http://localhost:2/x", True),
        ("a=1", "http://localhost:1/", "http://127.0.0.1:1/", False),
        ("a=1", "http://127.0.0.1:1/", "http://localhost:1/", False),
        ("a=1; Secure", "http://localhost:1/", "http://localhost:1/", True),
        ("a=1; Secure", "https://brand.example/", "https://brand.example/", True),
        ("a=1; Secure", "https://brand.example/", "http://brand.example/", False),
        ("a=1", "https://brand.example/", "https://login.brand.example/", False),
        ("a=1; Domain=brand.example", "https://www.brand.example/", "https://brand.example/", True),
        (
            "a=1; Domain=brand.example",
            "https://www.brand.example/",
            "https://id.brand.example/",
            True,
        ),
        ("a=1; Domain=other.example", "https://brand.example/", "https://other.example/", False),
        (
            "a=1; Path=/oauth",
            "https://brand.example/oauth/x",
            "https://brand.example/oauth/y",
            True,
        ),
        ("a=1; Path=/oauth", "https://brand.example/oauth/x", "https://brand.example/", False),
        ("a=1; Max-Age=0", "https://brand.example/", "https://brand.example/", False),
        ("a=1; HttpOnly; SameSite=Lax", "https://brand.example/", "https://brand.example/", True),
    ],
)
def test_where_a_cookie_goes(line: str, set_at: str, sent_to: str, *, comes: bool) -> None:
    jar = kept(set_at, line)

    assert cookies.header(jar, "GET", sent_to) == ("a=1" if comes else None)


def test_several_cookies_go_together_and_a_later_one_replaces() -> None:
    jar = kept("https://brand.example/", "a=1", "b=2")
    cookies.take(
        jar, "GET", "https://brand.example/", httpx.Headers([("set-cookie", "a=3; Path=/")])
    )

    assert set(str(cookies.header(jar, "GET", "https://brand.example/")).split("; ")) == {
        "a=3",
        "b=2",
    }


@pytest.mark.parametrize(
    ("domain", "url"),
    [
        ("localhost", "http://localhost:1/"),
        ("127.0.0.1", "http://127.0.0.1:1/"),
        (".brand.example", "https://id.brand.example/"),
        ("brand.example", "https://brand.example/"),
    ],
)
def test_a_cookie_of_another_browser_is_kept(domain: str, url: str) -> None:
    jar = cookies.empty()

    cookies.add(jar, "a", "1", domain, "/")

    assert cookies.header(jar, "POST", url) == "a=1"
    assert cookies.header(jar, "POST", "https://elsewhere.example/") is None
