"""How a run goes on, in one line that is written over: at a terminal alone.

Where nobody looks on, in CI or with the output in a file, a line comes only where a run takes long,
so that its log says where it is.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pact_conformance.report.text import harmless
from pact_conformance.waits import Wait, current

# The line is written anew so often, in seconds.
_RHYTHM = 0.25

# Nobody looks on, and still a line comes so often.
HEARTBEAT_SECONDS = 30.0

# A check that takes longer is named.
_LONG_SECONDS = 3.0

_ERASE = "\r\x1b[2K"


class Screen(Protocol):
    """What is written to."""

    @property
    def columns(self) -> int:
        """How wide it is now."""

    def write(self, text: str) -> None:
        """Show a text as it is."""


@dataclass
class State:
    """How far a run is."""

    total: int = 0
    done: int = 0
    failed: int = 0
    section: str = ""
    """What is tested, for people: `5.3 Getting a token`."""
    check: str = ""
    since: float = field(default_factory=time.monotonic)
    """When the check began, by the steady clock."""
    elsewhere: dict[str, tuple[Wait, ...]] = field(default_factory=dict)
    """What other processes of the run wait for, by process."""

    def begin(self, check: str) -> None:
        """Take note of a check that begins."""
        self.check, self.since = check, time.monotonic()

    def line(self) -> str:
        """Return everything in one line, what matters most first."""
        parts = [f"{self.done} of {self.total} checks"] if self.total else []
        parts += [f"{self.failed} failed"] if self.failed else []
        parts += [self.section] if self.section else []
        waiting = self._waiting()
        took = time.monotonic() - self.since
        if waiting:
            parts.append(f"waiting: {waiting}")
        elif self.check and took > _LONG_SECONDS:
            parts.append(f"{self.check}, for {took:.0f} s")
        return " · ".join(parts)

    def _waiting(self) -> str:
        every = [*current(), *(it for told in list(self.elsewhere.values()) for it in told)]
        # What has an end says more than what may take any time.
        every.sort(key=lambda it: it.until is None)
        return every[0].told(time.time()) if every else ""


class Display:
    """Shows the state of a run until it is closed; thread-safe.

    Args:
        screen: a terminal; None where nobody looks on.
        is_busy: says whether somebody is asked something there.
    """

    def __init__(
        self, screen: Screen | None, *, is_busy: Callable[[], bool] = lambda: False
    ) -> None:
        self.state = State()
        self._screen = screen
        self._is_busy = is_busy
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._beat = time.monotonic()
        self._shown = False

    def open(self) -> None:
        """Begin to show, where somebody looks on."""
        if self._screen is not None and self._thread is None:
            self._over.clear()
            self._thread = threading.Thread(target=self._go_on, name="display", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Take the line away, and write none again; what is soon over has been shown once."""
        if self._thread is not None:
            self._write()
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.clear()

    def clear(self) -> None:
        """Take the line away, for something else to be written."""
        with self._lock:
            if self._shown and self._screen is not None:
                self._screen.write(_ERASE)
                self._shown = False

    def say(self, line: str) -> None:
        """Write a line that stays, where somebody looks on."""
        if self._screen is not None:
            with self._lock:
                self.clear()
                self._screen.write(f"{self._fitting(line)}\n")

    def beat(self) -> str:
        """Return the line that is due where nobody looks on; empty if none is."""
        if self._screen is not None or time.monotonic() - self._beat < HEARTBEAT_SECONDS:
            return ""
        self._beat = time.monotonic()
        return harmless(self.state.line())

    def _go_on(self) -> None:
        while not self._over.wait(_RHYTHM):
            self._write()

    def _write(self) -> None:
        with self._lock:
            if self._screen is None or self._is_busy() or self._over.is_set():
                return
            self._screen.write(f"{_ERASE}{self._fitting(self.state.line())}")
            self._shown = True

    def _fitting(self, line: str) -> str:
        assert self._screen is not None
        room = max(20, self._screen.columns - 1)
        plain = harmless(line)
        return plain if len(plain) <= room else f"{plain[: room - 1]}…"


class Descriptor:
    """A terminal by its file descriptor, past pytest's capture."""

    def __init__(self, descriptor: int, encoding: str = "utf-8") -> None:
        self._descriptor = descriptor
        self._encoding = encoding

    @property
    def columns(self) -> int:
        """How wide it is now; 80 where it does not say."""
        try:
            return os.get_terminal_size(self._descriptor).columns or 80
        except OSError:
            return 80

    def write(self, text: str) -> None:
        """Show a text; what the terminal has no character for becomes a question mark."""
        try:
            os.write(self._descriptor, text.encode(self._encoding, "replace"))
        except OSError:
            return  # it has gone


def looked_on(environment: Mapping[str, str] = os.environ) -> bool:
    """Say whether somebody looks on: at a terminal that can be written over, and not in CI."""
    if environment.get("CI", "").lower() not in {"", "0", "false"}:
        return False
    try:
        is_terminal = sys.__stdout__ is not None and os.isatty(sys.__stdout__.fileno())
    except (OSError, ValueError):
        return False
    return is_terminal and environment.get("TERM", "") not in {"", "dumb"}
