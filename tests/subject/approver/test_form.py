"""The User over HTTP, at pages in many legal shapes."""

from pathlib import Path

import pytest

from pact_conformance.verdicts import Inconclusive

from .playing import approver, errand, play, recorded
from .site import ALL, CODE, LOGIN, SCOPES, Site


def test_signs_in_and_approves_all(site: Site, tmp_path: Path) -> None:
    done = play(site, tmp_path)

    assert done.decided == "approved"
    assert site.decisions == [("jane", "approve", ALL)]
    assert done.login is not None
    assert "Sign in at Acme" in done.login.text
    assert done.consent is not None
    assert [(box.scope, box.value, box.checked) for box in done.consent.boxes] == [
        (scope, scope, True) for scope in ALL
    ]
    assert [box.label for box in done.consent.boxes] == list(SCOPES.values())
    assert "pa.example wants access" in done.consent.text
    assert done.final is not None
    assert done.final.text == "All set. You may close this window."


def test_hidden_fields_and_unticked_boxes_are_sent_as_a_browser_does(
    site: Site, tmp_path: Path
) -> None:
    play(site, tmp_path)

    path, pairs = site.posts[0]
    assert path == "/login"
    assert pairs == [
        ("csrf", "tok-123456"),
        ("return_to", site.provider),
        ("username", "jane"),
        ("password", "jane-secret"),
    ]


def test_ticks_only_what_is_approved(site: Site, tmp_path: Path) -> None:
    play(site, tmp_path, approve=frozenset({"orders:read"}), account=1)

    assert site.decisions == [("omar", "approve", ("orders:read",))]


def test_unticks_all_and_submits(site: Site, tmp_path: Path) -> None:
    done = play(site, tmp_path, approve=frozenset())

    assert done.decided == "approved"
    assert site.decisions == [("jane", "approve", ())]


def test_ticks_boxes_that_were_not_ticked(site: Site, tmp_path: Path) -> None:
    site.box = site.box.replace(" checked", "")

    play(site, tmp_path)

    assert site.decisions == [("jane", "approve", ALL)]


def test_denies(site: Site, tmp_path: Path) -> None:
    done = play(site, tmp_path, deny=True)

    assert done.decided == "denied"
    assert [decision for _, decision, _ in site.decisions] == ["deny"]


def test_looks_and_decides_nothing(site: Site, tmp_path: Path) -> None:
    done = play(site, tmp_path, look_only=True)

    assert (done.decided, site.decisions, done.final) == ("not asked", [], None)
    assert done.consent is not None


def test_a_kept_browser_is_not_asked_to_sign_in_again_and_a_fresh_one_is(
    site: Site, tmp_path: Path
) -> None:
    with approver(tmp_path) as user:
        first, again = user.play(errand(site)), user.play(errand(site))
        other, fresh = user.play(errand(site, account=1)), user.play(errand(site, session="fresh"))

        assert user.count.approvals == 4
        assert user.count.logins == 3
    assert [it.login is None for it in (first, again, other, fresh)] == [False, True, False, False]
    assert [user for user, _, _ in site.decisions] == ["jane", "jane", "omar", "jane"]


def test_cookies_of_one_host_do_not_reach_the_other(site: Site, tmp_path: Path) -> None:
    play(site, tmp_path)

    for (_, url), headers in zip(site.requests, site.headers, strict=True):
        foreign = "provider_session" if "localhost" in url else "brand_session"
        assert foreign not in headers.get("cookie", "")


def test_the_steps_show_how_the_assertion_travelled(site: Site, tmp_path: Path) -> None:
    done = play(site, tmp_path)

    assert done.steps is not None
    (returned,) = [step for step in done.steps if step.url == f"{site.provider}/return"]
    assert (returned.method, returned.status) == ("POST", 303)
    assert set(returned.fields) == {"proof", "code"}
    assert returned.origin == site.brand
    assert returned.exchange is not None


