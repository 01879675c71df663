"""§5.5 Sending with it: both tokens on a message, and whose power it has.

What is to be refused is a message that would be served but for its delegation header, so that no
other cause is at hand; only where it is served does it cost a turn. That no A2A body comes with a
401 is a journal rule.
"""

from functools import partial
from math import ceil

import pytest

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.grants import Grant, Tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import (
    Gate,
    Rig,
    delegation_forged,
    delegation_headed,
    forged_at_another_door,
    requirement,
)
from pact_conformance.subject.provider import Provider
from pact_conformance.tokens.delegation_forgeries import DelegationForgery, DelegationHeader
from pact_conformance.tokens.forgeries import Forgery
from pact_conformance.tokens.forgeries import load as load_forgeries
from pact_conformance.verdicts import Inconclusive, Untested

from .acting import Intruded, Strange, receipt_of
from .authorizing import USER, Elsewhere, Part
from .conversations import Turn
from .ending import PAST_EXPIRY, Expiring, Revoked
from .stepping_up import step_up_of, task_of

# A delegation header that holds nothing like a token.
NO_TOKEN = "Bearer not-a-token"  # noqa: S105 - it is none

# So many of each family may become turns; what stands alone is always tried.
BESIDE = "bad tokens beside a delegation token"
HEADERS = "delegation headers"
FORGED = "forged delegation tokens"
OTHER_THINGS = "what is no delegation token"


def send(pact_rig: Rig, provider: Provider, family: str | None = None, **parts: object) -> Answer:
    """Send a message that is to be refused for its tokens."""
    if family is not None:
        pact_rig.bought.spare(family)
    answer = provider.send(user=USER, turn=False, **parts)  # type: ignore[arg-type]
    if family is not None:
        pact_rig.bought.count(family, answer)
    return answer


@requirement("5.5-served")
def test_a_message_with_both_tokens_is_served(acting: Turn) -> None:
    expect.served(acting.answer)


@requirement("5.5-served")
def test_a_further_message_with_both_tokens_gets_a_reply(acting_on: Turn) -> None:
    expect.reply(acting_on.answer)


@requirement("5.5-jwt-first")
@forged_at_another_door()
def test_a_delegation_token_does_not_help_a_bad_token(
    pact_rig: Rig,
    gate: Gate,
    provider: Provider,
    both: Tried[Grant],
    acting: Turn,
    forgery: Forgery,
) -> None:
    acting.must_be_served()
    token = gate.token(forgery)
    answer = send(pact_rig, provider, BESIDE, token=token, delegation=both.had().token)

    expect.unauthorized(gate.closed_to(forgery, answer))


@requirement("5.5-jwt-first")
def test_a_delegation_token_alone_is_no_authentication(
    pact_rig: Rig, provider: Provider, both: Tried[Grant], acting: Turn
) -> None:
    acting.must_be_served()

    expect.unauthorized(send(pact_rig, provider, token=None, delegation=both.had().token))


@requirement("5.5-jwt-first-challenge")
def test_where_both_tokens_are_bad_the_challenge_is_of_the_agents(
    pact_rig: Rig, gate: Gate, provider: Provider, undelegated: Turn
) -> None:
    undelegated.must_be_served()
    known = {forgery.id: forgery for forgery in load_forgeries()}
    token = gate.token(known["signature-by-stranger"])
    answer = send(pact_rig, provider, token=token, delegation_header=NO_TOKEN)

    expect.unauthorized(answer)
    challenge = answer.headers.get("www-authenticate", "")
    expect.that("invalid_token" not in challenge, 'Bearer realm="a2a" without error', challenge)


@requirement("5.5-malformed")
@delegation_headed("5.5-malformed")
def test_a_delegation_header_without_a_good_token_is_not_overlooked(
    pact_rig: Rig,
    delegation: Delegation,
    provider: Provider,
    undelegated: Turn,
    both: Tried[Grant],
    header: DelegationHeader,
) -> None:
    _ = delegation.server
    undelegated.must_be_served()
    values = header.values(both.had().token if header.needs else "")

    answer = send(pact_rig, provider, HEADERS, delegation_header=values)
    expect.header_fate(answer, header)


@requirement("5.5-malformed")
@delegation_forged("5.5-malformed")
def test_what_is_no_delegation_token_is_not_overlooked(
    pact_rig: Rig,
    delegation: Delegation,
    provider: Provider,
    acting_on: Turn,
    both: Tried[Grant],
    forgery: DelegationForgery,
) -> None:
    acting_on.must_be_served()
    token = delegation.forged(forgery, both.had(), another=None, served=acting_on.answer)

    expect.unauthorized(send(pact_rig, provider, OTHER_THINGS, delegation=token))


@requirement("5.5-signature")
@delegation_forged("5.5-signature")
def test_a_token_that_no_published_key_has_signed_is_refused(
    pact_rig: Rig,
    delegation: Delegation,
    provider: Provider,
    acting_on: Turn,
    both: Tried[Grant],
    other_account: Tried[Grant],
    forgery: DelegationForgery,
) -> None:
    acting_on.must_be_served()
    another = other_account.value.read if other_account.value else None
    token = delegation.forged(forgery, both.had(), another=another, served=acting_on.answer)

    expect.unauthorized(send(pact_rig, provider, FORGED, delegation=token))


@requirement("5.5-challenge")
def test_a_bad_delegation_token_gets_its_own_challenge(
    pact_rig: Rig, delegation: Delegation, provider: Provider, undelegated: Turn
) -> None:
    _ = delegation.server
    undelegated.must_be_served()

    expect.bad_delegation(send(pact_rig, provider, delegation_header=NO_TOKEN))


