"""Turns under delegation (§5.5, §5.6), each held once for all checks that look at it.

All are of one User of the personal agent, whose grants they use. What is to be refused is no turn
unless it is served.
"""

from dataclasses import dataclass

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.expect import Receipt
from pact_conformance.grants import Grant, Tried, tried
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import conversation
from pact_conformance.subject.likes import like
from pact_conformance.subject.provider import GREETING, Provider
from pact_conformance.verdicts import Deviation, Untested

from .authorizing import USER, Part
from .conversations import Turn, say

FURTHER = "Thank you. What are your opening hours?"


class DelegatedTurn(Turn):
    """One message under a delegation token and its answer."""

    def must_be_served(self) -> None:
        """End what stands on this turn if it was not served: nothing would follow from the rest.

        Raises:
            Untested: it was refused; 5.5-served says so.
        """
        status = expect.settled(self.answer).status
        if not 200 <= status < 300:
            raise Untested(
                f"a message under a delegation token got {status}, so this would show nothing",
                do="see 5.5-served",
            )


def act(
    provider: Provider, grant: Grant, text: str, context_id: str | None = None
) -> DelegatedTurn:
    """Send a message of the User who delegated, with the grant's token."""
    parts = {} if context_id is None else {"context_id": context_id}
    turn = say(provider, grant.flow.user, text, delegation=grant.token, **parts)
    return DelegatedTurn(turn.user, turn.message_id, turn.answer)


def receipt_of(turn: Turn) -> Receipt:
    """Return the receipt of a turn for checks of what it says.

    Raises:
        Untested: there is none, as 5.6-receipt says.
    """
    turn.must_be_served()
    try:
        return expect.receipt(turn.answer)
    except Deviation as deviation:
        raise Untested("the reply has no receipt", do="see 5.6-receipt") from deviation


@conversation(turns=1)
def undelegated(provider: Provider, opening: Turn, part: Tried[Part]) -> Turn:
    """A message of the User who has delegated, if anybody could, without a delegation token."""
    del part
    opening.must_be_served()
    return say(provider, USER)


@conversation(turns=1)
def acting(provider: Provider, opening: Turn, delegation: Delegation, both: Tried[Grant]) -> Turn:
    """A message that needs a scope, under a token that has it; it opens a conversation."""
    opening.must_be_served()
    return act(provider, both.had(), delegation.prompt(delegation.first))


@conversation(turns=1)
def acting_on(provider: Provider, both: Tried[Grant], acting: Turn) -> Turn:
    """A message that needs no scope, in the same conversation under the same token."""
    return act(provider, both.had(), FURTHER, acting.context_id)


@conversation(turns=0)
def acting_repeated(
    provider: Provider, both: Tried[Grant], acting: Turn, acting_on: Turn
) -> Answer:
    """The second message of that conversation is sent again under its messageId."""
    return provider.send(
        "Please do something else.",
        user=USER,
        message_id=acting_on.message_id,
        context_id=acting.context_id,
        delegation=both.had().token,
        turn=False,
    )


@conversation(turns=1)
def continued_under_delegation(
    provider: Provider, both: Tried[Grant], acting: Turn, undelegated: Turn
) -> Turn:
    """The conversation that began without a token goes on under one."""
    acting.must_be_served()
    return act(provider, both.had(), FURTHER, undelegated.context_id)


@conversation(turns=1)
def as_other_account(provider: Provider, opening: Turn, other_account: Tried[Grant]) -> Turn:
    """A message of the same User under the token of another Brand account."""
    opening.must_be_served()
    return act(provider, other_account.had(), GREETING)


@dataclass(frozen=True)
class Intruded:
    """What another Brand account got in a conversation of the first, and the owner after that."""

    went_on: Answer
    repeated: Answer
    owner: Turn


@conversation(turns=1)
def intruded(
    provider: Provider,
    both: Tried[Grant],
    other_account: Tried[Grant],
    acting_on: Turn,
    acting_repeated: Answer,
) -> Tried[Intruded]:
    """The token of another Brand account is sent in a conversation that ran as the first one."""
    del acting_repeated
    return tried(lambda: _intrude(provider, both.had(), other_account.had(), acting_on))


def _intrude(provider: Provider, owner: Grant, other: Grant, turn: Turn) -> Intruded:
    context_id = turn.context_id
    went_on, repeated = (
        provider.send(
            "What did I ask before?",
            user=USER,
            context_id=context_id,
            delegation=other.token,
            turn=False,
            message_id=message_id,
        )
        for message_id in (None, turn.message_id)
    )
    return Intruded(went_on, repeated, act(provider, owner, FURTHER, context_id))


@conversation(turns=1)
def without_token(
    provider: Provider, delegation: Delegation, acting: Turn, intruded: Tried[Intruded]
) -> Turn:
    """In a conversation that ran under delegation, the prompt of a scope without the token."""
    if intruded.value is not None and intruded.value.owner.answer.status != 200:
        raise Untested(
            "the conversation ended when another account was refused in it",
            do="see 5.5-other-brand-user",
        )
    text = delegation.prompt(delegation.first)
    return say(provider, USER, text, context_id=acting.context_id)


@dataclass(frozen=True)
class Strange:
    """Answers under delegation about contexts that are not the User's."""

    unknown: Answer
    foreign: Answer
    of_account: Answer
    """Of the User whose token it is, sent beside a JWT of another User of the personal agent."""


@conversation(turns=0)
def strange_contexts(
    provider: Provider, both: Tried[Grant], opening: Turn, acting: Turn
) -> Strange:
    """Under a token: a made-up contextId, and ones of another User of the personal agent."""

    def ask(context_id: str, user: str = USER) -> Answer:
        return provider.send(
            "What did I ask before?",
            user=user,
            context_id=context_id,
            delegation=both.had().token,
            turn=False,
        )

    return Strange(
        ask(like(acting.context_id)),
        ask(opening.context_id),
        ask(acting.context_id, "shares-the-account"),
    )


@conversation(turns=1)
def unmapped(provider: Provider, opening: Turn, delegation: Delegation) -> Turn:
    """A message for something that needs no scope, as the tester says, without a token."""
    opening.must_be_served()
    text = delegation.unmapped_prompt
    if text is None:
        raise Untested(
            "a message for something that needs no scope is needed",
            do='set prompts."" in the settings file to one',
        )
    return say(provider, "asks-unmapped", text)
