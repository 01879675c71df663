"""What an operator has switched on for a while: an agent that fails or is slow, a rate limit.

Each condition is scoped to a Brand, a personal agent and a `sub`; what a scope leaves out it covers
whole. So whoever tries something with one User disturbs nobody else.
"""

import asyncio
import math
from dataclasses import dataclass

from pact_conformance.counterpart.provider.brand_agent import (
    AgentFailedError,
    BrandAgent,
    Reply,
    Turn,
)
from pact_conformance.counterpart.provider.refusals import RateLimited
from pact_conformance.counterpart.provider.verifier import User


@dataclass(frozen=True)
class Scope:
    """Whom a condition is about; None is everybody."""

    brand_id: str | None = None
    issuer: str | None = None
    sub: str | None = None

    def covers(self, brand_id: str | None, user: User) -> bool:
        """Say whether a User at a Brand is meant."""
        return (
            self.brand_id in (None, brand_id)
            and self.issuer in (None, user.issuer)
            and self.sub in (None, user.sub)
        )


class Conditions:
    """The conditions that hold now."""

    def __init__(self) -> None:
        self.failing: set[Scope] = set()
        self.slow: dict[Scope, float] = {}
        """How many seconds the Brand's agent takes before anything else."""
        self.limited: dict[Scope, float] = {}
        """Until when, on the Brand's clock, requests get 429."""

    def around(self, agent: BrandAgent) -> BrandAgent:
        """Return a Brand's agent to which the conditions happen."""

        async def under_conditions(turn: Turn) -> Reply:
            await asyncio.sleep(self._delay(turn))
            if any(scope.covers(turn.brand_id, turn.user) for scope in self.failing):
                raise AgentFailedError
            return await agent(turn)

        return under_conditions

    def check_rate(self, brand_id: str | None, user: User, now: float) -> None:
        """Refuse a User whose requests are limited.

        Raises:
            RateLimited: until the limit ends.
        """
        for scope, until in self.limited.items():
            if scope.covers(brand_id, user) and now < until:
                raise RateLimited(math.ceil(until - now))

    def _delay(self, turn: Turn) -> float:
        delays = (
            seconds
            for scope, seconds in self.slow.items()
            if scope.covers(turn.brand_id, turn.user)
        )
        return max(delays, default=0.0)
