"""§5.3 Getting a token: the login, the way back from it, and the User's consent."""

import re
from typing import Any
from urllib.parse import urlsplit

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.grants import Grant, Tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import requirement
from pact_conformance.subject.approver import Page, Step
from pact_conformance.subject.origins import origin
from pact_conformance.tokens.caller import Caller
from pact_conformance.verdicts import Deviation, NotApplicable, Untested

from .authorizing import DO_REVOKE, SKIPPED, Begun, Part, Rebound, Returned, Spent, Unattended
from .consenting import seen, shown

# Words of a Brand's or its agent's name that every page might have.
COMMON = frozenset(
    {"support", "agent", "assistant", "customer", "service", "help", "desk", "care", "the", "and"}
)

# A shorter value of a form says too little to be looked for in URLs.
LEAST_TELLING = 12


@requirement("5.3-link-opens-login")
def test_the_link_leads_to_a_login_before_anything_is_approved(
    delegation: Delegation, part: Tried[Part]
) -> None:
    done = part.had().asked.done
    if done.login is not None:
        return
    if not delegation.approver.sees_pages:
        raise Untested(
            f"the approver {delegation.approver.name} does not say whether there was a login",
            do="set E2E_APPROVER to form or browser, or let yours answer with `login`",
        )
    raise Deviation("a login, for this browser had no session", "consent without a login")


@requirement("5.3-assertion-by-post")
def test_the_user_comes_back_from_the_login_by_post(
    delegation: Delegation, part: Tried[Part], returned: Tried[Returned]
) -> None:
    asked = part.had().asked
    if asked.done.steps is None:
        raise Untested(
            f"the approver {delegation.approver.name} does not show the way of the browser",
            do="set E2E_APPROVER to form or browser",
        )
    page, login = seen(delegation, asked), asked.done.login
    if login is None or origin(login.url) == origin(page.url):
        raise NotApplicable("login and consent are at one origin: nothing is handed over")
    crossing = _crossing(asked.done.steps, login, page)
    expect.that(
        crossing is not None and crossing.method == "POST",
        "a POST that brings the User from the login to the consent",
        "no such request" if crossing is None else f"a {crossing.method}",
    )
    assert crossing is not None
    held = returned.value.held if returned.value else crossing
    told = _told_in_urls(held, returned.value.done.steps or () if returned.value else ())
    told |= _told_in_urls(crossing, asked.done.steps)
    expect.that(not told, "an assertion that stands in no URL", f"{', '.join(sorted(told))} in one")


def _crossing(steps: tuple[Step, ...], login: Page, consent: Page) -> Step | None:
    """Return the first request that left the login's origin for that of the consent."""
    logged_in = False
    for step in steps:
        at_login = origin(step.url) == origin(login.url)
        logged_in |= at_login and step.method == "POST"
        if logged_in and origin(step.url) == origin(consent.url):
            return step
    return None


def _told_in_urls(held: Step, steps: tuple[Step, ...]) -> set[str]:
    """Return the names of the fields of a form whose value stands in the URL of a step."""
    first = steps[0].url if steps else ""
    return {
        name
        for name, value in held.fields.items()
        if len(value) >= LEAST_TELLING and value not in first
        for step in steps
        if value in step.url
    }


@requirement("5.3-assertion-single-use")
def test_what_brings_the_user_back_works_once(
    delegation: Delegation, returned: Tried[Returned]
) -> None:
    found = returned.had()
    if not _consents(found.once, delegation):
        raise Untested(
            "the held back request did not lead to the consent page, so its repeat shows nothing"
        )

    expect.that(
        not _consents(found.twice, delegation),
        "no consent page at the second use",
        "the consent page again",
    )


def _consents(page: Page, delegation: Delegation, scope: str | None = None) -> bool:
    """Say whether a page offers to consent: to a scope, or to any."""
    wanted = delegation.scopes if scope is None else (scope,)
    return any(box.scope in wanted or box.value in wanted for box in page.boxes)


@requirement("5.3-assertion-bound")
def test_what_brings_the_user_back_is_bound_to_its_user_code(
    delegation: Delegation, rebound: Tried[Rebound]
) -> None:
    found = rebound.had()

    expect.that(
        not _consents(found.page, delegation, delegation.first),
        "no consent page of a flow that this login was not for",
        "the consent page of the other flow",
    )
    _granted_nothing(found.poll)


def _granted_nothing(answer: Answer) -> None:
    """Demand that a poll gives no token; which error it gets is judged by the checks of polls."""
    body: Any = answer.json
    got = isinstance(body, dict) and bool(body.get("access_token"))
    expect.that(not got, "an OAuth error: nothing was granted", f"{answer.status} with a token")
    if answer.status >= 500:
        raise Untested(
            f"a poll got {answer.status}, which does not say whether anything was granted",
            do="see 6-client-errors",
        )


@requirement("5.3-consent-after-login")
def test_consent_without_a_login_counts_for_nothing(unattended: Tried[Unattended]) -> None:
    _granted_nothing(unattended.had().poll)


