"""Replies under delegation with good receipts and bad ones, and the agent's record (§5.6)."""

from dataclasses import dataclass

from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest, KeptReceipt, Reply
from pact_conformance.subject.stage import Stage

from .delegating import AT_ONCE, READ, SAID, customer, during, signed_in
from .granting import answered

GOOD = ""
MISSING = "missing"

# What is wrong with the receipt of a turn, and what that is in words.
BAD = {
    "signature": "one whose signature was altered",
    "foreign-key": "one that no published key has signed",
    "claims": "one whose claims beside the signature are not those that were signed",
}

# What is signed as it should be, but is about something else. PACT does not say that verifying goes
# so far, and a generic client does not read the token in which grant and account stand (§5).
BESIDE = {
    "grant": "one about another grant",
    "brand": "one of another Brand",
    "user": "one about another account",
    "scopes": "one about a scope that was not granted",
}

# A good one, by a key that the Brand has published just before.
NEW_KEY = "new-key"

_TURNS = (GOOD, GOOD, *BAD, *BESIDE, GOOD, NEW_KEY)

# So that no cache keeps the new key from being seen.
_FRESH = {"headers": {"Cache-Control": "no-store"}, "always": True}


@dataclass(frozen=True)
class Given:
    """A receipt that came with a reply."""

    fault: str
    jws: str
    replied: bool
    """Whether the User was given the reply that it came with."""


@dataclass(frozen=True)
class Receipts:
    """What was given, and what the agent says of it."""

    given: tuple[Given, ...]
    record: tuple[KeptReceipt, ...] | None
    """None: the adapter does not tell it."""

    def kept(self, given: Given) -> tuple[KeptReceipt, ...]:
        """Return the agent's record of a receipt."""
        return tuple(it for it in self.record or () if it.jws == given.jws)

    def of(self, fault: str) -> tuple[Given, ...]:
        """Return the receipts that have a fault."""
        return tuple(it for it in self.given if it.fault == fault)


@conversation(turns=0, together=0)
def given_receipts(stage: Stage, agent: AgentUnderTest) -> Receipts:
    """A User talks under delegation, and gets a receipt with each reply, good or bad; one without.

    Each bad receipt is bad in one way.
    """
    turns = (*_TURNS, MISSING)
    faults = [
        {"of": number, "fault": fault} for number, fault in enumerate(turns, 1) if fault != GOOD
    ]
    scene = stage.open(receipts=faults, answers={"jwks": [_FRESH]}, **AT_ONCE)
    who = customer(agent, scene, "given-receipts")
    signed_in(who, READ)
    given: list[Given] = []
    for fault in turns:
        for seen in during(who, lambda: who.say(SAID[READ])):
            jws = _receipt(answered(seen))
            # One that comes again is no other one, whatever was to be wrong with it.
            if jws is not None and jws not in {it.jws for it in given}:
                given.append(Given(fault, jws, isinstance(who.log[-1], Reply)))
    held = agent.holds(who.brand, who.user) if agent.offers("holds") else None
    return Receipts(tuple(given), None if held is None else held.receipts)


def _receipt(told: dict[str, object]) -> str | None:
    """Return the receipt of a reply."""
    found: object = told
    for name in ("message", "metadata", "pact.receipt", "jws"):
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) else None
