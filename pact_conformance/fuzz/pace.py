"""How fast and how long a subject is asked: within bounds, and slower once it asks for that."""

import time
from collections.abc import Callable

# Where the tester has not said how fast: a deployment is not ours to load.
USUAL_RATE = 25.0

# So many examples may be tried to make less of one that failed.
MOST_SHRINKING = 200

# So many seconds lie between two controls at most.
CONTROL_SECONDS = 5.0

# A subject that rate-limits is asked half as often from then on, but not less often than this.
LEAST_RATE = 1.0


class Pace:
    """Bounds on requests, per second and in all.

    Args:
        rate: requests a second; None: as fast as answers come.
        most: requests in all.
        shrinking: how many examples may be tried to make less of one that failed.
        control_seconds: how many seconds may lie between two controls.
        bound: what bounds the requests, as a tester knows it.
        now: the time in seconds.
        sleep: how to wait.
    """

    def __init__(
        self,
        rate: float | None,
        most: int,
        *,
        shrinking: int = MOST_SHRINKING,
        control_seconds: float = CONTROL_SECONDS,
        bound: str = "--pact-fuzz",
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.rate = rate
        self.left = most
        self.shrinking = shrinking
        self.control_seconds = control_seconds
        self.bound = bound
        self.waited = 0.0
        """Seconds that the subject asked to be left alone, all together."""
        self._now = now
        self._sleep = sleep
        self._next = now()

    def step(self) -> bool:
        """Wait until the next request may be sent; say whether there is one left."""
        if self.left <= 0:
            return False
        self.left -= 1
        self.wait()
        return True

    def wait(self) -> None:
        """Wait until the next request may be sent: one that is part of what was counted."""
        if self.rate is not None:
            now = self._now()
            if self._next > now:
                self._sleep(self._next - now)
            self._next = max(self._next, now) + 1 / self.rate

    def spend(self, requests: int) -> None:
        """Enter what an example has cost beyond the one request of its step."""
        self.left -= requests

    def told_to_wait(self, seconds: float) -> None:
        """Wait as a 429 asks for, and go on at half the speed."""
        self.waited += seconds
        self._sleep(seconds)
        self.rate = max(LEAST_RATE, (self.rate or 2 * USUAL_RATE) / 2)
