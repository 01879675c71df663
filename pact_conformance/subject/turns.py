"""Turns as a process spends them: every message goes out of a purse that the ledger has filled.

A conversation has a purse for all of its messages. A message outside of one takes a turn for itself
and gives it back when it is refused, as most are that the suite sends to see them refused.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from pact_conformance.journal.answer import Answer
from pact_conformance.subject.ledger import Ledger
from pact_conformance.verdicts import open_notebook

# Whose a turn is that was spent outside of checks and conversations.
PREFLIGHT = "preflight"

# Whose it is that was spent to try examples: how many there are nobody plans.
FUZZING = "fuzzing"


def came_of(answer: Answer) -> int:
    """Return how many turns may have come of a message with this answer (§4.2, §6)."""
    return int(answer.status == 200 or answer.status >= 500)


Reply = tuple[str, str]


def reply_of(answer: Answer) -> Reply | None:
    """Return what tells one reply from another: its context and id; None where there is none."""
    body: Any = answer.json
    if answer.status != 200 or not isinstance(body, dict):
        return None
    for name, key in (("message", "messageId"), ("task", "id")):
        held = body.get(name)
        if isinstance(held, dict) and isinstance(held.get(key), str):
            return str(held.get("contextId")), held[key]
    return None


@dataclass
class _Purse:
    """The turns of one conversation, shared by its threads."""

    turns: int
    spent: int = 0
    out: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def draw(self) -> bool:
        """Take out a turn for a message; False when there is none left."""
        with self.lock:
            if self.spent + self.out >= self.turns:
                return False
            self.out += 1
            return True

    def put_back(self, spent: int) -> None:
        """Note what came of the message."""
        with self.lock:
            self.out -= 1
            self.spent += spent


_OPEN: ContextVar[_Purse | None] = ContextVar("pact_purse", default=None)


class Message:
    """A message under way, and the turns that came of it as far as is known: one, at worst."""

    def __init__(self, told: set[Reply] | None = None) -> None:
        self.spent = 1
        self._told = set() if told is None else told

    def answered(self, answer: Answer) -> None:
        """Take note of the answer; a reply that is told again cost nothing (§4.3)."""
        self.spent = came_of(answer)
        reply = reply_of(answer)
        if reply is not None:
            self.spent -= reply in self._told
            self._told.add(reply)

    def never_sent(self) -> None:
        """Take note that no connection came about."""
        self.spent = 0


class Turns:
    """Spends the turns of a ledger."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.ledger = Ledger() if ledger is None else ledger
        self._told: set[Reply] = set()

    @property
    def worker(self) -> str:
        """The process that spends them."""
        return self.ledger.worker

    @contextmanager
    def purse(self, name: str, turns: int) -> Iterator[None]:
        """Hold a conversation that costs so many turns at most.

        Raises:
            Untested: the bound does not allow it.
        """
        entry = self.ledger.take(name, turns, until=open_notebook().until)
        purse = _Purse(turns)
        token = _OPEN.set(purse)
        try:
            yield
        finally:
            _OPEN.reset(token)
            self.ledger.settle(entry, purse.spent + purse.out)

    @contextmanager
    def message(self, *, turn: bool, free: bool) -> Iterator[Message]:
        """Send a message that may become a turn.

        Args:
            turn: it is meant to become one.
            free: messages like it were seen not to.

        Raises:
            Untested: the bound does not allow another.
        """
        purse = _OPEN.get()
        sent = Message(self._told)
        if purse is not None and purse.draw():
            try:
                yield sent
            finally:
                purse.put_back(sent.spent)
            return
        bounded = self.ledger.limit is not None and not free
        book = open_notebook()
        name = book.name or PREFLIGHT
        entry = None
        if turn or bounded:
            # Whoever has turns in a purse must not wait for others, who may wait for them.
            waits = purse is None or not purse.turns
            entry = self.ledger.take(name, 1, until=book.until if waits else None)
        try:
            yield sent
        finally:
            if entry is not None:
                self.ledger.settle(entry, sent.spent)
            elif sent.spent:
                self.ledger.note(name, sent.spent)
