"""The Brand's agent: a script in place of a model, with a few phrases that do what tests need."""

import asyncio
import itertools
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from pact_conformance.counterpart.provider.verifier import User


class AgentFailedError(Exception):
    """The Brand's agent broke down; the Provider answers INTERNAL (§6)."""


@dataclass(frozen=True)
class Authority:
    """What a delegation token lets the agent do, and on whose account (§5.5)."""

    brand_user: str
    """The User's id at the Brand, the token's `sub`."""
    scopes: tuple[str, ...]
    grant_id: str
    client_id: str
    """The issuer of the personal agent that the grant was given to."""


@dataclass(frozen=True)
class Turn:
    """What the Brand's agent gets to read, of whom, and what it may do on an account."""

    text: str
    brand_id: str
    brand_name: str
    user: User
    authority: Authority | None = None
    """None: the turn runs under §3 alone, and no account is touched."""


@dataclass(frozen=True)
class Action:
    """One use of a tool on the User's account."""

    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Reply:
    """What it says, and whether it ends the conversation with that (§4.2)."""

    text: str
    closes: bool = False
    id: str = field(default_factory=lambda: f"r-{uuid.uuid4()}")
    """The `messageId` under which it is said."""
    scopes_used: tuple[str, ...] = ()
    """The scopes that the turn made use of (§5.6)."""
    actions: tuple[Action, ...] = ()
    """What was done on the account."""
    missing_scopes: tuple[str, ...] = ()
    """The scopes that the turn needs and its token lacks: step-up (§5.5)."""


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
