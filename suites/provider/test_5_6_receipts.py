"""§5.6 Receipts: what a reply under delegation says of itself, signed."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.expect import Receipt
from pact_conformance.grants import Grant, Tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Gate, requirement
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.delegation import read
from pact_conformance.verdicts import Deviation, Untested

from .acting import receipt_of
from .authorizing import Part
from .conversations import Turn
from .stepping_up import Resolved, task_of

# RFC 3339 §5.6; that it is in UTC is judged apart.
TIME = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII | re.IGNORECASE
)

# How far from the turn the time of a receipt may lie, in seconds, clocks aside: for whole seconds.
NEAR = 2.0


@requirement("5.6-receipt")
def test_every_reply_under_delegation_has_a_receipt(acting: Turn, acting_on: Turn) -> None:
    for turn in (acting, acting_on):
        _has_receipt(turn)


@requirement("5.6-receipt")
def test_a_conversation_that_began_without_delegation_gets_receipts_under_it(
    continued_under_delegation: Turn,
) -> None:
    _has_receipt(continued_under_delegation)


@requirement("5.6-receipt")
def test_what_a_granted_scope_makes_possible_has_a_receipt(resolved: Tried[Resolved]) -> None:
    _has_receipt(resolved.had().turn)


def _has_receipt(turn: Turn) -> None:
    turn.must_be_served()
    if task_of(turn) is None:
        expect.receipt(turn.answer)


@requirement("5.6-jws")
def test_a_receipt_is_signed_by_a_published_key(delegation: Delegation, acting_on: Turn) -> None:
    receipt = receipt_of(acting_on)

    try:
        delegation.server.verify(receipt.jws)
    except ValueError as error:
        raise Deviation("a compact JWS signed by a key at the jwks_uri", str(error)) from error


def _payload(receipt: Receipt) -> Any:  # noqa: ANN401 - whatever the subject wrote there
    try:
        return read(receipt.jws).claims
    except ValueError as error:
        raise Untested(f"the jws cannot be read: {error}", do="see 5.6-jws") from error


@requirement("5.6-claims")
def test_what_is_signed_is_what_is_shown(acting_on: Turn) -> None:
    receipt = receipt_of(acting_on)
    payload = _payload(receipt)

    differing = [name for name, value in receipt.claims.items() if payload.get(name) != value]
    expect.that(
        bool(receipt.claims) and not differing,
        "a payload of the jws with each member of claims",
        f"other values of {', '.join(differing) or 'nothing at all'}",
    )


@requirement("5.6-claims-only")
def test_nothing_is_signed_that_is_not_shown(acting_on: Turn) -> None:
    receipt = receipt_of(acting_on)

    more = sorted(set(_payload(receipt)) - set(receipt.claims))
    expect.that(not more, "a payload of the jws with nothing else", f"{', '.join(more)} besides")


@requirement("5.6-grant-id")
def test_a_receipt_names_the_grant(both: Tried[Grant], acting_on: Turn) -> None:
    _names(acting_on, "grantId", both.had().claim("grant_id"))


@requirement("5.6-user")
def test_a_receipt_names_the_user_at_the_brand(both: Tried[Grant], acting_on: Turn) -> None:
    _names(acting_on, "user", both.had().claim("sub"))


@requirement("5.6-pa")
def test_a_receipt_names_the_personal_agent(caller: Caller, acting_on: Turn) -> None:
    _names(acting_on, "pa", caller.issuer)


def _names(turn: Turn, member: str, value: object) -> None:
    found = receipt_of(turn).claims.get(member)
    expect.that(found == value, f"{member} {value}", found)


@requirement("5.6-brand")
def test_a_receipt_names_the_brand(delegation: Delegation, acting_on: Turn) -> None:
    url = delegation.server.provider.interface.url
    found = receipt_of(acting_on).claims.get("brand")

    expect.that(
        isinstance(found, str) and found.rstrip("/") == url.rstrip("/"), f"brand {url}", found
    )
    expect.warn_unless(found == url, f"brand and the interface url differ by a slash: {found}")


@requirement("5.6-scopes-used")
def test_a_receipt_lists_no_scope_that_the_token_lacks(
    part: Tried[Part],
    both: Tried[Grant],
    acting: Turn,
    acting_on: Turn,
    after_step_up: Tried[Turn],
    resolved: Tried[Resolved],
) -> None:
    turns = [(acting, both.had()), (acting_on, both.had())]
    if after_step_up.value is not None:
        turns.append((after_step_up.value, part.had().narrow))
    if resolved.value is not None and resolved.value.turn.answer.status == 200:
        turns.append((resolved.value.turn, resolved.value.grant))
    for turn, grant in turns:
        if task_of(turn) is not None:
            continue
        used = receipt_of(turn).claims.get("scopesUsed")
        expect.that(
            isinstance(used, list) and all(it in grant.scopes for it in used),
            f"an array of none but {' '.join(sorted(grant.scopes))}",
            used,
        )


@requirement("5.6-actions")
def test_a_receipt_lists_the_tools_that_acted(acting: Turn, acting_on: Turn) -> None:
    for turn in (acting, acting_on):
        if task_of(turn) is not None:
            continue
        actions = receipt_of(turn).claims.get("actions")
        expect.that(isinstance(actions, list), "an array of actions", actions)
        nameless = [it for it in actions or () if not _has_tool(it)]
        expect.that(not nameless, "a tool in each action", nameless)


def _has_tool(action: object) -> bool:
    tool = action.get("tool") if isinstance(action, dict) else None
    return isinstance(tool, str) and bool(tool)


@requirement("5.6-ts")
def test_a_receipt_has_the_time_of_the_turn(gate: Gate, acting_on: Turn) -> None:
    found = receipt_of(acting_on).claims.get("ts")
    expect.that(
        isinstance(found, str) and TIME.fullmatch(found) is not None,
        "a time of RFC 3339, like 2026-09-30T12:00:00Z",
        found,
    )
    told = _read(str(found))
    margin = timedelta(seconds=NEAR + gate.uncertainty)
    sent, answered = _span(acting_on.answer, gate.offset)
    expect.that(
        sent - margin <= told <= answered + margin,
        f"a time between {sent.isoformat()} and {answered.isoformat()}, clocks aside",
        found,
    )
    expect.warn_unless(told.utcoffset() == timedelta(0), f"the time is not in UTC: {found}")


def _read(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError as error:
        raise Deviation("a time that there is", text) from error


def _span(answer: Answer, offset: float) -> tuple[datetime, datetime]:
    """Return when a message was sent and answered, by the Provider's clock."""
    sent = datetime.fromtimestamp(answer.at + offset, UTC)
    return sent, sent + timedelta(seconds=answer.elapsed)


@requirement("5.6-stored-receipt")
def test_a_stored_reply_keeps_its_receipt(acting_on: Turn, acting_repeated: Answer) -> None:
    first = receipt_of(acting_on)
    again = expect.receipt(acting_repeated)

    changed = sorted(_differing(first.claims, again.claims))
    expect.that(not changed, "the receipt of the first answer", f"another {', '.join(changed)}")
    expect.warn_unless(again.jws == first.jws, "the same claims were signed again")


def _differing(first: Any, again: Any) -> Iterator[str]:  # noqa: ANN401 - members of any kind
    for name in first.keys() | again.keys():
        if first.get(name) != again.get(name):
            yield name
