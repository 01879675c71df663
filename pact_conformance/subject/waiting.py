"""Waiting until something shows, a little longer each time, within a bound."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from pact_conformance.waits import waiting

# The first pause is short, for subjects that follow at once; the longest spares slow ones.
FIRST_PAUSE = 0.03
LONGEST_PAUSE = 5.0
GROWTH = 1.6


@dataclass(frozen=True)
class Waited:
    """How long something was waited for, and whether it came."""

    seconds: float
    came: bool


def wait_until(
    holds: Callable[[], bool],
    *,
    longest: float,
    why: str,
    sleep: Callable[[float], None] = time.sleep,
    now: Callable[[], float] = time.monotonic,
) -> Waited:
    """Ask until it holds, at least once, and at the bound for the last time.

    Args:
        holds: asks.
        longest: seconds that it may take.
        why: what people are told meanwhile.
        sleep: how to wait; a test hands in its own.
        now: the clock; likewise.
    """
    start, pause = now(), FIRST_PAUSE
    with waiting(why, longest):
        while True:
            came = holds()
            seconds = now() - start
            if came or seconds >= longest:
                return Waited(seconds, came)
            sleep(max(0.001, min(pause, longest - seconds)))
            pause = min(pause * GROWTH, LONGEST_PAUSE)