@requirement("5.3-consent-names-agent")
def test_consent_names_the_origin_of_the_personal_agent(
    delegation: Delegation, caller: Caller, part: Tried[Part], none_ticked: Tried[Grant]
) -> None:
    page = shown(delegation, part, none_ticked)
    named = urlsplit(caller.issuer).netloc

    expect.that(
        named.casefold() in page.text.casefold(),
        f"the origin of the personal agent's issuer, {named}",
        "a page without it",
    )


@requirement("5.3-consent-names-brand")
def test_consent_names_the_brand(
    delegation: Delegation, part: Tried[Part], none_ticked: Tried[Grant]
) -> None:
    page = shown(delegation, part, none_ticked)
    login = part.had().asked.done.login
    server = delegation.server
    names = {it for it in re.findall(r"\w{3,}", server.brand.casefold()) if it not in COMMON}
    names.add(
        urlsplit(server.provider.interface.url).path.rstrip("/").rpartition("/")[2].casefold()
    )
    names |= {(urlsplit(login.url).hostname or "") if login is not None else ""} - {""}

    expect.that(
        any(name and name in page.text.casefold() for name in names),
        f"the name of the Brand, as on the card: {server.brand or 'none'}",
        "a page that does not name it",
    )


@requirement("5.3-consent-checkboxes")
def test_consent_has_a_checkbox_for_each_requested_scope(
    delegation: Delegation, part: Tried[Part], none_ticked: Tried[Grant]
) -> None:
    page = shown(delegation, part, none_ticked)

    offered = [box.scope for box in page.boxes if box.scope is not None]
    expect.that(
        sorted(offered) == sorted(delegation.scopes),
        f"one checkbox for each of {', '.join(delegation.scopes)}",
        f"checkboxes for {', '.join(offered) or 'none'}",
    )
    others = set(delegation.server.delegation.scopes) - set(delegation.scopes)
    besides = sorted(box.value for box in page.boxes if box.value in others)
    expect.that(not besides, "no checkbox for what was not requested", ", ".join(besides))


@requirement("5.3-unchecked-not-granted")
def test_a_scope_that_the_user_unchecks_is_not_granted(
    delegation: Delegation, part: Tried[Part]
) -> None:
    asked = part.had().asked
    second = delegation.second
    _decided(asked)

    told = asked.body.get("scope")
    granted = asked.scopes | set(told.split() if isinstance(told, str) else ())
    expect.that(
        second not in granted,
        f"nothing of {second}, which the User unchecked",
        f"a grant of {' '.join(sorted(granted))}",
    )


def _decided(grant: Grant) -> None:
    if grant.done.decided == "skipped":
        raise Untested(SKIPPED, do=DO_REVOKE)


@requirement("5.3-none-checked")
def test_where_the_user_approves_nothing_nothing_is_granted(none_ticked: Tried[Grant]) -> None:
    grant = none_ticked.had()
    _decided(grant)

    if grant.answer.status == 200:
        expect.that(not grant.scopes, "a token without any scope", " ".join(sorted(grant.scopes)))
        return
    _granted_nothing(grant.answer)


@requirement("5.3-consent-skip-covers")
def test_consent_is_asked_for_where_a_grant_covers_only_a_part(
    delegation: Delegation,
    part: Tried[Part],
    none_ticked: Tried[Grant],
    unattended: Tried[Unattended],
    both: Tried[Grant],
) -> None:
    _ = delegation.second
    for earlier in (none_ticked.had(), part.had().asked):
        _decided(earlier)
        if earlier.answer.status == 200 and delegation.second in earlier.scopes:
            raise Untested(
                f"{delegation.second} was granted before, though the User had unchecked it",
                do="see 5.3-unchecked-not-granted and 5.3-none-checked",
            )
    if unattended.value is not None and unattended.value.poll.status == 200:
        raise Untested(
            "a consent that nobody had given was granted before", do="see 5.3-consent-after-login"
        )
    grant = both.had()
    if not delegation.approver.sees_pages and grant.done.decided != "skipped":
        return

    expect.that(
        grant.done.consent is not None,
        f"the consent page, for {delegation.second} is new",
        "no consent page",
    )


@requirement("5.3-consent-skip-own-grant")
def test_a_grant_spares_consent_to_its_own_account_alone(
    denied: Tried[Grant], other_account: Tried[Grant]
) -> None:
    _decided(denied.had())
    grant = other_account.had()

    expect.that(
        grant.done.decided != "skipped",
        "the consent page, for this account has granted nothing",
        "no consent page",
    )


@requirement("5.3-consent-skip-own-grant")
def test_a_grant_spares_consent_to_its_own_agent_alone(
    delegation: Delegation, begun_elsewhere: Tried[Begun], spent: Tried[Spent]
) -> None:
    begun = begun_elsewhere.had()
    if begun.other.problem is not None:
        raise begun.other.problem
    looked = begun.looked.had()
    if looked.consent is None and looked.decided == "skipped":
        raise Untested(SKIPPED, do=DO_REVOKE)
    del delegation

    expect.that(
        spent.had().grant.done.decided != "skipped",
        "the consent page, for this agent was granted nothing",
        "no consent page",
    )
