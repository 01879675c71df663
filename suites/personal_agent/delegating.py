"""A User of the agent under test at a Brand of the stage that offers delegation (§5).

What keeps a scenario from getting as far as its point is no verdict on that point: the check that
is about it says what is wrong, and the others are untested and refer to it.
"""

from collections.abc import Callable, Mapping, Sequence
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
from pact_conformance.verdicts import Untested
from pact_conformance.wire.card import Card
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT

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

# Seconds between polls where the Brand names none (RFC 8628 §3.2), and what slow_down adds (§3.5).
USUAL_INTERVAL = 5.0
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

    def say(self, text: str) -> Result:
        """Have the agent say something in the User's conversation."""
        with time_of_its_own():
            result = self._note(self.agent.say(self.brand, self.user, text, self.conversation))
        self.conversation = result.conversation or self.conversation
        return result

    def sign_in(self, *scopes: str) -> Result:
        """Have the agent begin a sign-in for some scopes, or for those that it chooses."""
        with time_of_its_own():
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
        if not self.agent.offers("go_on"):
            self._wait_until_decided()
            return None
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

    def _note(self, result: Result) -> Result:
        self.log.append(result)
        return result


@dataclass(frozen=True)
class Flow:
    """A device flow that the Brand has begun for the agent (RFC 8628 §3.2)."""

    seen: Seen
    code: str = field(repr=False)
    link: str = field(repr=False)
    """The `verification_uri_complete`."""
    user_code: str = field(repr=False)
    interval: float
    scopes: tuple[str, ...]
    """What was asked for."""


@dataclass(frozen=True)
class Issue:
    """A token response of the stage."""

    seen: Seen
    token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)


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


def flows(scene: Scene) -> tuple[Flow, ...]:
    """Return the device flows that a Brand has begun, oldest first."""
    found = []
    for seen in scene.seen("device_authorization"):
        told = answered(seen)
        code = told.get("device_code")
        if isinstance(code, str):
            interval = told.get("interval")
            found.append(
                Flow(
                    seen,
                    code,
                    str(told.get("verification_uri_complete")),
                    str(told.get("user_code")),
                    USUAL_INTERVAL if interval is None else float(interval),
                    tuple((seen.parameter("scope") or "").split()),
                )
            )
    return tuple(found)


def polls(scene: Scene, code: str) -> tuple[Seen, ...]:
    """Return the polls of a device code."""
    return tuple(it for it in scene.seen("token") if it.parameter("device_code") == code)


def refreshes(scene: Scene) -> tuple[Seen, ...]:
    """Return the refreshes."""
    wanted = REFRESH_TOKEN_GRANT
    return tuple(it for it in scene.seen("token") if it.parameter("grant_type") == wanted)


def issues(seen: Sequence[Seen]) -> tuple[Issue, ...]:
    """Return the tokens that were given in answer to some requests."""
    found = []
    for each in seen:
        token, refresh = (answered(each).get(it) for it in ("access_token", "refresh_token"))
        if each.operation == "token" and isinstance(token, str):
            found.append(Issue(each, token, refresh if isinstance(refresh, str) else None))
    return tuple(found)


def answered(seen: Seen) -> dict[str, Any]:
    """Return the object that a request was answered with; empty where there is none."""
    told: Any = None if seen.answer is None else seen.answer.json
    return told if isinstance(told, dict) else {}


def error_of(seen: Seen) -> str:
    """Return the OAuth error that a request was answered with; empty where there is none."""
    error = answered(seen).get("error")
    return error if isinstance(error, str) else ""


def offers(seen: Sequence[Seen]) -> dict[str | None, Mapping[str, str]]:
    """Return the scopes on the latest card of each Brand; none where it offers no delegation."""
    found: dict[str | None, Mapping[str, str]] = {}
    for each in seen:
        if each.operation == "card" and answered(each):
            offer = Card(answered(each), each.url).delegation
            found[each.brand] = {} if offer is None else offer.scopes
    return found


def carries(seen: Seen, *secrets: str) -> bool:
    """Say whether a request has one of these, wherever it stands; where it should is §5.5."""
    held = [seen.url, seen.body, *(value for _, value in seen.headers)]
    return any(secret in text for text in held for secret in secrets)


def is_oauth(seen: Seen) -> bool:
    """Say whether a request was meant for an authorization server, wherever it went."""
    if seen.operation in {"device_authorization", "token", "metadata", "jwks"}:
        return True
    kind = (seen.header("content-type") or "").lower()
    is_form = seen.method == "POST" and kind.startswith("application/x-www-form-urlencoded")
    grants = (DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT)
    return "/oauth" in seen.path.lower() or is_form or seen.parameter("grant_type") in grants


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