@requirement("5.5-aud")
def test_a_token_of_another_brand_is_refused(
    pact_rig: Rig, provider: Provider, acting: Turn, at_other_brand: Tried[Elsewhere]
) -> None:
    acting.must_be_served()
    token = at_other_brand.had().grant.token

    expect.unauthorized(send(pact_rig, provider, delegation=token))


@requirement("5.5-client-id")
def test_a_token_of_another_agent_is_refused(
    pact_rig: Rig, gate: Gate, both: Tried[Grant], acting: Turn
) -> None:
    acting.must_be_served()
    other = pact_rig.other_caller
    gate.lets_in(other)
    provider = pact_rig.provider_of(pact_rig.card, other)

    expect.unauthorized(send(pact_rig, provider, delegation=both.had().token))


@requirement("5.5-revoked")
def test_a_token_of_a_revoked_grant_is_refused(pact_rig: Rig, revoked: Revoked) -> None:
    pact_rig.declared_absent("revocation")
    _served_before(revoked.before)

    expect.unauthorized(revoked.after)
    within = max(1, ceil(revoked.seconds))
    expect.note(f"refused within {within} s after the hook had revoked the grant")


def _served_before(answer: Answer) -> None:
    if answer.status != 200:
        raise Inconclusive(
            f"the control failed: the token got {answer.status} while it was good",
            do="see 5.5-served",
        )


@requirement("5.5-exp")
@pytest.mark.last
def test_an_expired_token_is_refused(delegation: Delegation, expiring: Tried[Expiring]) -> None:
    found = expiring.had()
    _served_before(found.before)
    delegation.alone_with_the_clock()
    token, ends = found.grant.token, found.grant.claim("exp")
    if not isinstance(ends, int | float) or isinstance(ends, bool):
        raise Untested("the token does not say when it expires", do="see 5.4-iat-exp")
    seconds = max(0.0, ends - delegation.clock_provider.caller.clock()) + PAST_EXPIRY
    send_again = partial(
        delegation.clock_provider.send, user=found.grant.flow.user, delegation=token, turn=False
    )

    delegation.move_clock(seconds)
    try:
        answer = send_again()
    finally:
        delegation.move_clock(-seconds)
    expect.unauthorized(answer)


@requirement("5.5-as-brand-user")
def test_each_turn_runs_as_the_user_of_its_token(
    both: Tried[Grant],
    other_account: Tried[Grant],
    acting_on: Turn,
    as_other_account: Turn,
) -> None:
    for grant, turn in ((both.had(), acting_on), (other_account.had(), as_other_account)):
        user, sub = receipt_of(turn).claims.get("user"), grant.claim("sub")
        expect.that(user == sub, f"a receipt for {sub}", f"one for {user}")


@requirement("5.5-limited-to-scope")
def test_a_turn_uses_no_scope_that_its_token_lacks(
    part: Tried[Part], stepped_up: Tried[Turn]
) -> None:
    turn = stepped_up.had()
    if turn.answer.status != 200:
        raise Untested("the message was not served", do="see 5.5-step-up")
    if task_of(turn) is not None:
        step_up_of(turn)
        return

    used = receipt_of(turn).claims.get("scopesUsed")
    granted = part.had().narrow.scopes
    expect.that(
        isinstance(used, list) and granted.issuperset(map(str, used)),
        f"none but {' '.join(sorted(granted))}",
        used,
    )


@requirement("5.5-context-rules")
def test_contexts_are_kept_apart_under_delegation_too(strange_contexts: Strange) -> None:
    for answer in (strange_contexts.unknown, strange_contexts.foreign):
        expect.a2a_error(answer, "INVALID_PARAMS")


@requirement("5.5-context-rules")
def test_an_account_is_no_key_to_the_contexts_of_others(strange_contexts: Strange) -> None:
    answer = strange_contexts.of_account

    # A Provider may bind a grant to the User of the agent who got it; then the token is bad.
    if answer.status != 401:
        expect.a2a_error(answer, "INVALID_PARAMS")


@requirement("5.5-context-continues")
def test_a_conversation_goes_on_under_delegation(
    undelegated: Turn, continued_under_delegation: Turn
) -> None:
    answer = continued_under_delegation.answer
    body = expect.reply_or_task(answer)
    held = body.get("message") or body.get("task") or {}

    expect.that(
        held.get("contextId") == undelegated.context_id,
        f"the contextId {undelegated.context_id}",
        held.get("contextId"),
    )


@requirement("5.5-context-without-token")
def test_a_conversation_goes_on_without_the_token(without_token: Turn) -> None:
    expect.served(without_token.answer)
    expect.reply_or_task(without_token.answer)


@requirement("5.5-no-token-no-power")
def test_without_the_token_there_is_no_power(without_token: Turn) -> None:
    expect.no_receipt(without_token.answer)


@requirement("5.5-other-brand-user")
def test_another_account_is_refused_in_a_conversation(intruded: Tried[Intruded]) -> None:
    expect.a2a_error(intruded.had().went_on, "INVALID_PARAMS")


@requirement("5.5-other-brand-user")
def test_the_refused_account_leaves_no_trace(acting: Turn, intruded: Tried[Intruded]) -> None:
    message = expect.reply(intruded.had().owner.answer)

    expect.that(
        message.get("contextId") == acting.context_id,
        f"the contextId {acting.context_id}",
        message.get("contextId"),
    )


@requirement("5.5-retry-other-user")
def test_a_reply_is_not_repeated_to_another_account(intruded: Tried[Intruded]) -> None:
    answer = intruded.had().repeated

    if answer.status != 401:
        expect.a2a_error(answer, "INVALID_PARAMS")
