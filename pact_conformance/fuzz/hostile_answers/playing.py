"""Plays a scene: what the agent is asked to do at a Brand, and how far it went on."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from pact_conformance.subject.agent import (
    AgentUnderTest,
    Broke,
    GaveUp,
    Held,
    NeedsSignIn,
    Reply,
    User,
)
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Scene
from pact_conformance.verdicts import Notebook, notebook

Step: TypeAlias = Literal["connect", "say", "sign_in", "go_on", "holds"]

TEXTS = ("Where is my order?", "And when will it come?", "Are you still there?")
"""What the User says, one after the other."""

Told: TypeAlias = str | Reply | NeedsSignIn | GaveUp | Held | Broke
"""What came of a step; a text is the agent's handle of the Brand."""

# So much of what an agent says is repeated, and so many of the requests that it has sent.
MOST_SAID = 120
MOST_SHOWN = 6

# An agent that polls once for each word of its caller is told to go on so often.
WORDS = 4


@dataclass
class Course:
    """What was asked of the agent, and what came of it."""

    scene: Scene
    steps: list[tuple[Step, Told]] = field(default_factory=list)
    stopped: Step | None = None
    """The step at which it did not go on; None: it went on to the end."""
    why: str = ""
    """Why that is no going on, where what the agent told does not say it."""
    asks: int = 0

    @property
    def went_on(self) -> bool:
        """Whether each step came to what it comes to in a good scene."""
        return self.stopped is None

    @property
    def broke(self) -> Broke | None:
        """What broke the last call; None: nothing did."""
        last = self.steps[-1][1] if self.steps else None
        return last if isinstance(last, Broke) else None

    @property
    def words(self) -> str:
        """What the agent did, in a line."""
        where = self.stopped or (self.steps[-1][0] if self.steps else "the beginning")
        told = next((told for step, told in reversed(self.steps) if step == where), None)
        stopped = f"at {where} {self.why or _words(told)}"
        return "it went on to the end" if self.went_on else stopped

    @property
    def sent(self) -> str:
        """What the agent sent, in a line."""
        return ", ".join(
            f"{it.method} {it.operation} {'-' if it.answer is None else it.answer.status}"
            for it in self.seen[-MOST_SHOWN:]
        )

    def all(self, step: Step) -> list[Told]:
        """Return what came of each step of a kind."""
        return [told for name, told in self.steps if name == step]

    @cached_property
    def seen(self) -> tuple[Seen, ...]:
        """Everything that reached the Brand, by when this is first asked for: at the end."""
        return self.scene.seen()


def _words(told: Told | None) -> str:
    match told:
        case GaveUp(reason):
            return f"it gave up: {_short(reason)}"
        case Reply(text):
            return f"it replied: {_short(text)}"
        case NeedsSignIn():
            return "it showed a link"
        case Broke():
            return _short(told.reason)
        case _:
            return "nothing came of it"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MOST_SAID else f"{line[: MOST_SAID - 1]}…"


class Player:
    """Has the agent act, each call within a time of its own.

    Args:
        agent: under test.
        scene: the Brand.
        user: for whom.
        seconds: that a call may take.
    """

    def __init__(self, agent: AgentUnderTest, scene: Scene, user: User, seconds: float) -> None:
        self._agent = agent
        self._scene = scene
        self._seconds = seconds
        self._user = user
        self._conversation: str | None = None
        self._brand = ""
        self.course = Course(scene)

    def connect(self) -> bool:
        """Have it find the Brand; say whether it did."""
        told = self._ask("connect", lambda: self._agent.connect(self._scene.card, self._audience))
        self._brand = told if isinstance(told, str) else ""
        return self._goes_on("connect", isinstance(told, str))

    def say(self, which: int = 0, *, anew: bool = False) -> Told:
        """Have it say one of the texts, in the conversation so far or in a new one."""
        conversation = None if anew else self._conversation
        told = self._ask(
            "say", lambda: self._agent.say(self._brand, self._user, TEXTS[which], conversation)
        )
        if isinstance(told, Reply | NeedsSignIn | GaveUp):
            self._conversation = told.conversation or self._conversation
        return told

    def replies(self, which: int = 0) -> bool:
        """Have it say one of the texts; say whether a reply came."""
        return self._goes_on("say", isinstance(self.say(which), Reply))

    def signs_in(self, *scopes: str) -> bool:
        """Have it begin a sign-in; say whether it shows a link."""
        told = self._ask("sign_in", lambda: self._agent.sign_in(self._brand, self._user, scopes))
        return self._goes_on("sign_in", isinstance(told, NeedsSignIn))

    def finishes(self) -> bool:
        """Have it go on behind a link; say whether it did."""
        told: Told = NeedsSignIn("")
        for _ in range(WORDS):
            told = self._ask(
                "go_on",
                lambda: self._agent.go_on(self._brand, self._user, self._conversation),
            )
            if not isinstance(told, NeedsSignIn):
                break
        return self._goes_on("go_on", isinstance(told, Reply))

    def holds(self) -> Held | None:
        """Ask it what it holds; None where it does not say."""
        told = self._ask("holds", lambda: self._agent.holds(self._brand, self._user))
        return told if isinstance(told, Held) else None

    def stop(self, step: Step, why: str = "") -> None:
        """Enter that it did not go on."""
        if self.course.stopped is None:
            self.course.stopped, self.course.why = step, why

    @property
    def _audience(self) -> str:
        return self._scene.audience

    def _goes_on(self, step: Step, good: bool) -> bool:  # noqa: FBT001 - what came of it
        if not good:
            self.stop(step)
        return good

    def _ask(self, step: Step, call: Callable[[], Told]) -> Told:
        self.course.asks += 1
        told: Told
        with notebook(Notebook(until=time.monotonic() + self._seconds)):
            try:
                told = call()
            except Broke as error:
                told = error
        self.course.steps.append((step, told))
        return told
