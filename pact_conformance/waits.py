"""What a run is waiting for: said where the waiting is, for whoever shows how the run goes on.

with waiting("for the Brand's agent to reply"):
    answer = ask()
pause(5.0, "polling every 5 s as the Provider asks")

One process works at one run, so there is one list of what it waits for.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

# Whoever looks on is not bothered with less.
NOTICED_SECONDS = 1.0


@dataclass(frozen=True)
class Wait:
    """One thing that is waited for."""

    why: str
    until: float | None
    """In seconds since the epoch, when it ends at the latest; None where that is not known."""
    in_front: bool = True
    """Whether a check waits; False: what goes on beside the checks."""

    def told(self, now: float) -> str:
        """Say why, and how long it may still take: `polling as asked, 20 s left`."""
        if self.until is None:
            return self.why
        return f"{self.why}, {max(0.0, self.until - now):.0f} s left"


class _Waits:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.held: dict[int, Wait] = {}
        self.listener: Callable[[tuple[Wait, ...]], None] | None = None
        self.count = 0

    def begin(self, wait: Wait) -> int:
        with self.lock:
            self.count += 1
            number = self.count
            self.held[number] = wait
        self.tell()
        return number

    def end(self, number: int) -> None:
        with self.lock:
            del self.held[number]
        self.tell()

    def tell(self) -> None:
        if self.listener is not None:
            self.listener(current())


_WAITS = _Waits()


def current() -> tuple[Wait, ...]:
    """Return what is waited for now, the longest known first; nothing while a check is at work.

    What goes on beside the checks may be what a check waits for in the end, and its reason is the
    better one.
    """
    with _WAITS.lock:
        held = tuple(_WAITS.held.values())
    return held if any(it.in_front for it in held) else ()


def listen(listener: Callable[[tuple[Wait, ...]], None] | None) -> None:
    """Have every change told, from whichever thread it comes; None: no longer."""
    _WAITS.listener = listener


@contextmanager
def waiting(why: str, seconds: float | None = None) -> Iterator[None]:
    """Say what is waited for meanwhile.

    Args:
        why: to follow `waiting: `; without text of the subject.
        seconds: how long it takes at most, where that is known.
    """
    if seconds is not None and seconds < NOTICED_SECONDS:
        yield
        return
    until = None if seconds is None else time.time() + seconds
    in_front = threading.current_thread() is threading.main_thread()
    number = _WAITS.begin(Wait(why, until, in_front))
    try:
        yield
    finally:
        _WAITS.end(number)


def pause(seconds: float, why: str) -> None:
    """Sleep, and say why."""
    with waiting(why, seconds):
        time.sleep(seconds)
