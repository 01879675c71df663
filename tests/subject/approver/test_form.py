"""The User over HTTP, at pages in many legal shapes."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pact_conformance.subject.approver import Done
from pact_conformance.verdicts import Inconclusive, Notebook, notebook

from .playing import approver, errand, recorded
from .site import CODE, CONSENT, HANDOVER, LOGIN, SCOPES, Site

ALL = tuple(SCOPES)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


def play(site: Site, folder: Path, **asked: object) -> Done:
    """Play one errand; `fields` are the tester's names."""
    fields = asked.pop("fields", {})
    with approver(folder, fields=fields) as user:
        return user.play(errand(site, **asked))


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


# --- shapes -------------------------------------------------------------------------------------


def consent(*changes: tuple[str, str]) -> dict[str, str]:
    """A consent page that is changed."""
    text = CONSENT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return {"consent": text}


APPROVE = "<button name=decision value=approve>Allow</button>"
OTHER_NAMES = LOGIN.replace("name=username", "name=login").replace("autocomplete=username", "")
IN_A_TABLE = (
    f"<table>{CONSENT[CONSENT.index('<form method=post') :].replace('</form>', '', 1)}</table>"
)
ROW = "<tr><td><input type=checkbox name=scope value='{id}'></td><td>{description}</td></tr>"
ITEM = "<li><input type=checkbox name=scope value='{id}x'> <span>{description}</span></li>"

Fields = dict[str, list[str]]

LEGAL: dict[str, tuple[dict[str, str], Fields]] = {
    "fields by other names": ({"login": OTHER_NAMES}, {}),
    "a GET consent": (consent(('method=post action="/consent"', "action=consent")), {}),
    "buttons as inputs": (
        consent((APPROVE, '<input type=submit name=decision value="approve">')),
        {},
    ),
    "a base": (consent(("<title>", "<base href=/deep/><title>"), ('"/consent"', "../consent")), {}),
    "a button with an action": (
        consent(
            ('action="/consent"', "action=/nowhere"),
            ("value=approve", "value=approve formaction=/consent"),
        ),
        {},
    ),
    "German buttons": (consent((">Allow<", ">Zugriff erlauben<"), (">Deny<", ">Ablehnen<")), {}),
    "neutral texts": (consent((">Allow<", ">Weiter<"), (">Deny<", ">Abbrechen<")), {}),
    "texts that only the tester knows": (
        consent(
            ("value=approve>Allow", "value=frob>Frobnicate"), ("value=deny>Deny", "value=y>Xyzzy")
        ),
        {"approve": ["frobnicate"], "deny": ["xyzzy"]},
    ),
    "a form between the rows of a table": ({"consent": IN_A_TABLE, "box": ROW}, {}),
    "boxes that only descriptions name": ({"box": ITEM}, {}),
    "a handover without a script": ({"handover": HANDOVER.replace("onload", "data-x")}, {}),
    "several parts": (consent(("method=post ", "method=post enctype=multipart/form-data ")), {}),
}


@pytest.mark.parametrize("shape", LEGAL)
def test_legal_shapes(site: Site, tmp_path: Path, shape: str) -> None:
    changed, fields = LEGAL[shape]
    for name, value in changed.items():
        setattr(site, name, value)

    done = play(site, tmp_path, fields=fields, approve=frozenset({"a.b"}))

    assert done.decided == "approved"
    assert done.consent is not None
    assert [box.scope for box in done.consent.boxes] == list(ALL)
    ((who, _, scopes),) = site.decisions
    assert (who, [it.removesuffix("x") for it in scopes]) == ("jane", ["a.b"])


def test_no_button_that_denies_is_told(site: Site, tmp_path: Path) -> None:
    site.consent = CONSENT.replace("<button name=decision value=deny>Deny</button>", "")

    with pytest.raises(Inconclusive) as caught:
        play(site, tmp_path, deny=True)

    assert "the one that denies" in caught.value.reason
    assert "approver_fields.deny" in caught.value.do
    assert site.decisions == []


def html(text: str) -> Response:
    return HTMLResponse(text)


def test_a_link_that_denies(site: Site, tmp_path: Path) -> None:
    site.consent = CONSENT.replace("<button name=decision value=deny>Deny</button>", "") + (
        "<a href=/consent?decision=deny>Cancel</a>"
    )

    play(site, tmp_path, deny=True)

    assert site.decisions == [("jane", "deny", ())]


def test_name_first_and_then_the_password(site: Site, tmp_path: Path) -> None:
    site.first = lambda _: html(
        "<form method=post action=/second><input type=email name=mail><button>Next</button></form>"
    )
    site.between["/second"] = lambda _: html(
        "<form method=post action='/login?first=no'><input type=hidden name=username value=jane>"
        "<input type=text readonly value=jane><input type=password name=password>"
        "<button type=button>Show</button><button>Log in</button></form>"
    )

    done = play(site, tmp_path)

    assert done.decided == "approved"
    assert site.posts[0] == ("/second", [("mail", "jane")])


def test_a_landing_page_with_a_link(site: Site, tmp_path: Path) -> None:
    site.first = lambda _: html("<a href=/help>Help</a> <a href='/login?first=no'>Log in</a>")

    assert play(site, tmp_path).decided == "approved"


def test_a_page_that_confirms_the_code_is_no_consent(site: Site, tmp_path: Path) -> None:
    site.first = lambda _: html(
        f"<p>Is this your code? {CODE}<form method=get action=/login><input type=hidden name=first "
        "value=no><button>Confirm</button><button name=cancel>Cancel</button></form>"
    )

    done = play(site, tmp_path)

    assert done.decided == "approved"
    assert done.consent is not None
    assert "wants access" in done.consent.text


