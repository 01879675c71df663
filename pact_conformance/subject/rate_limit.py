"""Waiting as a Provider asks: `Retry-After` of RFC 9110 §10.2.3, within a bound."""

import time
from collections.abc import Callable
from datetime import UTC
from email.utils import parsedate_to_datetime

from pact_conformance.journal.answer import Answer
from pact_conformance.waits import pause

# Without a usable Retry-After a Provider is asked again after this many seconds.
UNSAID = 1.0


def retry_after(value: str | None, now: float) -> float | None:
    """Return the seconds that a Retry-After asks for; None when it says nothing usable."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        when = parsedate_to_datetime(text)
        return max(0.0, when.replace(tzinfo=when.tzinfo or UTC).timestamp() - now)
    except (ValueError, OverflowError, OSError):
        return None


# However soon a Provider says it may be asked again: "Retry-After: 0" for ever is no flood of ours.
LEAST = 0.5


def _wait(seconds: float) -> None:
    pause(seconds, "the Provider limits rates (429), and says when to come again (Retry-After)")


class Patience:
    """How long the suite waits for a Provider that rate-limits.

    Args:
        longest: seconds that all waits for one request may take together.
        sleep: how to wait; a test hands in its own.
    """

    def __init__(self, longest: float, *, sleep: Callable[[float], None] | None = None) -> None:
        self.longest = longest
        self._sleep = sleep or _wait

    def answer(self, ask: Callable[[], Answer]) -> Answer:
        """Ask until the answer is not 429, or the waits are used up; return the last answer."""
        left = self.longest
        while True:
            answer = ask()
            if answer.status != 429:
                return answer
            wait = retry_after(answer.headers.get("retry-after"), time.time())
            wait = UNSAID if wait is None else max(wait, LEAST)
            if wait > left:
                return answer
            left -= wait
            self._sleep(wait)
