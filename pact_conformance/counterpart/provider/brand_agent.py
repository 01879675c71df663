"""The Brand's agent: a script in place of a model, with a few phrases that do what tests need."""

import asyncio
import itertools
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from pact_conformance.counterpart.provider.verifier import User


class AgentFailedError(Exception):
    """The Brand's agent broke down; the Provider answers INTERNAL (§6)."""


@dataclass(frozen=True)
class Turn:
    """What the Brand's agent gets to read, and of whom."""

    text: str
    brand_id: str
    brand_name: str
    user: User


@dataclass(frozen=True)
class Reply:
    """What it says, and whether it ends the conversation with that (§4.2)."""

    text: str
    closes: bool = False
    id: str = field(default_factory=lambda: f"r-{uuid.uuid4()}")
    """The `messageId` under which it is said."""


BrandAgent = Callable[[Turn], Awaitable[Reply]]


class ScriptedAgent:
    """Answers each turn with the number of a new ticket, so that running twice shows."""

    def __init__(self, *, slow_seconds: float) -> None:
        self._slow_seconds = slow_seconds
        self._tickets = itertools.count(1)
        self._phrases: dict[str, BrandAgent] = {
            "please fail": self._fail,
            "goodbye": self._say_goodbye,
            "take your time": self._take_time,
            "repeat ": self._repeat,
        }

    async def __call__(self, turn: Turn) -> Reply:
        """Answer one turn: by the phrase that it begins with, or in the ordinary way."""
        text = turn.text.strip().casefold()
        for phrase, answer in self._phrases.items():
            if text.startswith(phrase):
                return await answer(turn)
        return Reply(f"{self._ticket()}: a colleague at {turn.brand_name} will look into it.")

    async def _fail(self, _turn: Turn) -> Reply:
        raise AgentFailedError

    async def _say_goodbye(self, _turn: Turn) -> Reply:
        return Reply(f"{self._ticket()} is closed. Goodbye!", closes=True)

    async def _take_time(self, _turn: Turn) -> Reply:
        await asyncio.sleep(self._slow_seconds)
        return Reply(f"{self._ticket()}: thank you for waiting.")

    async def _repeat(self, turn: Turn) -> Reply:
        said = turn.text.strip()[len("repeat ") :]
        return Reply(f"{self._ticket()}: {said}")

    def _ticket(self) -> str:
        return f"Ticket {next(self._tickets):06d}"
