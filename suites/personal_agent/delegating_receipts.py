"""Replies under delegation with good receipts and bad ones, and the agent's record (§5.6)."""

from dataclasses import dataclass

from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest, Held, KeptReceipt
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import Untested

from .delegating import AT_ONCE, READ, SAID, answered, customer, during, signed_in

GOOD = ""
MISSING = "missing"

# What is wrong with the receipt of each turn, and what that is in words.
FAULTS = {
    GOOD: "a good one",
    "signature": "one whose signature was altered",
    "foreign-key": "one that no published key has signed",
    "claims": "one whose claims beside the signature are not those that were signed",
    "grant": "one about another grant",
    "brand": "one of another Brand",
    "user": "one about another account",
    "scopes": "one about a scope that was not granted",
}

_TURNS = (GOOD, *FAULTS, GOOD)


@dataclass(frozen=True)
class Given:
    """A receipt that came with a reply."""

    fault: str
    jws: str


@dataclass(frozen=True)
class Receipts:
    """What was given, and what the agent says of it."""

    given: tuple[Given, ...]
    held: Held

    def kept(self, given: Given) -> tuple[KeptReceipt, ...]:
        """Return the agent's record of a receipt."""
        return tuple(it for it in self.held.receipts if it.jws == given.jws)

    def of(self, fault: str) -> tuple[Given, ...]:
        """Return the receipts that have a fault."""
        return tuple(it for it in self.given if it.fault == fault)


@conversation(turns=0, together=0)
def given_receipts(stage: Stage, agent: AgentUnderTest) -> Receipts:
    """A User talks under delegation, and gets a receipt with each reply, good or bad; one without.

    Each bad receipt is bad in one way.
    """
    if not agent.offers("holds"):
        raise Untested("the agent's adapter does not offer holds", do="let it tell what it holds")
    turns = (*_TURNS, MISSING)
    faults = [
        {"of": number, "fault": fault} for number, fault in enumerate(turns, 1) if fault != GOOD
    ]
    who = customer(agent, stage.open(receipts=faults, **AT_ONCE), "given-receipts")
    signed_in(who, READ)
    given: list[Given] = []
    for fault in turns:
        for seen in during(who, lambda: who.say(SAID[READ])):
            jws = _receipt(answered(seen))
            # One that comes again is no other one, whatever was to be wrong with it.
            if jws is not None and jws not in {it.jws for it in given}:
                given.append(Given(fault, jws))
    return Receipts(tuple(given), agent.holds(who.brand, who.user))


def _receipt(told: dict[str, object]) -> str | None:
    """Return the receipt of a reply."""
    found: object = told
    for name in ("message", "metadata", "pact.receipt", "jws"):
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) else None