def test_a_form_sent_once_more_shows_where_it_leads(site: Site, tmp_path: Path) -> None:
    with approver(tmp_path) as user:
        done = user.play(errand(site))
        assert done.steps is not None
        (step,) = [it for it in done.steps if it.url.endswith("/return")]

        again = user.repost(step)
        changed = user.repost(step, fields={"proof": "no such one"})

    assert (again.status, again.text) == (400, "This proof was used before")
    assert changed.status == 400


def test_the_request_that_brings_the_user_back_is_held_and_can_be_sent_later(
    site: Site, tmp_path: Path
) -> None:
    with approver(tmp_path) as user:
        done = user.play(errand(site, hold_back="return", session="fresh"))

        assert (done.decided, done.consent) == ("not asked", None)
        assert done.held is not None
        assert (done.held.url, done.held.status) == (f"{site.provider}/return", 0)
        assert len(site.assertions) == 1

        page, again = user.repost(done.held), user.repost(done.held)
    assert [box.scope for box in page.boxes] == list(ALL)
    assert again.status == 400


def test_the_consent_form_is_held_as_it_would_be_sent(site: Site, tmp_path: Path) -> None:
    with approver(tmp_path) as user:
        done = user.play(errand(site, hold_back="consent", approve=frozenset({"a.b"})))
        assert done.held is not None

        page = user.repost(done.held)

        assert user.count.approvals == 0
    assert ("scope", "a.b") in done.held.pairs
    assert ("decision", "approve") in done.held.pairs
    assert page.status == 404
    assert site.decisions == []


def test_consent_that_is_not_shown_is_skipped(site: Site, tmp_path: Path) -> None:
    site.skip_consent = True

    done = play(site, tmp_path)

    assert (done.decided, done.consent) == ("skipped", None)
    assert done.final is not None
    assert "All set" in done.final.text


def test_a_final_page_with_ways_out_presses_none_of_them(site: Site, tmp_path: Path) -> None:
    site.skip_consent = True
    site.final = (
        "<p>Granted: Look up your orders.<form method=post action=/revoke><input type=hidden "
        "name=grant value=1><button>Revoke</button></form><form method=post action=/logout>"
        "<button>Log out</button></form>"
    )

    assert play(site, tmp_path).decided == "skipped"
    assert [path for path, _ in site.posts] == ["/login", "/return"]


def test_a_refused_login_is_inconclusive_with_what_the_page_said(
    site: Site, tmp_path: Path
) -> None:
    site.login = site.login.replace("<h1>", "<p>{password}</p><h1>")
    site.wrong = "<p>Wrong password jane-secrets for WDJB-MJHT</p>"
    site.login = LOGIN.replace("name=password", "name=secret")  # so that it never arrives

    with pytest.raises(Inconclusive) as caught:
        play(site, tmp_path)

    assert caught.value.reason.startswith("the login was refused: ")
    assert "Sign in at Acme" in caught.value.reason


def test_what_is_repeated_of_a_page_holds_no_secret_and_is_short(
    site: Site, tmp_path: Path
) -> None:
    site.consent = f"<p>Hello jane-secret {CODE}{' word' * 200}<form><input name=x>"
    site.consent += "<button>Frobnicate</button></form>"

    with pytest.raises(Inconclusive) as caught:
        play(site, tmp_path)

    assert "jane-secret" not in caught.value.reason
    assert CODE not in caught.value.reason
    assert len(caught.value.reason) < 300


def test_nothing_secret_is_recorded(site: Site, tmp_path: Path) -> None:
    done = play(site, tmp_path)

    written = recorded(tmp_path)
    assert done.steps is not None
    secret = [value for step in done.steps for value in step.fields.values() if len(value) > 8]
    assert len(secret) >= 4
    for value in [*secret, *site.sessions, site.secret, "jane-secret", CODE, "tok-123456"]:
        assert value not in written or value == site.provider
    assert "login at the Brand" in written
    assert "password=" in written
