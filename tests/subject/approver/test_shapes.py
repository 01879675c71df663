"""The User over HTTP, at pages in many legal shapes."""

import time
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pact_conformance.verdicts import Inconclusive, Notebook, notebook

from .playing import play
from .site import ALL, CODE, CONSENT, HANDOVER, LOGIN, SCOPES, Site


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
