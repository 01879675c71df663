"""Delegation tokens: how they are carried, renewed, and given up (§5.4, §5.5)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pact_conformance.grants import Tried, tried
from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.tokens.delegation import read
from pact_conformance.verdicts import NotApplicable

from .delegating import (
    AT_ONCE,
    PAST,
    READ,
    SAID,
    TOKEN_LIFE,
    Customer,
    acting,
    customer,
    during,
    signed_in,
)
from .granting import refreshes

# Claims that PACT does not name, of shapes that strict models do not expect.
_CLAIMS = {
    "https://brand.example/claims/tier": {"level": None, "since": 2011.5, "tags": [[], {}]},
    "aud_hint": ["a", 1],
    "nonce": "\u00e9\u4e16\u0000",
}

# So that a token is longer than what columns and headers are often made for.
_PADDING = 2600

_CHALLENGE = 'Bearer realm="a2a"'


@dataclass(frozen=True)
class Acted:
    """A User who has signed in, and a turn after it."""

    who: Customer
    token: str
    seen: tuple[Seen, ...]
    """What came for the turn."""

    @property
    def messages(self) -> tuple[Seen, ...]:
        """The messages of the turn."""
        return tuple(it for it in self.seen if it.operation == "message:send")


def _act(who: Customer) -> Acted:
    token = signed_in(who, READ)
    return Acted(who, token, during(who, lambda: who.say(SAID[READ])))


@conversation(turns=0, together=0)
def odd_token(stage: Stage, agent: AgentUnderTest) -> Tried[Acted]:
    """A token of unusual claims and length, and a turn under it."""
    scene = stage.open(tokenClaims=_CLAIMS, tokenPadding=_PADDING, **AT_ONCE)
    return tried(lambda: _act(customer(agent, scene, "odd-token")))


@conversation(turns=0, together=0)
def one_turn(stage: Stage, agent: AgentUnderTest) -> Tried[Acted]:
    """An ordinary sign-in whose first poll gets the token, and a turn under it."""
    scene = stage.open(**AT_ONCE)
    return tried(lambda: _act(customer(agent, scene, "one-turn")))


@dataclass(frozen=True)
class TwoUsers:
    """A User who has approved, and another at the same Brand who has not."""

    owner: Customer
    token: str
    stranger: tuple[Seen, ...]
    """What came for the other one."""


@conversation(turns=0, together=0)
def two_users(stage: Stage, agent: AgentUnderTest) -> TwoUsers:
    """Two Users of one Brand, of whom one has approved."""
    scene = stage.open(**AT_ONCE)
    owner = customer(agent, scene, "two-users-owner")
    stranger = customer(agent, scene, "two-users-stranger", of=owner)
    first = during(stranger, lambda: stranger.say(SAID[""]))
    token = acting(owner, READ)
    later = during(stranger, lambda: stranger.say(SAID[READ]))
    return TwoUsers(owner, token, (*first, *later))


@dataclass(frozen=True)
class Renewed:
    """A User whose token expires twice while they talk."""

    who: Customer
    after: tuple[tuple[Seen, ...], ...]
    """What came from each expiry on, to the end of a turn behind it."""


@conversation(turns=0, together=0)
def expiring_token(stage: Stage, agent: AgentUnderTest) -> Tried[Renewed]:
    """Tokens of a short life, with a refresh token that rotates."""
    scene = stage.open(tokenSeconds=TOKEN_LIFE, **AT_ONCE)
    return tried(lambda: _let_expire(customer(agent, scene, "expiring")))


@conversation(turns=0, together=0)
def unrotated_token(
    stage: Stage, agent: AgentUnderTest, expiring_token: Tried[Renewed]
) -> Tried[Renewed]:
    """The same with a refresh token that stays, and is given but once (RFC 6749 §6)."""
    return tried(lambda: _let_expire_again(stage, agent, expiring_token.had()))


def _let_expire(who: Customer) -> Renewed:
    signed_in(who, READ)
    who.say(SAID[""])
    return Renewed(who, tuple(during(who, lambda: _past_its_end(who)) for _ in range(2)))


def _let_expire_again(stage: Stage, agent: AgentUnderTest, before: Renewed) -> Renewed:
    if not refreshes(before.who.scene):
        raise NotApplicable("the agent does not refresh a grant")
    scene = stage.open(tokenSeconds=TOKEN_LIFE, rotate=False, **AT_ONCE)
    return _let_expire(customer(agent, scene, "unrotated"))


def _past_its_end(who: Customer) -> None:
    who.let_pass(PAST, "for the delegation token to expire")
    who.say(SAID[READ])


@dataclass(frozen=True)
class Refused:
    """A User one of whose turns gets a 401, and who goes on."""

    who: Customer
    token: str
    refused: tuple[Seen, ...]
    """What came for the turn that was refused."""
    later: tuple[Seen, ...]
    """What came for the turn after it."""


def _refused(who: Customer, refuse: Callable[[str], Any], *, then: str) -> Refused:
    token = acting(who, READ)
    refuse(token)
    refused = during(who, lambda: who.say(SAID[READ]))
    later = during(who, lambda: who.say(then))
    return Refused(who, token, refused, later)


@conversation(turns=0, together=0)
def revoked_grant(stage: Stage, agent: AgentUnderTest) -> Refused:
    """The grant is revoked between two turns: the token is refused, and so is its refresh."""
    scene = stage.open(interval=1, approve={"auto": "all"})
    who = customer(agent, scene, "revoked")

    def revoke(token: str) -> None:
        scene.revoke(str(read(token).claims["grant_id"]))

    return _refused(who, revoke, then=SAID[""])


@conversation(turns=0, together=0)
def plainly_refused(stage: Stage, agent: AgentUnderTest) -> Refused:
    """A turn under a good token gets a plain 401: it is the personal-agent JWT that is refused."""
    challenge = {"status": 401, "headers": {"WWW-Authenticate": _CHALLENGE}}
    # Only what comes first after the turn that shows the token is refused.
    scene = stage.open(answers={"message:send": [None, challenge]}, **AT_ONCE)
    who = customer(agent, scene, "plainly-refused")
    return _refused(who, lambda _: None, then=SAID[READ])
