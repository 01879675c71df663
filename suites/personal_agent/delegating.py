"""A User of the agent under test at a Brand of the stage that offers delegation (§5).

What keeps a scenario from getting as far as its point is no verdict on that point: the check that
is about it says what is wrong, and the others are untested and refer to it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pact_conformance.grants import let_pass
from pact_conformance.subject.agent import (
    AgentUnderTest,
    Broke,
    GaveUp,
    NeedsSignIn,
    Reply,
    Result,
    User,
)
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Scene
from pact_conformance.verdicts import Untested, open_notebook

from .granting import USUAL_INTERVAL, Flow, error_of, flows, issues, polls
from .playing import time_of_its_own

DELEGATION = "x-a2a-user-delegation"

READ, CANCEL, CHANGE = "orders:read", "orders:cancel", "addresses:change"

# What Users say: texts that need one scope, and one that needs none.
SAID = {
    READ: "Where is my order?",
    CANCEL: "Please cancel my order.",
    CHANGE: "Please change the address of my parcel.",
    "": "What are your opening hours?",
}

# Seconds that slow_down adds to the interval (RFC 8628 §3.5).
SLOWER_BY = 5.0

# The User decides at once; the agent need not wait long for its second poll either.
AT_ONCE = {"approve": {"auto": "all"}, "interval": 1}

# Seconds that a token lives which is to expire while the check runs, and that it is waited for.
TOKEN_LIFE = 2
PAST = 3.0

# What polls get while nothing is decided.
UNDECIDED = frozenset({"authorization_pending", "slow_down"})

# So often an agent that polls once for each word of its caller is told to go on.
_WORDS = 12

# Seconds that an agent whose polls are its own affair has for one of them beyond its interval.
_MARGIN = 1.0


@dataclass
class Customer:
    """A User at a Brand of the stage, served by the agent under test.

    `log` has what the agent said, in order; `broke` what kept the last sign-in from being finished.
    """

    scene: Scene
    agent: AgentUnderTest
    brand: str
    user: User
    conversation: str | None = None
    """In which the User's turns are; a sign-in may have one of its own."""
    log: list[Result] = field(default_factory=list)
    broke: Broke | None = None
    _shown: int = 0
    """So much of what came to the Brand is among the exchanges of the scenario."""

    def say(self, text: str) -> Result:
        """Have the agent say something in the User's conversation."""
        with time_of_its_own(), self._showing():
            result = self._note(self.agent.say(self.brand, self.user, text, self.conversation))
        self.conversation = result.conversation or self.conversation
        return result

    def sign_in(self, *scopes: str) -> Result:
        """Have the agent begin a sign-in for some scopes, or for those that it chooses."""
        with time_of_its_own(), self._showing():
            result = self.agent.sign_in(self.brand, self.user, scopes or None)
        self.log.append(result)
        # What was said before goes on in its own conversation, whatever a sign-in is given as one.
        self.conversation = self.conversation or result.conversation
        return result

    def finish(self) -> Result | None:
        """Have the agent end what a link has begun; what it polls is on the stage's record.

        An agent that polls by itself, and offers no word for it, is waited for. One that answers
        with the same link, since nothing is decided yet, is told again when it may poll again.
        """
        with self._showing():
            if self.agent.offers("go_on"):
                return self._go_on()
            self._wait_until_decided()
            return None

    def _go_on(self) -> Result | None:
        result: Result | None = None
        for _ in range(_WORDS):
            before = result or self._last
            try:
                with time_of_its_own():
                    result = self.agent.go_on(self.brand, self.user, self.conversation)
            except Broke as error:
                self.broke = error
                return None
            self._note(result)
            if not _is_the_same_link(before, result) or not self._is_undecided:
                break
            self.let_pass(self.interval + _MARGIN, "for the interval between polls to pass")
        return result

    def let_pass(self, seconds: float, why: str) -> None:
        """Let time pass at this Brand, and for the agent; say why where it is waited for."""
        if self.agent.virtual_time:
            self.scene.pass_time(seconds)
            self.agent.pass_time(self.brand, seconds)
        else:
            let_pass(seconds, why)

    def stays_quiet(self, operation: str, seconds: float) -> None:
        """Give an agent whose time is real the time to do what it should not."""
        if not self.agent.virtual_time:
            count = len(self.scene.seen(operation))
            self.scene.wait_for(operation, count + 1, seconds=seconds)

    @property
    def interval(self) -> float:
        """Seconds that have to lie between the polls of the latest device code by now."""
        code = self.flows[-1].code
        slower = sum(error_of(it) == "slow_down" for it in self.polls(code))
        return self.flows[-1].interval + SLOWER_BY * slower

    @property
    def flows(self) -> "tuple[Flow, ...]":
        """The device flows that the Brand has begun for the agent, oldest first."""
        return flows(self.scene)

    def polls(self, code: str) -> tuple[Seen, ...]:
        """Return the polls of a device code so far."""
        return polls(self.scene, code)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The delegation tokens that the Brand has given, oldest first."""
        return tuple(it.token for it in issues(self.scene.seen("token")))

    @property
    def messages(self) -> tuple[Seen, ...]:
        """What has come to `message:send`."""
        return self.scene.seen("message:send")

    @property
    def _last(self) -> Result | None:
        return self.log[-1] if self.log else None

    @property
    def _is_undecided(self) -> bool:
        asked = self.flows
        seen = self.polls(asked[-1].code) if asked else ()
        return bool(asked) and (not seen or error_of(seen[-1]) in UNDECIDED)

    def _wait_until_decided(self) -> None:
        for _ in range(_WORDS):
            if not self._is_undecided:
                return
            count = len(self.scene.seen("token"))
            seconds = self.interval + USUAL_INTERVAL + _MARGIN
            if len(self.scene.wait_for("token", count + 1, seconds=seconds)) <= count:
                return

    @contextmanager
    def _showing(self) -> Iterator[None]:
        """Have a report show what comes to the Brand meanwhile, and what came before."""
        try:
            yield
        finally:
            seen = self.scene.seen()
            open_notebook().exchanges.extend(it.exchange_id for it in seen[self._shown :])
            self._shown = len(seen)

    def _note(self, result: Result) -> Result:
        self.log.append(result)
        return result


def customer(
    agent: AgentUnderTest, scene: Scene, who: str, *, of: "Customer | None" = None
) -> Customer:
    """Have the agent find a Brand of the stage for a User.

    Args:
        agent: under test.
        scene: the Brand.
        who: the User's id; one for each scenario.
        of: whose handle of the Brand is used, where there is one already.

    Raises:
        Untested: the agent does not find the Brand, which other checks judge.
    """
    brand = scene_handle(agent, scene) if of is None else of.brand
    user = User(who, name="Jane Roe", email=f"{who}@mail.example")
    return Customer(scene, agent, brand, user)


def scene_handle(agent: AgentUnderTest, scene: Scene) -> str:
    """Return the agent's handle of a Brand.

    Raises:
        Untested: the agent does not find the Brand.
    """
    found = agent.connect(scene.card, scene.audience)
    if isinstance(found, GaveUp):
        raise Untested(
            f"the agent does not take up the Brand: {found.reason}", do="see 2.1-agent-card-url"
        )
    return found


def sign_in(who: Customer, *scopes: str) -> Flow:
    """Have a flow begun, and return it.

    Raises:
        Untested: it does not begin, which 5.1-agent-finds-scheme judges.
    """
    before = len(who.flows)
    result = who.sign_in(*scopes)
    begun = who.flows[before:]
    if not begun:
        raise Untested(f"no device flow began: {told(result)}", do="see 5.1-agent-finds-scheme")
    return begun[-1]


def signed_in(who: Customer, *scopes: str) -> str:
    """Have a User signed in, and return the delegation token.

    Raises:
        Untested: no token was got, which 5.3-agent-pending judges.
        Broke: the agent did not answer, and no token was got.
    """
    before = len(who.tokens)
    sign_in(who, *scopes)
    result = who.finish()
    tokens = who.tokens[before:]
    if not tokens:
        if who.broke is not None:
            raise who.broke
        raise Untested(f"the sign-in gave no token: {told(result)}", do="see 5.3-agent-pending")
    return tokens[-1]


def acting(who: Customer, *scopes: str) -> str:
    """Have a User signed in, say something that needs it under the token, and return the token.

    Raises:
        Untested: no message came with the token, which 5.5-agent-both-tokens judges.
    """
    signed_in(who, *scopes)
    who.say(SAID[READ])
    # It may have been renewed meanwhile.
    given = who.tokens
    shown = [it.delegation for it in who.messages if it.delegation in given]
    if not shown:
        raise Untested("no message came with the token", do="see 5.5-agent-both-tokens")
    return str(shown[-1])


def during(who: Customer, act: Callable[[], Any]) -> tuple[Seen, ...]:
    """Do something, and return what has reached the Brand meanwhile."""
    before = len(who.scene.seen())
    act()
    return who.scene.seen()[before:]


def told(result: Result | None) -> str:
    """Say in a few words what the agent said."""
    match result:
        case Reply(text):
            return f"it replied {text[:80]!r}"
        case NeedsSignIn():
            return "it showed a link"
        case GaveUp(reason):
            return f"it gave up: {reason[:120]}"
        case None:
            return "it said nothing"


def _is_the_same_link(before: Result | None, after: Result) -> bool:
    return (
        isinstance(before, NeedsSignIn)
        and isinstance(after, NeedsSignIn)
        and before.link == after.link
    )
