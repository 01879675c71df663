"""The User in Chromium, at the same pages and at pages that need scripts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.responses import HTMLResponse

from pact_conformance.subject.approver import Approver
from pact_conformance.subject.approver.chromium import lacking
from pact_conformance.verdicts import Inconclusive

from .playing import approver, errand, recorded, settings
from .site import ALL, CODE, CONSENT, HANDOVER, LOGIN, SCOPES, Site

missing = lacking(settings("browser").approver_fields)

pytestmark = pytest.mark.skipif(missing is not None, reason=str(missing))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def user(folder: Path) -> Iterator[Approver]:
    """One browser for all tests; each begins without cookies."""
    with approver(folder, "browser") as made:
        yield made


def test_signs_in_and_approves_a_part(site: Site, user: Approver) -> None:
    done = user.play(errand(site, session="fresh", approve=frozenset({"orders:read"})))

    assert done.decided == "approved"
    assert site.decisions == [("jane", "approve", ("orders:read",))]
    assert done.login is not None
    assert done.consent is not None
    assert [(box.scope, box.label, box.checked) for box in done.consent.boxes] == [
        (scope, text, True) for scope, text in SCOPES.items()
    ]
    assert "pa.example wants access" in done.consent.text
    assert done.final is not None
    assert done.final.text == "All set. You may close this window."


def test_the_steps_show_how_the_assertion_travelled(site: Site, user: Approver) -> None:
    done = user.play(errand(site, session="fresh"))

    assert done.steps is not None
    assert [(it.method, it.status) for it in done.steps] == [
        ("GET", 200),
        ("POST", 200),
        ("POST", 303),
        ("GET", 200),
        ("POST", 200),
    ]
    returned = done.steps[2]
    assert set(returned.fields) == {"proof", "code"}
    assert returned.origin == site.brand
    assert user.repost(returned).status == 400


def test_denies(site: Site, user: Approver) -> None:
    assert user.play(errand(site, session="fresh", deny=True)).decided == "denied"
    assert [decision for _, decision, _ in site.decisions] == ["deny"]


def test_looks_and_decides_nothing(site: Site, user: Approver) -> None:
    done = user.play(errand(site, session="fresh", look_only=True))

    assert (done.decided, site.decisions) == ("not asked", [])
    assert done.consent is not None


def test_a_kept_browser_is_not_asked_to_sign_in_again_and_a_fresh_one_is(
    site: Site, tmp_path: Path
) -> None:
    with approver(tmp_path, "browser") as user:
        dones = [
            user.play(errand(site)),
            user.play(errand(site)),
            user.play(errand(site, account=1)),
        ]
        dones.append(user.play(errand(site, session="fresh")))

        assert (user.count.approvals, user.count.logins) == (4, 3)
    assert [it.login is None for it in dones] == [False, True, False, False]
    assert [who for who, _, _ in site.decisions] == ["jane", "jane", "omar", "jane"]


def test_the_request_that_brings_the_user_back_is_held_and_can_be_sent_later(
    site: Site, user: Approver
) -> None:
    done = user.play(errand(site, hold_back="return", session="fresh"))

    assert (done.decided, done.consent) == ("not asked", None)
    assert done.held is not None
    assert (done.held.url, done.held.status) == (f"{site.provider}/return", 0)
    assert len(site.assertions) == 1
    page, again = user.repost(done.held), user.repost(done.held)
    assert [box.scope for box in page.boxes] == list(ALL)
    assert again.status == 400


def test_the_consent_form_is_held_as_it_would_be_sent(site: Site, user: Approver) -> None:
    before = user.count.approvals
    done = user.play(errand(site, hold_back="consent", session="fresh", approve=frozenset({"a.b"})))

    assert done.held is not None
    assert ("scope", "a.b") in done.held.pairs
    assert ("decision", "approve") in done.held.pairs
    assert user.repost(done.held).status == 404
    assert site.decisions == []
    assert user.count.approvals == before


def test_a_form_that_submits_itself_late_is_not_submitted_twice(site: Site, user: Approver) -> None:
    script = "setTimeout(() => document.forms[0].submit(), 700)"
    site.handover = HANDOVER.replace("document.forms[0].submit()", script)

    assert user.play(errand(site, session="fresh")).decided == "approved"
    assert [path for path, _ in site.posts].count("/return") == 1


def test_a_login_that_scripts_draw_and_send(site: Site, user: Approver) -> None:
    site.first = lambda _: HTMLResponse(
        """<div id=root></div><script>setTimeout(() => { root.innerHTML =
        '<input placeholder="E-mail"><input type=password><div role=button>Sign in</div>';
        root.querySelector('[role=button]').onclick = async () => {
          const [name, word] = [...root.querySelectorAll('input')].map(it => it.value);
          await fetch('/session', {method: 'POST', headers: {'content-type': 'application/json'},
            body: JSON.stringify({name, word})});
          const form = Object.assign(document.createElement('form'), {method: 'post'});
          form.innerHTML = `<input name=username value="${name}"><input name=password
            value="${word}">`;
          document.body.append(form); form.submit() } }, 1000)</script>"""
    )
    site.between["/session"] = lambda _: HTMLResponse("ok")

    assert user.play(errand(site, session="fresh")).decided == "approved"


def test_boxes_that_are_drawn_over_and_buttons_that_wait_for_one(
    site: Site, user: Approver
) -> None:
    site.box = (
        "<p><input id='{id}' type=checkbox name=scope value='{id}' checked style='opacity:0;"
        "position:absolute;width:0;height:0'><label for='{id}'>{description}</label>"
    )
    site.consent = CONSENT + (
        "<script>const allow = document.querySelector('[value=approve]'); setInterval(() => "
        "allow.disabled = !document.querySelector(':checked'), 10)</script>"
    )

    done = user.play(errand(site, session="fresh", approve=frozenset({"a.b"})))
    none = user.play(errand(site, session="fresh", approve=frozenset()))

    assert done.decided == "approved"
    assert site.decisions == [("jane", "approve", ("a.b",))]
    assert none.decided == "not asked"
    assert none.said


def test_a_refused_login_is_inconclusive_with_what_the_page_said(
    site: Site, user: Approver
) -> None:
    site.login = LOGIN.replace("name=password", "name=secret")  # so that it never arrives

    with pytest.raises(Inconclusive, match="the login was refused: “Sign in at Acme"):
        user.play(errand(site, session="fresh"))


def test_an_error_page_and_a_dead_link_are_inconclusive(site: Site, user: Approver) -> None:
    site.first = lambda _: HTMLResponse("<p>The code has expired", 410)
    with pytest.raises(Inconclusive, match="a page came with 410: “The code has expired”"):
        user.play(errand(site, session="fresh"))

    with pytest.raises(Inconclusive, match="the browser lost the link"):
        user.play(errand(site, session="fresh", link="http://127.0.0.1:9/"))


def test_pictures_show_no_code(site: Site, tmp_path: Path) -> None:
    other = "QQQQ-WWWW"
    taken = []
    for code in (CODE, other):
        folder = tmp_path / code
        code_shown = f"<tt>Your code is {code}. <input readonly value={code}></tt>"
        site.consent = code_shown + CONSENT
        with approver(folder, "browser", pictures=True) as user:
            user.play(errand(site, session="fresh", look_only=True, user_code=code))
        pictures = sorted((folder / "approvals").iterdir())
        assert [it.name for it in pictures] == ["01-login.png", "01-consent.png"][::-1]
        taken.append((folder / "approvals" / "01-consent.png").read_bytes())

    assert taken[0][:8] == b"\x89PNG\r\n\x1a\n"
    assert taken[0] == taken[1]


def test_nothing_secret_is_recorded(site: Site, user: Approver, folder: Path) -> None:
    done = user.play(errand(site, session="fresh"))
    assert done.steps is not None
    user.repost(done.steps[2])

    written = recorded(folder)
    for value in [*done.steps[2].fields.values(), "jane-secret", site.secret]:
        assert value not in written
