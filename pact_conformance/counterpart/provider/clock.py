"""The one clock of the Provider, with an offset for each Brand."""

import time
from collections.abc import Callable, Mapping
from email.utils import formatdate


class Clock:
    """Tells the time that a Brand lives in: the time of the source plus the Brand's offset.

    Everything that asks for the time asks here, the `Date` header too, so that moving the clock
    of one Brand is seen by its callers and touches no other Brand.
    """

    def __init__(
        self,
        source: Callable[[], float] = time.time,
        offsets: Mapping[str, float] | None = None,
    ) -> None:
        self._source = source
        self._offsets = dict(offsets or {})
        self._dates: dict[int, str] = {}

    def now(self, brand_id: str | None = None) -> float:
        """Return the seconds since the epoch at a Brand, or at the Provider itself."""
        offset = self._offsets.get(brand_id, 0.0) if brand_id is not None else 0.0
        return self._source() + offset

    def advance(self, brand_id: str, seconds: float) -> None:
        """Move the clock of one Brand forward (or back, by negative `seconds`)."""
        self._offsets[brand_id] = self._offsets.get(brand_id, 0.0) + seconds

    def date(self, brand_id: str | None = None) -> str:
        """Return the value of the `Date` header (RFC 9110 §6.6.1)."""
        second = int(self.now(brand_id))
        known = self._dates.get(second)
        if known is None:
            # One text serves the requests of a whole second; old seconds are of no more use.
            self._dates = {second: formatdate(second, usegmt=True)}
            known = self._dates[second]
        return known
