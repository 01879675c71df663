"""Forms that a page of another site sends, places that no browser of ours goes to, and answers."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pact_conformance.subject.approver import Errand, cookies
from pact_conformance.subject.approver.foreign import without_secrets
from pact_conformance.subject.approver.submission import Request as Asked
from pact_conformance.verdicts import Untested

from .playing import approver, errand
from .site import Site

ELSEWHERE = "https://elsewhere.example"


def posted(site: Site, path: str) -> tuple[dict[str, str], dict[str, str]]:
    """The headers and fields of the form that was sent to a path."""
    at = next(
        it
        for it, (method, url) in enumerate(site.requests)
        if method == "POST" and url.endswith(path)
    )
    return site.headers[at], dict(next(pairs for to, pairs in site.posts if to == path))


def test_a_consent_of_another_site_knows_no_secret_of_the_page(site: Site, tmp_path: Path) -> None:
    site.between["/return"] = _setting(site, "")
    with approver(tmp_path) as user:
        done = user.play(errand(site, foreign="consent"))
    headers, fields = posted(site, "/consent")

    assert done.consent is not None
    assert not done.refused
    assert "csrf" not in fields
    assert fields["decision"] == "approve"
    assert fields["code"] == "WDJB-MJHT"
    assert headers["origin"] == ELSEWHERE
    assert headers["referer"] == f"{ELSEWHERE}/"
    assert headers["sec-fetch-site"] == "cross-site"


def _setting(site: Site, attribute: str) -> Callable[[Request], Response]:
    """Return what takes the assertion, and says this of its cookie."""

    def answer(request: Request) -> Response:
        took = site.at_provider(request, dict(site.posts)["/return"])
        took.headers["set-cookie"] = took.headers["set-cookie"].replace("; SameSite=lax", attribute)
        return took

    return answer


def test_a_form_that_the_page_refuses_ends_the_way_and_no_more(site: Site, tmp_path: Path) -> None:
    site.between["/consent"] = _only_from_here(site)
    with approver(tmp_path) as user:
        done = user.play(errand(site, foreign="consent"))

    assert done.refused
    assert "Not from there" in done.said
    assert done.decided == "not asked"
    assert site.decisions == []


def _only_from_here(site: Site) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        if request.headers.get("sec-fetch-site") == "cross-site":
            return Response("Not from there", 403)
        return site.at_provider(request, [])

    return answer


def test_a_cookie_that_stays_at_home_is_not_sent_along(site: Site, tmp_path: Path) -> None:
    site.between["/return"] = _setting(site, "; SameSite=Lax")
    with approver(tmp_path) as user:
        done = user.play(errand(site, foreign="consent"))

    assert done.refused
    assert site.decisions == []


def test_a_login_of_another_site_signs_in_where_nobody_minds(site: Site, tmp_path: Path) -> None:
    with approver(tmp_path) as user:
        done = user.play(errand(site, foreign="login", session="fresh", look_only=True))
    headers, fields = posted(site, "/login")

    assert done.login is not None
    assert done.consent is not None
    assert (fields["username"], fields["password"]) == ("jane", "jane-secret")
    assert (headers["origin"], headers["sec-fetch-site"]) == (ELSEWHERE, "cross-site")


def test_no_browser_goes_where_it_is_kept_from_going(site: Site, tmp_path: Path) -> None:
    site.between["/return"] = lambda _: RedirectResponse(f"{ELSEWHERE}/took-it", 302)
    with approver(tmp_path) as user:
        done = user.play(errand(site, never=ELSEWHERE, look_only=True))

    assert done.steps is not None
    assert [(it.method, it.url, it.status) for it in done.steps][-1] == (
        "GET",
        f"{ELSEWHERE}/took-it",
        0,
    )


def test_what_answers_say_is_seen_beside_the_page(site: Site, tmp_path: Path) -> None:
    site.login = site.login.replace(
        "<title>", '<meta name="Referrer" content="No-Referrer"><title>', 1
    )
    with approver(tmp_path) as user:
        done = user.play(errand(site))
    first = (done.steps or ())[0]

    assert first.answered is not None
    assert first.answered.referrer == "no-referrer"
    assert first.answered.all("content-type") == ("text/html; charset=utf-8",)
    set_by = [it for it in done.steps or () if it.answered and it.answered.all("set-cookie")]
    assert [it.url.rpartition("/")[2] for it in set_by] == ["login", "return"]


@pytest.mark.parametrize(
    ("line", "goes"),
    [
        ("a=1", True),
        ("a=1; SameSite=None; Secure", True),
        ("a=1; samesite=lax", False),
        ("a=1; SameSite=Strict", False),
        ("a=1; SAMESITE=Lax", False),
    ],
)
def test_which_cookies_go_along_with_a_foreign_form(line: str, *, goes: bool) -> None:
    url = "https://provider.example/consent"
    jar = cookies.empty()
    cookies.take(jar, "GET", url, httpx.Headers([("set-cookie", line)]))

    assert (cookies.header(cookies.across(jar), "POST", url) == "a=1") is goes


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("approve", True),
        ("orders:read-and-more-of-it", True),
        ("WDJB-MJHT-WDJB-MJHT", True),
        ("https://provider.example/return?user_code=WDJB-MJHT-WDJB-MJHT", True),
        ("a-long-password-of-jane", True),
        ("0123456789abcdef", False),
        ("https://provider.example/return?state=0123456789abcdef", False),
    ],
)
def test_what_another_site_can_know(value: str, *, kept: bool) -> None:
    link = (
        "https://brand.example/login?return_to="
        "https%3A%2F%2Fprovider.example%2Freturn%3Fuser_code%3DWDJB-MJHT-WDJB-MJHT"
    )
    scopes = {"orders:read-and-more-of-it": ""}
    about = Errand(link=link, user_code="WDJB-MJHT-WDJB-MJHT", scopes=scopes)
    request = Asked("POST", "https://provider.example/consent", (("name", value),))

    found = without_secrets(request, about, frozenset({"a-long-password-of-jane"}))

    assert bool(found.pairs) is kept


@pytest.mark.parametrize("asked", [{"foreign": "login"}, {"never": ELSEWHERE}])
def test_other_approvers_say_what_to_set(site: Site, tmp_path: Path, asked: dict[str, str]) -> None:
    with approver(tmp_path, "cmd:true") as user:
        assert not user.sees_answers
        with pytest.raises(Untested) as told:
            user.play(errand(site, **asked))

    assert told.value.do == "set E2E_APPROVER to form"
