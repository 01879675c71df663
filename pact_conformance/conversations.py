"""Conversations with the Brand's agent that checks share: what costs turns, and overlaps.

A turn costs the subject a model call and seconds. So each conversation is held once for all checks
that look at it, which of them a run needs is known before it starts, and independent ones overlap.
"""

import inspect
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import pytest

from pact_conformance.subject.lanes import Lanes
from pact_conformance.subject.ledger import Planned
from pact_conformance.subject.turns import Turns
from pact_conformance.verdicts import Notebook, notebook, open_notebook
from pact_conformance.waits import waiting

# So many conversations are held at the same time.
AT_ONCE = 4


@dataclass(frozen=True)
class Conversation:
    """A function that talks to the Brand's agent and returns what was said.

    `needs` names its parameters: parts of the rig, or other conversations that it goes on from.
    """

    name: str
    turns: int
    hold: Callable[..., Any]
    needs: tuple[str, ...]
    together: int = 1
    hardening: bool = False
    """It is held for advice beyond the specification."""


PLANNED: dict[str, Conversation] = {}


def conversation(
    *, turns: int, together: int = 1, hardening: bool = False
) -> Callable[[Callable[..., Any]], Any]:
    """Make a function a conversation: a fixture that checks take by its name.

    Args:
        turns: the most turns of the Brand's agent that it costs.
        together: so many of its messages are under way at once.
        hardening: it is held for advice beyond the specification.
    """

    def register(hold: Callable[..., Any]) -> Any:  # noqa: ANN401 - pytest's fixture definition
        name = hold.__name__
        needs = tuple(inspect.signature(hold).parameters)
        PLANNED[name] = Conversation(name, turns, hold, needs, together, hardening)

        @pytest.fixture(name=name)
        def held(pact_rig: Any) -> Any:  # noqa: ANN401 - whatever the conversation returns
            return pact_rig.conversations.result(name)

        held.__doc__ = hold.__doc__
        return held

    return register


def needed(fixtures: Iterable[str]) -> tuple[Conversation, ...]:
    """Return the conversations among these fixtures, with those that they go on from."""
    found: dict[str, Conversation] = {}

    def visit(name: str) -> None:
        planned = PLANNED.get(name)
        if planned is not None and name not in found:
            for need in planned.needs:
                visit(need)
            found[name] = planned

    for name in fixtures:
        visit(name)
    return tuple(found.values())


def planned_turns(conversations: Iterable[Conversation]) -> tuple[Planned, ...]:
    """Return what these conversations cost, for the ledger."""
    return tuple(
        Planned(it.name, it.turns, tuple(need for need in it.needs if need in PLANNED))
        for it in conversations
    )


@dataclass
class _Held:
    """One conversation of this run: whoever takes the lock first holds it for all."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    done: bool = False
    result: Any = None
    error: BaseException | None = None
    traceback: TracebackType | None = None
    exchanges: list[str] = field(default_factory=list)


class Conversations:
    """The conversations of this process, each held at most once.

    Args:
        parts: what conversations may ask for by name besides each other.
        seconds: the deadline of one conversation.
        turns: pays for them; unbounded unless given.
        alone: parts that serve one conversation after the other.
    """

    def __init__(
        self,
        parts: Callable[[str], Any],
        *,
        seconds: float,
        turns: Turns | None = None,
        alone: Collection[str] = (),
    ) -> None:
        self._parts = parts
        self._seconds = seconds
        self._turns = Turns() if turns is None else turns
        self._lanes = Lanes(AT_ONCE)
        self._alone = {part: threading.Lock() for part in alone}
        self._cut: frozenset[str] = frozenset()
        self._planned: tuple[str, ...] = ()
        self._when_needed = False
        self._held: dict[str, _Held] = {}
        self._lock = threading.Lock()
        self._waiting: deque[str] = deque()
        self._threads: list[threading.Thread] = []

    def plan(self, planned: Iterable[Conversation], *, when_needed: bool = False) -> None:
        """Have the turns of these set aside; what the bound does not allow is never held.

        Args:
            planned: what the checks of the run need.
            when_needed: all are begun as soon as one is asked for.
        """
        planned = tuple(planned)
        allowed = self._turns.ledger.plan(planned_turns(planned))
        self._cut = frozenset(it.name for it in planned) - allowed
        self._planned = tuple(it.name for it in planned if it.name in allowed)
        self._when_needed = when_needed

    def start(self, planned: Iterable[Conversation]) -> None:
        """Begin to hold these, several at once; `result` waits for each."""
        if not self._threads:
            self.plan(planned)
            self._begin()

    def _begin(self) -> None:
        self._when_needed = False
        # What is held for advice waits for the check that asks: it comes after everything else.
        self._waiting.extend(name for name in self._planned if not PLANNED[name].hardening)
        for number in range(min(AT_ONCE, len(self._waiting))):
            # A daemon: an interrupted run does not wait for a slow Brand's agent.
            thread = threading.Thread(
                target=self._hold_waiting, name=f"conversation-{number}", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def _hold_waiting(self) -> None:
        while True:
            try:
                name = self._waiting.popleft()
            except IndexError:
                return
            self._hold(name)

    def result(self, name: str) -> Any:  # noqa: ANN401 - whatever the conversation returns
        """Return what was said, as often as asked; raise what kept it from being said."""
        if self._when_needed:
            self._begin()
        asked = time.monotonic()
        held = self._held.get(name)
        if held is None or not held.done:
            with waiting("for the Brand's agent to reply"):
                held = self._hold(name)
        open_notebook().wait_longer(time.monotonic() - asked)
        open_notebook().exchanges.extend(held.exchanges)
        if held.error is not None:
            # One error is raised to many checks; its traceback must not grow with each.
            raise held.error.with_traceback(held.traceback)
        return held.result

    def _hold(self, name: str) -> _Held:
        with self._lock:
            held = self._held.setdefault(name, _Held())
        with held.lock:
            if held.done:
                return held
            with notebook(Notebook(name=name, hardening=PLANNED[name].hardening)) as book:
                try:
                    held.result = self._say(PLANNED[name], book)
                except Exception as error:  # noqa: BLE001 - it is raised to every check that asks
                    held.error, held.traceback = error, error.__traceback__
            held.exchanges = book.exchanges
            held.done = True
        return held

    def _say(self, planned: Conversation, book: Notebook) -> Any:  # noqa: ANN401 - whatever it returns
        if planned.name in self._cut:
            raise self._turns.ledger.used_up()
        given = {
            need: self.result(need) if need in PLANNED else self._parts(need)
            for need in planned.needs
        }
        with self._lanes.taken(planned.together), ExitStack() as alone:
            for part in self._alone.keys() & set(planned.needs):
                alone.enter_context(self._alone[part])
            book.until = time.monotonic() + self._seconds
            with self._turns.purse(planned.name, planned.turns):
                return planned.hold(**given)

    def close(self, *, wait: bool = True) -> None:
        """Begin nothing more; wait for what is being said, unless the tester wants to stop."""
        self._waiting.clear()
        for thread in self._threads if wait else ():
            thread.join()
        self._threads = []