def test_a_code_that_is_to_be_typed(site: Site, tmp_path: Path) -> None:
    site.first = lambda _: html(
        "<form action=/login><label>Code <input name=user_code></label><input type=hidden "
        "name=first value=no><button>Go</button></form>"
    )

    assert play(site, tmp_path).decided == "approved"
    assert any(f"user_code={CODE}" in url for _, url in site.requests[1:])


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_redirected_post_becomes_a_get(site: Site, tmp_path: Path, status: int) -> None:
    site.login = LOGIN.replace("action=login", "action=/hop")
    site.between["/hop"] = lambda _: RedirectResponse("/login", status)
    with pytest.raises(Inconclusive, match="the login was refused"):
        play(site, tmp_path)

    assert site.requests[2] == ("GET", f"{site.brand}/login")


@pytest.mark.parametrize("status", [307, 308])
def test_a_kept_method_keeps_the_fields(site: Site, tmp_path: Path, status: int) -> None:
    site.login = LOGIN.replace("action=login", "action=/hop")
    site.between["/hop"] = lambda _: RedirectResponse("/login", status)

    assert play(site, tmp_path).decided == "approved"


def test_a_page_that_leads_on_by_itself(site: Site, tmp_path: Path) -> None:
    site.first = lambda _: html(
        "<meta http-equiv=Refresh content=\"0; URL='/login?first=no'\"><p>One moment"
    )

    assert play(site, tmp_path).decided == "approved"


def test_what_never_ends_is_inconclusive(site: Site, tmp_path: Path) -> None:
    site.first = lambda _: RedirectResponse("/login", 302)
    with pytest.raises(Inconclusive, match="redirects more than 20 times"):
        play(site, tmp_path)

    site.first = lambda _: html("<form method=post><input type=hidden name=a><button>Next</button>")
    with pytest.raises(Inconclusive, match="after 20 pages there is no end"):
        play(site, tmp_path)


def test_an_error_page_is_inconclusive(site: Site, tmp_path: Path) -> None:
    site.first = lambda _: HTMLResponse("<p>The code has expired", 410)

    with pytest.raises(Inconclusive, match="a page came with 410: “The code has expired”"):
        play(site, tmp_path)


def test_a_page_of_scripts_alone_asks_for_a_browser(site: Site, tmp_path: Path) -> None:
    site.first = lambda _: html("<div id=root></div><script src=app.js></script>")

    with pytest.raises(Inconclusive) as caught:
        play(site, tmp_path)

    assert caught.value.do == "set E2E_APPROVER=browser"


def test_a_page_that_asks_again_after_nothing_was_ticked_is_no_trouble(
    site: Site, tmp_path: Path
) -> None:
    def again(_: Request) -> Response:
        return HTMLResponse("<p>Tick one", 422)

    site.consent = CONSENT.replace('action="/consent"', "action=/decide")
    site.between["/decide"] = again

    done = play(site, tmp_path, approve=frozenset())
    assert (done.decided, "Tick one" in done.said) == ("approved", True)
    with pytest.raises(Inconclusive, match="after the decision a page came with 422"):
        play(site, tmp_path)


MEANT = """<p>Is that so?<form method=post action=/meant><input type=hidden name=t value=1>
<button name=do value=back>{back}</button> <button name=do value=yes>{yes}</button></form>"""


@pytest.mark.parametrize(
    ("decided", "back", "yes"),
    [
        ("approved", "Cancel", "Confirm"),
        ("approved", "No", "Allow"),
        ("denied", "Back", "Refuse access"),
    ],
)
def test_a_page_that_asks_whether_it_is_meant_is_told_so(
    site: Site, tmp_path: Path, decided: str, back: str, yes: str
) -> None:
    site.final = MEANT.format(back=back, yes=yes)
    site.between["/meant"] = lambda _: html("<p>All set.")

    assert play(site, tmp_path, deny=decided == "denied").decided == decided
    assert site.posts[-1] == ("/meant", [("t", "1"), ("do", "yes")])


def test_nothing_is_pressed_on_a_page_that_asks_nothing(site: Site, tmp_path: Path) -> None:
    site.final = MEANT.format(back="Sign out", yes="Continue")

    assert play(site, tmp_path).decided == "approved"
    assert site.posts[-1][0] == "/consent"


def test_a_box_that_is_not_there_is_told(site: Site, tmp_path: Path) -> None:
    site.box = "<p>{description}"

    done = play(site, tmp_path, approve=frozenset({"a.b"}))

    assert done.decided == "approved"
    assert done.consent is not None
    assert done.consent.boxes == ()
    assert done.said == "no box to untick for orders:read, orders:cancel"


def test_it_ends_at_the_deadline_of_the_check(site: Site, tmp_path: Path) -> None:
    def slow(_: Request) -> Response:
        time.sleep(1)
        return html("<p>late")

    site.first = slow
    with notebook(Notebook(until=time.monotonic() + 0.3)), pytest.raises(Inconclusive):
        play(site, tmp_path)


def test_radio_buttons_say_yes_and_no(site: Site, tmp_path: Path) -> None:
    site.box = (
        "<fieldset><legend>{description}</legend>"
        "<label><input type=radio name='{id}' value=yes checked> Yes</label>"
        "<label><input type=radio name='{id}' value=no> No</label></fieldset>"
    )

    play(site, tmp_path, approve=frozenset({"a.b"}))

    _, pairs = site.posts[-1]
    assert {name: value for name, value in pairs if name in SCOPES} == {
        "orders:read": "no",
        "orders:cancel": "no",
        "a.b": "yes",
    }
