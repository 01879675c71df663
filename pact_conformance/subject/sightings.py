"""Everything that the stage has seen, as far as this process has read it; each request once.

Whoever looks has all that arrived before, for a request is on the stage's record before its answer
leaves. A look is one question to the stage, and who looks meanwhile shares the next.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pact_conformance.subject.seen import Seen


@dataclass(frozen=True)
class Part:
    """A part of what was seen, in order."""

    seen: Sequence[Seen]
    next: int
    """The number to go on from."""
    end: int
    """The number that the next request will have: where it is more than `next`, there is more."""


Page = Callable[[int, str | None, float], Part]
"""Asks for what was seen from a number on, of a Brand or of all, after a wait if there is none."""

_LONGEST_WAIT = 30.0
"""Seconds of one long poll; a longer wait takes several."""


class Sightings:
    """What was seen, oldest first. Thread-safe.

    Args:
        page: asks the stage.
        take: is given each request, in order and before anybody else sees it.
    """

    def __init__(self, page: Page, take: Callable[[Seen], None]) -> None:
        self._page = page
        self._take = take
        self._all: list[Seen] = []
        self._by_brand: defaultdict[str | None, list[Seen]] = defaultdict(list)
        self._next = 0
        self._lock = threading.Lock()
        self._begun = 0
        self._ended = 0
        """The number of the latest reading that came to its end."""

    def all(self) -> tuple[Seen, ...]:
        """Return everything so far, but for that of Brands apart."""
        self.read_on()
        return tuple(self._all)

    def of(self, brand: str | None) -> tuple[Seen, ...]:
        """Return everything so far of one Brand; None: of no Brand."""
        self.read_on()
        return tuple(self._by_brand[brand])

    def forget(self, brand: str) -> None:
        """Let go of what was seen of one Brand that is apart."""
        with self._lock:
            self._by_brand.pop(brand, None)

    def until(
        self, brand: str, enough: Callable[[Sequence[Seen]], bool], seconds: float
    ) -> tuple[Seen, ...]:
        """Return what was seen of a Brand once that is enough, or when the time is up."""
        until = time.monotonic() + seconds
        while True:
            self.read_on()
            since = self._next
            seen = tuple(self._by_brand[brand])
            left = until - time.monotonic()
            if enough(seen) or left <= 0:
                return seen
            self._page(since, brand, min(left, _LONGEST_WAIT))

    def read_on(self) -> None:
        """Read everything that arrived before the call."""
        begun = self._begun
        with self._lock:
            if self._ended > begun:
                return  # somebody has begun to read after this was asked for
            self._begun += 1
            while self._read():
                pass
            self._ended = self._begun

    def _read(self) -> bool:
        """Read a part; say whether there is more."""
        part = self._page(self._next, None, 0.0)
        for seen in part.seen:
            try:
                self._take(seen)
            finally:  # what cannot be taken is not taken again
                if not seen.apart:
                    self._all.append(seen)
                self._by_brand[seen.brand].append(seen)
                self._next = seen.n + 1
        self._next = part.next
        return part.next < part.end
