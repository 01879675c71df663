"""The pages of login and consent: framed, kept, told of, and sent by other sites."""

from collections.abc import Callable, Mapping

import pytest

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.grants import Tried
from pact_conformance.rig import advice
from pact_conformance.verdicts import Untested

from ..provider.authorizing import Part
from .crossing_sites import ALTERED, Crossed, Led, is_granted
from .reading_pages import (
    DISCREET,
    Seen,
    cookies,
    lacking,
    may_be_framed,
    may_be_kept,
    pages,
    referrer_policy,
    steps_of,
)


@advice("hardening-framing")
def test_no_site_may_frame_the_pages(delegation: Delegation, part: Tried[Part]) -> None:
    _none(
        pages(delegation, part),
        may_be_framed,
        "frame-ancestors in a Content-Security-Policy, or X-Frame-Options",
        "may be framed",
    )


@advice("hardening-page-caching")
def test_no_browser_may_keep_the_pages(delegation: Delegation, part: Tried[Part]) -> None:
    _none(pages(delegation, part), may_be_kept, "Cache-Control: no-store", "may be kept")


@advice("hardening-referrer")
def test_other_sites_are_told_the_origin_at_most(delegation: Delegation, part: Tried[Part]) -> None:
    found = pages(delegation, part)
    for page in found:
        policy = referrer_policy(page)
        expect.note(f"{page.name}: {policy or 'no policy, so that the browser has its own'}")
    _none(
        found,
        lambda page: referrer_policy(page) not in DISCREET,
        "a referrer policy that tells other sites the origin at most",
        "without one",
    )


def _none(found: tuple[Seen, ...], amiss: Callable[[Seen], bool], expected: str, got: str) -> None:
    wrong = [it.name for it in found if amiss(it)]
    expect.measured("pages", len(found))
    expect.measured(f"of them {got}", len(wrong))

    expect.that(not wrong, expected, f"{' and '.join(wrong)} {got}")


@advice("hardening-cookies")
def test_cookies_are_out_of_reach(delegation: Delegation, part: Tried[Part]) -> None:
    found = list(cookies(steps_of(delegation, part)))
    wrong = {it.name: list(lacking(it)) for it in found}
    wrong = {name: attributes for name, attributes in wrong.items() if attributes}
    expect.measured("cookies", len(found))
    expect.measured("of them lacking something", len(wrong))
    for it in found:
        if it.same_site == "none":
            expect.note(f"{it.name} says SameSite=None: forms of other sites carry it along")

    expect.that(
        not wrong,
        "HttpOnly and SameSite of what may be a session, and Secure over TLS",
        "; ".join(f"{name} without {', '.join(it)}" for name, it in wrong.items()),
    )


@advice("hardening-consent-csrf")
def test_no_other_site_can_send_the_consent(consented_elsewhere: Tried[Crossed]) -> None:
    found = consented_elsewhere.had()
    granted = is_granted(found)
    expect.measured("grants by a form of another site", int(granted))

    expect.that(
        not granted,
        "a form of another site to be refused: by a secret of the page, the Origin, or a cookie "
        "that stays at home (SameSite)",
        "a grant",
    )


@advice("hardening-login-csrf")
def test_no_other_site_can_sign_the_user_in(signed_in_elsewhere: Tried[Crossed]) -> None:
    done = signed_in_elsewhere.had().done
    signed_in = not done.refused and done.consent is not None
    if not done.refused and not signed_in:
        raise Untested("the way ended without the consent page, which would show who is signed in")
    expect.measured("sign-ins by a form of another site", int(signed_in))

    expect.that(
        not signed_in,
        "a form of another site to be refused: by a secret of the page, or the Origin",
        "the consent page, as the account that the other site chose",
    )


@advice("hardening-open-redirect")
@pytest.mark.parametrize("way", ALTERED)
def test_an_altered_return_address_leads_nowhere(
    led_elsewhere: Tried[Mapping[str, Tried[Led]]], way: str
) -> None:
    led = led_elsewhere.had()[way].had()
    expect.measured("times that it was followed", int(bool(led.elsewhere)))

    carried = ", which carries something along" if led.carried else ""
    expect.that(
        not led.elsewhere,
        "the link to be refused, or to lead to the Provider all the same",
        f"{led.elsewhere}{carried}",
    )
