"""How far the Provider's clock is from ours, and how sure we are of it (§3.2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from pact_conformance.journal.answer import Answer

# Without a Date header nothing is known; a minute is more than any sound clock is off.
UNKNOWN = 60.0
# A difference that the header's resolution cannot tell from none.
RESOLUTION = 1.5


@dataclass(frozen=True)
class ClockReading:
    """Seconds to add to our clock to get the Provider's, and how many it may be off around that."""

    offset: float
    uncertainty: float
    known: bool


def read(answers: Iterable[Answer]) -> ClockReading:
    """Read the Provider's clock from `Date` headers: whole seconds, half the round trip unsure."""
    best: ClockReading | None = None
    for answer in answers:
        try:
            date = parsedate_to_datetime(answer.headers.get("date", "")).timestamp()
        except (ValueError, OverflowError, OSError):
            continue
        middle = answer.at + answer.elapsed / 2
        reading = ClockReading(date + 0.5 - middle, 1.0 + answer.elapsed / 2, known=True)
        if best is None or reading.uncertainty < best.uncertainty:
            best = reading
    if best is None:
        return ClockReading(0.0, UNKNOWN, known=False)
    if abs(best.offset) < RESOLUTION:
        return ClockReading(0.0, best.uncertainty + abs(best.offset), known=True)
    return best
