"""A way to the agent: hands over one object of the contract and brings back another."""

import time
from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from pact_conformance.verdicts import Inconclusive, open_notebook

Asked: TypeAlias = Mapping[str, Any]

SHOWN = 200
"""So much of what an agent says to its failure is repeated."""

LONGEST = 1 << 20
"""Bytes of the longest answer that is read."""

GUIDE = "docs/testing-a-personal-agent.md"


class Limit:
    """A moment by which a call has to be answered.

    Args:
        seconds: that it may take, if no check has an earlier deadline.
    """

    def __init__(self, seconds: float) -> None:
        left = open_notebook().left
        self.seconds = seconds if left is None else min(seconds, left)
        self.until = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """Seconds that are left; negative afterwards."""
        return self.until - time.monotonic()

    def need(self) -> float:
        """Return the seconds that are left.

        Raises:
            Inconclusive: there are none.
        """
        if self.left <= 0:
            raise Inconclusive(
                "no time was left to ask the agent", do="set E2E_TEST_TIMEOUT_MS higher"
            )
        return self.left


class Way(Protocol):
    """How an agent is reached: in Python, as a command, over HTTP, by a person."""

    @property
    def name(self) -> str:
        """One of mock, python, cmd, http, manual."""

    @property
    def concurrent(self) -> bool:
        """Whether several calls may be under way at once."""

    @property
    def patience(self) -> float | None:
        """Seconds that each call may take whatever the check's deadline; None: only that one."""

    @property
    def offered(self) -> frozenset[str]:
        """The operations that are there if the agent does not say which it offers."""

    @property
    def alive(self) -> bool:
        """Whether the agent runs, as far as can be seen without a call."""

    @property
    def lost(self) -> int:
        """How often it has ended in a call, and with it what it had in memory."""

    def ask(self, asked: Asked, limit: Limit) -> Any:  # noqa: ANN401 - whatever the agent says
        """Hand a request over and return the answer, as JSON values.

        Raises:
            Broke: there is none.
            Refused: the agent, or its HTTP server, says that it does no such thing.
        """

    def close(self) -> None:
        """End what was started."""


def shown(text: str) -> str:
    """Return what an agent said as one short line."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"
