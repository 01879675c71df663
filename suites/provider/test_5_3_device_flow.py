"""§5.3 Getting a token: the device flow as the personal agent sees it (RFC 8628).

Tokens are tried at both endpoints with one forgery of each kind, for the gate is judged in §3.2.
"""

from functools import partial
from typing import Any

import pytest

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.expect.answers import describe
from pact_conformance.grants import Flow, Grant, Tried, error_of
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Gate, Rig, forged_at_another_door, requirement
from pact_conformance.subject.likes import like
from pact_conformance.tokens.forgeries import Forgery
from pact_conformance.verdicts import Untested

from .authorizing import DO_REVOKE, SKIPPED, Part, Polled, Spent

# How far the two ways to say when a token ends may lie apart, in seconds, clocks aside.
AGREEING = 5.0


@requirement("5.3-device-authorization")
def test_a_device_flow_begins_with_codes_and_their_lifetime(began: Flow) -> None:
    expect.device_response(began.begun)


@requirement("5.3-device-authorization")
def test_each_device_flow_has_codes_of_its_own(delegation: Delegation, began: Flow) -> None:
    another = delegation.grants.begin(delegation.scopes, "begins-again")

    for name in ("device_code", "user_code"):
        expect.that(
            began.text(name) != another.text(name),
            f"another {name} for another flow",
            f"one {name} for both",
        )


@requirement("5.3-verification-uri-complete")
def test_the_link_for_the_user_is_complete(delegation: Delegation, began: Flow) -> None:
    another = delegation.grants.begin(delegation.scopes, "begins-once-more")

    links = [flow.member("verification_uri_complete") for flow in (began, another)]
    _begun(began)
    expect.that(
        all(isinstance(it, str) and it for it in links), "a verification_uri_complete", "none"
    )
    expect.that(links[0] != links[1], "another link for another flow", "one link for both")


@requirement("5.3-device-no-store")
def test_the_answer_with_the_codes_is_not_cached(began: Flow) -> None:
    _begun(began)
    _not_stored(began.begun)


def _begun(flow: Flow) -> None:
    """End a check of a part of the answer where there is no such answer."""
    if flow.begun.status != 200 or not isinstance(flow.begun.json, dict):
        raise Untested("no device flow begins", do="see 5.3-device-authorization")


def _not_stored(answer: Answer) -> None:
    value = answer.headers.get("cache-control", "")
    directives = {it.strip().lower() for it in value.split(",")}
    expect.that("no-store" in directives, "Cache-Control: no-store", value or "no such header")


@requirement("5.3-bad-jwt-device")
@forged_at_another_door()
def test_a_bad_token_begins_no_device_flow(
    pact_rig: Rig, gate: Gate, delegation: Delegation, forgery: Forgery
) -> None:
    begin = partial(delegation.server.begin, delegation.scopes)
    _begins(pact_rig, delegation)

    answer = begin(user="forges", token=gate.token(forgery))

    expect.unauthorized(gate.closed_to(forgery, answer))


@requirement("5.3-bad-jwt-device")
def test_nobody_begins_a_device_flow_without_a_token(pact_rig: Rig, delegation: Delegation) -> None:
    _begins(pact_rig, delegation)

    expect.unauthorized(delegation.server.begin(delegation.scopes, user="forges", token=None))


def _begins(pact_rig: Rig, delegation: Delegation) -> None:
    """See that a good token begins a flow, as the control of those that are refused."""
    begin = partial(delegation.server.begin, delegation.scopes, user="forges-control")
    pact_rig.controls.ensure("begin", begin, what="a good token at the device endpoint")


@requirement("5.3-bad-jwt-token")
@forged_at_another_door()
def test_a_bad_token_polls_for_nothing(
    pact_rig: Rig, gate: Gate, delegation: Delegation, began: Flow, forgery: Forgery
) -> None:
    _polls(pact_rig, delegation, began)
    token = gate.token(forgery)
    answer = delegation.server.redeem(began.device_code, user=began.user, token=token)

    expect.unauthorized(gate.closed_to(forgery, answer))


@requirement("5.3-bad-jwt-token")
def test_nobody_polls_without_a_token(pact_rig: Rig, delegation: Delegation, began: Flow) -> None:
    _polls(pact_rig, delegation, began)

    expect.unauthorized(delegation.server.redeem(began.device_code, user=began.user, token=None))


def _polls(pact_rig: Rig, delegation: Delegation, began: Flow) -> None:
    """See that a good token gets an answer of OAuth for the same code, as a control."""
    poll = partial(delegation.server.redeem, began.device_code, user=began.user)
    pact_rig.controls.ensure("poll", poll, what="a good token at the token endpoint")


@requirement("5.3-client-id")
def test_a_client_id_that_is_not_the_issuer_begins_no_flow(
    delegation: Delegation, began: Flow
) -> None:
    _begun(began)
    answer = delegation.server.begin(
        delegation.scopes, user="misnames", client_id="https://another-agent.example"
    )

    expect.oauth_refusal(answer)


@requirement("5.3-client-id")
def test_a_client_id_that_is_not_the_issuer_gets_no_token(spent: Tried[Spent]) -> None:
    expect.oauth_refusal(spent.had().code_misnamed)


