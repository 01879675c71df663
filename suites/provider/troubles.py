"""Failures and limits that the suite brings about by hook, each for a User of its own (§6)."""

from dataclasses import dataclass
from http import HTTPStatus

from pact_conformance.gate import Gate
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import Rig, conversation
from pact_conformance.subject.probe import probe
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.rate_limit import Patience

from .conversations import Turn

FAILING = "agent-fails"
LIMITED = "rate-limited"

# So long a limit is asked for: the least that Retry-After can say; then longer, in case that the
# request came too late for it.
LIMIT_SECONDS = (1, 3, 9)


@conversation(turns=1)
def failed(pact_rig: Rig, opening: Turn) -> Answer:
    """A message to a Brand's agent that fails."""
    hooks, caller = pact_rig.hooks, pact_rig.caller
    hooks.need("fail_agent")
    opening.must_be_served()
    provider = pact_rig.provider_of(pact_rig.card, caused=True)
    with hooks.during("fail_agent", issuer=caller.issuer, sub=caller.user(FAILING)):
        return provider.send(user=FAILING)


@dataclass(frozen=True)
class Limited:
    """The first answer to a User who is limited, and the one after the wait that it asked for."""

    first: Answer
    later: Answer


@conversation(turns=0, together=0)
def limited(pact_rig: Rig, gate: Gate) -> Limited | None:
    """A User is limited for a moment: one request is turned away, the next waits as it is told.

    Without the hook there is none, and what limits a run meets by itself is for journal rules.
    """
    hooks, caller = pact_rig.hooks, pact_rig.caller
    pact_rig.declared_absent("rate_limits")
    if not hooks.has("rate_limit"):
        return None
    hasty = Provider(pact_rig.client, pact_rig.card, caller, Patience(0), pact_rig.turns)
    about = {"issuer": caller.issuer, "sub": caller.user(LIMITED)}
    for seconds in LIMIT_SECONDS:
        with hooks.during("rate_limit", seconds=seconds, **about):
            first = probe(hasty, gate.probe_name, user=LIMITED)
            limited = Limited(first, gate.knock(user=LIMITED))
        if first.status == HTTPStatus.TOO_MANY_REQUESTS:
            break
    return limited
