"""A scenario of PACT Identity: the agent under test at a Brand opened for it, and what was said.

Each thing said is one call of the agent, which may cost it a model call, so each scenario is played
once for all checks that look at it. What keeps it from getting as far as its point is no verdict on
that point: such checks are untested, and refer to what is wrong.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import unquote

from pact_conformance.subject.agent import AgentUnderTest, Broke, GaveUp, Reply, Result, User
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Scene, Stage
from pact_conformance.verdicts import Untested, open_notebook

T = TypeVar("T")

GREETING = "I need help with my order."

# Methods that ask for something and do nothing (RFC 9110 §9.2.1).
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

# More messages than this for one thing said are sent without end.
BOUNDED = 20


@dataclass(frozen=True)
class Said:
    """One thing that a User said, what the agent made of it, and what came to the Brand."""

    user: User
    text: str
    result: Result | None
    """None: the call broke."""
    broke: Broke | None
    sent: tuple[Seen, ...]
    """Everything that reached the Brand during the call."""
    by_command: bool = False
    """Whether the agent is a process that the suite has started."""
    lost: int = 0
    """How often such a process had ended in a call before."""

    @property
    def messages(self) -> tuple[Seen, ...]:
        """The messages among it, oldest first."""
        return tuple(it for it in self.sent if it.operation == "message:send")

    @property
    def question(self) -> Seen:
        """The first message that the Brand's agent has replied to.

        Raises:
            Untested: there is none.
        """
        self.must_be_answered()
        return next((it for it in self.messages if context_of(it)), self.messages[-1])

    @property
    def behind(self) -> tuple[Seen, ...]:
        """Everything that was sent after that one."""
        return self.sent[self.sent.index(self.question) + 1 :]

    @property
    def outcome(self) -> Result:
        """What the agent told.

        Raises:
            Broke: it told nothing.
        """
        if self.result is None:
            assert self.broke is not None
            raise self.broke
        return self.result

    @property
    def died(self) -> str | None:
        """How the agent's process ended during the call; None: it did not.

        Of an agent in Python or over HTTP an exception is told to whoever called it.
        """
        ended = self.broke is not None and self.broke.crashed and self.by_command
        return self.broke.reason if self.broke is not None and ended else None

    @property
    def replied(self) -> bool:
        """Whether the agent gave a reply of the Brand."""
        return isinstance(self.result, Reply)

    def must_work(self) -> None:
        """End what stands on this turn if it came to nothing.

        Raises:
            Untested: it did; other checks say why.
            Broke: the agent did not answer.
        """
        if not self.replied:
            self.must_be_answered()
            raise Untested(
                f"an ordinary turn came to nothing: {told(self.outcome)}",
                do="see 4.2-agent-reply",
            )

    def must_be_answered(self) -> None:
        """End what stands on the Brand's answer if there is none with a Message.

        Raises:
            Untested: there is none; other checks say why.
            Broke: the agent did not answer, and nothing arrived.
        """
        if not self.messages:
            said = told(self.outcome)
            raise Untested(f"no message came: {said}", do="see 2-agent-http-json")
        last = self.messages[-1]
        if last.answer is None or last.answer.status != HTTPStatus.OK:
            raise Untested(
                f"the mock Provider refused an ordinary message: {refusal(last)}",
                do="see what failed of §3.1, §3.2 and §4.1",
            )


@dataclass
class Play:
    """The agent at one Brand."""

    agent: AgentUnderTest
    scene: Scene
    brand: str | GaveUp | Broke
    """The agent's handle of it, or why it has none."""
    lines: list[Said] = field(default_factory=list)

    def say(self, user: User, text: str, conversation: str | None = None) -> Said:
        """Have the agent say something; where it has not found the Brand, that is what came."""
        begun, lost = len(self.scene.seen()), self.agent.lost
        result, broke = self._say(user, text, conversation)
        sent = self.scene.seen()[begun:]
        open_notebook().exchanges.extend(it.exchange_id for it in sent)
        said = Said(user, text, result, broke, sent, self.agent.way == "cmd", lost)
        self.lines.append(said)
        return said

    def go_on(self, user: User, text: str, *, after: Said) -> Said:
        """Have the agent say something in the conversation that another turn was part of."""
        return self.say(user, text, handle(after))

    @property
    def messages(self) -> tuple[Seen, ...]:
        """Every message that has come to the Brand."""
        return self.scene.seen("message:send")

    def must_begin(self) -> None:
        """End what needs an agent that speaks, where the first turn came to nothing.

        Raises:
            Untested: it did; other checks say why.
        """
        if self.first.broke is not None:
            why = f"the agent did not answer its first turn: {self.first.broke.reason}"
            which = "4.2-agent-reply" if self.first.messages else "2-agent-http-json"
            raise Untested(why, do=f"see {which}")
        self.first.must_work()

    def must_go_on(self) -> None:
        """End what needs conversations of several turns, where the second came to nothing.

        Raises:
            Untested: it did; other checks say why.
        """
        self.must_begin()
        if not self.second.replied:
            why = "the second turn of an ordinary conversation came to nothing"
            raise Untested(why, do="see 4.2-agent-continues")

    @property
    def first(self) -> Said:
        """The first thing said."""
        return self.lines[0]

    @property
    def second(self) -> Said:
        """The second.

        Raises:
            Untested: there is none, as the first came to nothing.
        """
        self.must_begin()
        return self.lines[1]

    @property
    def last(self) -> Said:
        """The last thing said."""
        return self.lines[-1]

    def came_to(self) -> str:
        """Say in words what came of it: for a check that expected a message.

        Raises:
            Broke: the agent did not answer.
        """
        strays = [f"{it.method} {it.path}" for it in self.scene.seen() if is_stray(it)]
        if strays:
            return f"nothing there, but {', '.join(dict.fromkeys(strays))}"
        if isinstance(self.brand, GaveUp):
            return told(self.brand)
        return "nothing" if not self.lines else f"nothing: {told(self.last.outcome)}"

    def _say(
        self, user: User, text: str, conversation: str | None
    ) -> tuple[Result | None, Broke | None]:
        if isinstance(self.brand, Broke):
            return None, self.brand
        if isinstance(self.brand, GaveUp):
            return self.brand, None
        brand = self.brand
        return timed(lambda: self.agent.say(brand, user, text, conversation))