@requirement("5.3-unknown-scope")
@pytest.mark.parametrize("where", ["alone", "between-known-ones"])
def test_a_scope_that_the_card_does_not_list_is_invalid(
    delegation: Delegation, began: Flow, where: str
) -> None:
    _begun(began)
    unknown = like(delegation.first)
    known = () if where == "alone" else delegation.scopes
    scopes = (*known[:1], unknown, *known[1:])

    answer = delegation.server.begin(scopes, user="asks-unknown")

    expect.oauth_error(answer, "invalid_scope")


@requirement("5.3-pending")
def test_a_poll_before_the_user_has_decided_is_pending(polled: Polled) -> None:
    expect.oauth_error(polled.first, "authorization_pending")


@requirement("5.3-fast-polling")
def test_polling_too_fast_does_not_end_the_flow(polled: Polled) -> None:
    expect.oauth_error(polled.hurried, "authorization_pending", "slow_down")
    expect.oauth_error(polled.later, "authorization_pending")


@requirement("5.3-denied")
def test_a_poll_after_the_user_has_refused_is_denied(denied: Tried[Grant]) -> None:
    grant = denied.had()
    if grant.done.decided != "denied":
        raise Untested(SKIPPED, do=DO_REVOKE)

    expect.oauth_error(grant.answer, "access_denied")


@requirement("5.3-expired")
def test_a_poll_with_an_expired_code_says_so(run_out: Tried[Answer]) -> None:
    expect.oauth_error(run_out.had(), "expired_token")


@requirement("5.3-unknown-device-code")
def test_a_device_code_that_nobody_issued_gets_an_error(
    delegation: Delegation, began: Flow
) -> None:
    answer = delegation.server.redeem(like(began.device_code), user="guesses")

    expect.oauth_error(answer, "invalid_grant", "expired_token")


@requirement("5.3-token")
def test_an_approved_code_gets_a_bearer_token(part: Tried[Part], both: Tried[Grant]) -> None:
    for grant in (part.had().narrow, both.had()):
        expect.token_response(grant.answer)


@requirement("5.3-token-no-store")
def test_a_token_response_is_not_cached(both: Tried[Grant]) -> None:
    _ = both.had().token
    _not_stored(both.had().answer)


@requirement("5.3-scope-granted")
def test_the_response_says_what_was_granted_where_it_is_less(
    delegation: Delegation, part: Tried[Part]
) -> None:
    asked = part.had().asked
    _narrowed(delegation, asked)
    _ = asked.token

    granted = asked.body.get("scope")
    expect.that(
        isinstance(granted, str) and set(granted.split()) == {delegation.first},
        f"scope {delegation.first!r}, which is what the User approved",
        f"scope {granted!r}",
    )


def _narrowed(delegation: Delegation, asked: Grant) -> None:
    """End a check of a narrowed grant where the User had no choice."""
    _ = delegation.second
    if asked.done.decided == "skipped":
        raise Untested(SKIPPED, do=DO_REVOKE)


@requirement("5.3-scope-always")
def test_the_response_has_the_scope_where_all_was_granted(
    delegation: Delegation, both: Tried[Grant]
) -> None:
    _ = both.had().token
    granted = both.had().body.get("scope")

    expect.that(
        isinstance(granted, str) and set(granted.split()) == set(delegation.scopes),
        f"scope {' '.join(delegation.scopes)!r}",
        f"scope {granted!r}",
    )


@requirement("5.3-refresh-token")
def test_the_response_has_a_refresh_token(pact_rig: Rig, both: Tried[Grant]) -> None:
    pact_rig.declared_absent("refresh")
    _ = both.had().token
    token = both.had().body.get("refresh_token")

    expect.that(isinstance(token, str) and bool(token), "a refresh_token", "none")


@requirement("5.3-expires-in")
def test_the_response_says_how_long_the_token_lasts(gate: Gate, both: Tried[Grant]) -> None:
    grant = both.had()
    lasts: Any = grant.body.get("expires_in")
    ends: Any = grant.claim("exp")
    is_number = isinstance(lasts, int | float) and not isinstance(lasts, bool)
    expect.that(is_number, "expires_in as a number of seconds", lasts)
    if not isinstance(ends, int | float):
        raise Untested("the token has no exp to compare it with", do="see 5.4-iat-exp")

    seen = ends - (grant.answer.at + gate.offset)
    expect.that(
        abs(seen - lasts) <= AGREEING + gate.uncertainty + grant.answer.elapsed,
        f"an expires_in that agrees with the token's exp, in {seen:.0f} s",
        lasts,
    )


@requirement("5.3-device-code-single-use")
def test_a_device_code_is_redeemed_once(spent: Tried[Spent]) -> None:
    owner = spent.had()
    first = owner.grant.token
    if owner.code_again.status != 200:
        expect.oauth_refusal(owner.code_again)
        return
    again: Any = owner.code_again.json
    same = isinstance(again, dict) and again.get("access_token") == first
    expect.that(same, "an OAuth error for a code that was redeemed", "another token")
    expect.warn("the second use of a device code within seconds got the identical response")


@requirement("5.3-device-code-agent-bound")
def test_a_device_code_is_worth_nothing_to_another_agent(spent: Tried[Spent]) -> None:
    owner = spent.had()
    by_stranger = owner.code_by_stranger.had()

    expect.oauth_refusal(by_stranger)
    if owner.grant.answer.status != 200:
        expect.note(
            "after another agent had tried the code its own agent got no token either: "
            f"{error_of(owner.grant.answer) or describe(owner.grant.answer)}"
        )
