"""Device flows that go on for a while, and flows that end without a grant (§5.3, RFC 8628)."""

from dataclasses import dataclass
from typing import Any

from pact_conformance.grants import Tried, tried
from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest, Result
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.verdicts import NotApplicable

from .delegating import CANCEL, READ, SAID, Customer, customer, during, sign_in, signed_in
from .failing import PAUSE_REAL, PAUSE_VIRTUAL
from .granting import Flow

# A link as Brands have them whose login is at a third party: nothing in it may change.
QUERY = "back=https%3A%2F%2Fshop.example%2F%3Fa%3D1%26b%3D%2520&q=%E2%98%95+%26&no=&%7Ex=1%252F"

# Longer than what a fixed interval of five seconds keeps to.
LONG_INTERVAL = 7

# Seconds that a code lives which nobody approves.
SHORT_LIFE = 4

# Polls for which an agent that does not stop is told that nothing is decided, or that it is over.
_PATIENCE = 30

# Seconds for which an agent whose time is real may show that it polls on.
_SILENCE = 4.0


def oauth_error(code: str, **how: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON values
    """Return an answer of the stage: an OAuth error (RFC 6749 §5.2)."""
    return {"status": 400, "body": {"error": code}, **how}


@dataclass(frozen=True)
class Polled:
    """A device flow, and what came of it."""

    who: Customer
    flow: Flow
    shown: Result
    """What the agent said when it began."""
    ended: Result | None
    """What it said at the end; None: nothing."""
    after: tuple[Seen, ...] = ()
    """What came to the Brand when the User had gone on talking."""

    @property
    def polls(self) -> tuple[Seen, ...]:
        """The polls of its device code."""
        return self.who.polls(self.flow.code)


def _poll(who: Customer, *scopes: str) -> Polled:
    flow = sign_in(who, *scopes)
    shown = who.log[-1]
    return Polled(who, flow, shown, who.finish())


@conversation(turns=0, together=0)
def pending_flow(stage: Stage, agent: AgentUnderTest) -> Polled:
    """No interval is named, the link is long, and the User decides after two polls."""
    scene = stage.open(
        interval=None, verificationQuery=QUERY, approve={"auto": "all", "afterPolls": 2}
    )
    who = customer(agent, scene, "pending")
    polled = _poll(who, READ)
    after = during(who, lambda: who.say(SAID[READ])) if who.tokens else ()
    return Polled(who, polled.flow, polled.shown, polled.ended, after)


@conversation(turns=0, together=0)
def long_interval(stage: Stage, agent: AgentUnderTest) -> Polled:
    """The interval is longer than usual, and the User decides after one poll."""
    scene = stage.open(interval=LONG_INTERVAL, approve={"auto": "all", "afterPolls": 1})
    return _poll(customer(agent, scene, "long-interval"), READ)


@conversation(turns=0, together=0)
def slowed_down(stage: Stage, agent: AgentUnderTest) -> Polled:
    """Two polls in a row get slow_down, and the third one the token."""
    scene = stage.open(
        interval=1,
        approve={"auto": "all"},
        answers={"token": [oauth_error("slow_down"), oauth_error("slow_down")]},
    )
    return _poll(customer(agent, scene, "slowed-down"), READ)


@conversation(turns=0, together=0)
def limited_poll(stage: Stage, agent: AgentUnderTest) -> Tried[Polled]:
    """The first poll gets 429 with a `Retry-After` that is longer than the interval."""
    seconds = PAUSE_VIRTUAL if agent.virtual_time else PAUSE_REAL
    limited = {"status": 429, "headers": {"Retry-After": str(seconds)}, "text": ""}
    return tried(lambda: _poll_within_limits(stage, agent, limited))


def _poll_within_limits(stage: Stage, agent: AgentUnderTest, limited: dict[str, Any]) -> Polled:
    if not agent.offers("sign_in"):
        raise NotApplicable("the agent's adapter does not offer sign_in")
    scene = stage.open(interval=1, approve={"auto": "all"}, answers={"token": [limited]})
    return _poll(customer(agent, scene, "limited"), READ)


@dataclass(frozen=True)
class Ended:
    """A flow that ended without a grant, between two turns of its User."""

    polled: Polled
    before: tuple[Seen, ...]
    """What came to the Brand for a turn before."""
    finishing: tuple[Seen, ...]
    """What came while the flow was finished."""
    after: tuple[Seen, ...]
    """What came for a turn afterwards."""


def _end(who: Customer, *, silence: float = _SILENCE) -> Ended:
    before = during(who, lambda: who.say(SAID[""]))
    flow = sign_in(who, READ)
    shown = who.log[-1]
    ended: list[Result | None] = []
    finishing = during(who, lambda: ended.append(who.finish()))
    who.stays_quiet("token", silence)
    after = during(who, lambda: who.say(SAID[""])) if who.broke is None else ()
    return Ended(Polled(who, flow, shown, ended[0]), before, finishing, after)


@conversation(turns=0, together=0)
def denied_flow(stage: Stage, agent: AgentUnderTest) -> Ended:
    """The User refuses."""
    answers = {"token": [None] * 5 + [oauth_error("expired_token", always=True)]}
    scene = stage.open(interval=1, approve={"deny": True}, answers=answers)
    return _end(customer(agent, scene, "denied"))


@conversation(turns=0, together=0)
def expired_flow(stage: Stage, agent: AgentUnderTest) -> Ended:
    """Nobody follows the link while the code lives."""
    answers = {"token": [None] * _PATIENCE + [oauth_error("access_denied", always=True)]}
    scene = stage.open(interval=1, deviceCodeSeconds=SHORT_LIFE, answers=answers)
    return _end(customer(agent, scene, "expired"), silence=SHORT_LIFE + 2.0)


@conversation(turns=0, together=0)
def other_error(stage: Stage, agent: AgentUnderTest) -> Ended:
    """A poll gets an error that only says that it is over (RFC 8628 §3.5)."""
    answers = {
        "token": [oauth_error("invalid_grant")] * 4 + [oauth_error("access_denied", always=True)]
    }
    scene = stage.open(interval=1, answers=answers)
    return _end(customer(agent, scene, "other-error"))


@dataclass(frozen=True)
class Narrowed:
    """A User who has approved less than was asked for, and then needs the rest."""

    who: Customer
    flow: Flow
    held: tuple[str, ...] | None
    """The scopes that the agent says it has; None: it does not say."""
    needing: Result
    """What the agent said when a turn needed the rest."""
    seen: tuple[Seen, ...]
    """What came to the Brand then."""


@conversation(turns=0, together=0)
def narrowed(stage: Stage, agent: AgentUnderTest) -> Narrowed:
    """The User approves one scope of two, and a turn needs the other."""
    scene = stage.open(interval=1, approve=[{"auto": [READ]}, {"deny": True}])
    who = customer(agent, scene, "narrowed")
    signed_in(who, READ, CANCEL)
    held = agent.holds(who.brand, who.user).scopes if agent.offers("holds") else None
    seen = during(who, lambda: who.say(SAID[CANCEL]))
    return Narrowed(who, who.flows[0], held, who.log[-1], seen)