def play(stage: Stage, agent: AgentUnderTest, *, by_domain: bool = False, **script: Any) -> Play:  # noqa: ANN401 - JSON values
    """Open a Brand without delegation, and have the agent find it.

    Args:
        stage: where.
        agent: who.
        by_domain: it is told the Brand's domain and not the URL of the card.
        script: of the Brand (docs/stage.md).
    """
    scene = stage.open(**{"delegates": False, **script})
    if not by_domain:
        return returned(agent, scene)
    return _found(agent, scene, lambda: agent.connect(domain=scene.domain, audience=scene.audience))


def returned(agent: AgentUnderTest, scene: Scene, *, card: str | None = None) -> Play:
    """Have the agent find a Brand that it may have been told of before.

    Args:
        agent: who.
        scene: the Brand.
        card: the URL that leads to its card, if that is not the card's own.
    """
    return _found(agent, scene, lambda: agent.connect(card or scene.card, scene.audience))


def _found(agent: AgentUnderTest, scene: Scene, connect: Callable[[], str | GaveUp]) -> Play:
    begun = len(scene.seen())
    found, broke = timed(connect)
    open_notebook().exchanges.extend(it.exchange_id for it in scene.seen()[begun:])
    brand = found if found is not None else broke
    assert brand is not None
    return Play(agent, scene, brand)


def timed(call: Callable[[], T]) -> tuple[T | None, Broke | None]:
    """Return what a call gives, or that it broke; its time is not that of the calls after it."""
    try:
        with time_of_its_own():
            return call(), None
    except Broke as error:
        return None, error


@contextmanager
def time_of_its_own() -> Iterator[None]:
    """Give a call of the agent a deadline of its own: a turn may take a model some seconds."""
    started = time.monotonic()
    try:
        yield
    finally:
        open_notebook().wait_longer(time.monotonic() - started)


def handle(said: Said) -> str:
    """Return the agent's handle of the conversation that a turn was part of.

    Raises:
        Untested: the adapter gives none.
    """
    found = None if said.result is None else said.result.conversation
    if found is None:
        raise Untested(
            "it goes on in a conversation, and the agent's adapter names none",
            do="let say answer with a conversation, and go on with the one that it is given",
        )
    return found


def told(result: Result) -> str:
    """Return in words what the agent told."""
    match result:
        case Reply(text):
            return f"the reply {short(text)!r}"
        case GaveUp(reason):
            return f"the agent gave up: {short(reason)}"
        case _:
            return "the agent wants the User to sign in"


def refusal(seen: Seen) -> str:
    """Return in words why the mock Provider did not serve a request."""
    if seen.verified is None:
        return "it has no token"
    if not seen.verified.ok:
        return f"its token is wrong ({seen.verified.why})"
    return "no answer" if seen.answer is None else f"status {seen.answer.status}"


def context_of(seen: Seen) -> str | None:
    """Return the contextId in the Brand's answer to a message."""
    body: Any = None if seen.answer is None else seen.answer.json
    message = body.get("message") if isinstance(body, dict) else None
    found = message.get("contextId") if isinstance(message, dict) else None
    return found if isinstance(found, str) else None


def subs(messages: Sequence[Seen]) -> list[object]:
    """Return each `sub` in the tokens of requests once, in the order in which it came."""
    claims = [it.token.claims for it in messages if it.token is not None]
    found: list[object] = []
    for sub in (it.get("sub") for it in claims):
        if sub is not None and sub not in found:
            found.append(sub)
    return found


def is_stray(seen: Seen) -> bool:
    """Say whether a message was sent to where no Brand takes one."""
    if seen.operation not in {"unmatched", "other-brand"} or seen.method in SAFE:
        return False
    rpc = '"jsonrpc"' in seen.body
    return rpc or bool(seen.message) or unquote(seen.path).endswith("message:send")


def short(text: str, most: int = 100) -> str:
    """Return a text as one short line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
