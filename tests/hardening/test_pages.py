"""What is read of pages' answers, whatever legal form they have."""

import pytest

from pact_conformance.subject.approver import Answered, Step
from suites.hardening.crossing_sites import ALTERED, altered
from suites.hardening.guessing import bits_of, enough
from suites.hardening.reading_pages import (
    Cookie,
    Seen,
    cookies,
    lacking,
    may_be_framed,
    may_be_kept,
    referrer_policy,
)


def page(*headers: tuple[str, str], meta: str = "") -> Seen:
    return Seen("the login", "https://brand.example/login", Answered(headers, meta))


@pytest.mark.parametrize(
    "header",
    [
        ("content-security-policy", "frame-ancestors 'none'"),
        ("content-security-policy", "default-src 'self'; FRAME-ANCESTORS 'self'"),
        ("content-security-policy", "frame-ancestors https://brand.example"),
        ("content-security-policy", "default-src 'self', frame-ancestors 'none'"),
        ("content-security-policy", "frame-ancestors"),
        ("x-frame-options", "DENY"),
        ("x-frame-options", "SameOrigin"),
    ],
)
def test_a_page_that_forbids_frames(header: tuple[str, str]) -> None:
    assert not may_be_framed(page(header))


@pytest.mark.parametrize(
    "header",
    [
        ("content-security-policy", "default-src 'none'"),
        ("content-security-policy", "frame-ancestors *"),
        ("content-security-policy", "frame-ancestors https:"),
        ("content-security-policy-report-only", "frame-ancestors 'none'"),
        ("x-frame-options", "ALLOW-FROM https://a.example"),
        ("x-content-type-options", "nosniff"),
    ],
)
def test_a_page_that_anybody_may_frame(header: tuple[str, str]) -> None:
    assert may_be_framed(page(header))


def test_a_page_is_kept_unless_it_says_no_store() -> None:
    assert not may_be_kept(page(("cache-control", "private, No-Store, max-age=0")))
    assert may_be_kept(page(("cache-control", "no-cache")))
    assert may_be_kept(page())


def test_the_policy_of_the_page_comes_before_that_of_its_answer() -> None:
    both = ("referrer-policy", "no-referrer, strict-origin-when-cross-origin")

    assert referrer_policy(page(both)) == "strict-origin-when-cross-origin"
    assert referrer_policy(page(both, meta="unsafe-url")) == "unsafe-url"
    assert referrer_policy(page(("referrer-policy", "something-new"))) == ""


def read(line: str, url: str = "https://brand.example/login") -> list[Cookie]:
    return list(cookies((Step("GET", url, 200, answered=Answered((("set-cookie", line),))),)))


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("sid=0123456789abcdef; Secure; HttpOnly; SameSite=Lax; Path=/", []),
        ("sid=0123456789abcdef; secure; httponly; samesite=None", []),
        ("sid=0123456789abcdef", ["HttpOnly", "SameSite", "Secure"]),
        ("sid=0123456789abcdef; Secure; SameSite=Strict", ["HttpOnly"]),
        ("lang=de; Secure", []),
        ("XSRF-TOKEN=0123456789abcdef0123; Secure", []),
    ],
)
def test_what_a_cookie_lacks(line: str, missing: list[str]) -> None:
    (cookie,) = read(line)

    assert list(lacking(cookie)) == missing


def test_a_cookie_in_the_clear_need_not_be_secure() -> None:
    (cookie,) = read("sid=0123456789abcdef; HttpOnly; SameSite=Lax", "http://localhost:1/login")

    assert list(lacking(cookie)) == []


def test_a_cookie_that_is_taken_away_is_none() -> None:
    assert read("sid=; Max-Age=0") == []


@pytest.mark.parametrize(
    ("codes", "least", "most"),
    [
        (["WDJB-MJHT", "KQZT-XVBN", "PFGR-LSDC"], 37, 38),
        (["482913", "556790", "630667", "704544"], 15, 20),
        (["12345678", "90817263", "74639281"], 26, 27),
        (["dc_" + "aB3-_x" * 8, "dc_" + "Zq9_-y" * 8], 200, 300),
        (["v1.same.1", "v1.same.2"], 3, 4),
    ],
)
def test_bits_are_counted_where_codes_differ(codes: list[str], least: int, most: int) -> None:
    assert least <= bits_of(codes) <= most


def test_a_digit_that_is_the_same_by_chance_costs_no_code_its_bits() -> None:
    codes = ["71234567", "72345678", "73456789", "74567890"]
    codes += ["15678901", "26789012", "37890123", "48901234"]

    assert len(enough(codes.__getitem__, least=23)) == 4
    assert bits_of(codes[:4]) < 25 <= bits_of(enough(codes.__getitem__, least=25))


def test_no_altered_address_leads_to_the_provider() -> None:
    found = altered("https://provider.example/a2a/1/oauth/return?user_code=A-B")

    assert tuple(found) == ALTERED
    assert all("elsewhere.example" in it for it in found.values())
    assert found["good-host-as-a-user"].startswith("https://provider.example@elsewhere.example/")
