"""How often a User may ask: the limit behind 429 (§6)."""

import math
import time
from collections import deque
from collections.abc import Callable, Hashable

from pact_conformance.counterpart.provider.refusals import RateLimited


class RateLimit:
    """At most so many requests of each User within so many seconds."""

    def __init__(
        self,
        most: int,
        *,
        seconds: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._times: dict[Hashable, deque[float]] = {}

    def check(self, who: Hashable) -> None:
        """Count a request, if it is within the limit.

        Raises:
            RateLimited: it is one too many.
        """
        now = self._clock()
        times = self._times.setdefault(who, deque())
        while times and times[0] <= now - self._seconds:
            times.popleft()
        if len(times) >= self._most:
            raise RateLimited(max(1, math.ceil(times[0] + self._seconds - now)))
        times.append(now)
