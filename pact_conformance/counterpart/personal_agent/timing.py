"""The time that the agent lives in, and how it waits.

A Brand under test may live in a time of its own, so each is asked for by its interface URL.
"""

import threading
import time
from collections.abc import Callable
from typing import Protocol


class Time(Protocol):
    """Tells the time at a Brand, and lets it pass."""

    is_virtual: bool
    """Whether waiting takes no time of the machine."""

    def now(self, interface: str) -> float:
        """Return the seconds since the epoch."""

    def sleep(self, interface: str, seconds: float) -> None:
        """Return when so many seconds have passed at the Brand."""


class RealTime:
    """The machine's time; all Brands live in it."""

    is_virtual = False

    def now(self, _interface: str) -> float:
        """Return the seconds since the epoch."""
        return time.time()

    def sleep(self, _interface: str, seconds: float) -> None:
        """Wait."""
        time.sleep(max(0.0, seconds))


class VirtualTime:
    """The machine's time plus what was slept at each Brand.

    Args:
        move: moves the Brand's own clock: gets its interface URL and the seconds.
    """

    is_virtual = True

    def __init__(self, move: Callable[[str, float], None]) -> None:
        self._move = move
        self._offsets: dict[str, float] = {}
        self._lock = threading.Lock()

    def now(self, interface: str) -> float:
        """Return the seconds since the epoch at a Brand."""
        return time.time() + self._offsets.get(interface, 0.0)

    def sleep(self, interface: str, seconds: float) -> None:
        """Let seconds pass here and at the Brand, without waiting."""
        if seconds > 0:
            self._move(interface, seconds)
            self.advance(interface, seconds)

    def advance(self, interface: str, seconds: float) -> None:
        """Follow a Brand whose clock somebody else has moved."""
        with self._lock:
            self._offsets[interface] = self._offsets.get(interface, 0.0) + seconds
