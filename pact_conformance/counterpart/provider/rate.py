"""How often may be asked: the limits behind 429, per personal agent and per User (§6)."""

import math
from collections import deque
from collections.abc import Hashable

from pact_conformance.counterpart.provider.refusals import RateLimited
from pact_conformance.counterpart.provider.verifier import User


class RateLimit:
    """At most so many requests within so many seconds, counted for each by itself."""

    def __init__(self, most: int, *, seconds: float = 1.0) -> None:
        self._most = most
        self._seconds = seconds
        self._times: dict[Hashable, deque[float]] = {}

    def check(self, who: Hashable, now: float) -> None:
        """Count a request, if it is within the limit.

        Raises:
            RateLimited: it is one too many.
        """
        times = self._times.setdefault(who, deque())
        while times and times[0] <= now - self._seconds:
            times.popleft()
        if len(times) >= self._most:
            raise RateLimited(max(1, math.ceil(times[0] + self._seconds - now)))
        times.append(now)


class Rates:
    """The limits of a Provider; 0 is none. Brands count apart, for each has a clock of its own."""

    def __init__(self, *, user: int = 0, agent: int = 0, seconds: float = 1.0) -> None:
        self._user = RateLimit(user, seconds=seconds) if user else None
        self._agent = RateLimit(agent, seconds=seconds) if agent else None

    def check(self, brand_id: str | None, user: User, now: float) -> None:
        """Count a request, if it is within the limits.

        Raises:
            RateLimited: it is one too many.
        """
        if self._user is not None:
            self._user.check((brand_id, user), now)
        if self._agent is not None:
            self._agent.check((brand_id, user.issuer), now)
