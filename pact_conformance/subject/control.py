"""Controls: the same request with only the forged thing good, shortly before a refusal counts.

A refusal proves something only if the good twin gets past the same gate. One control serves the
forgeries of a short while that share its twin, so that three hundred of them do not cost six.
"""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Inconclusive

# A control counts for so many seconds and so many refusals.
FRESH_SECONDS = 5.0
FRESH_USES = 25


@dataclass
class _Passed:
    at: float
    uses: int = 0


class Controls:
    """Remembers which good twins got past the gate lately."""

    def __init__(self, *, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._passed: dict[Hashable, _Passed] = {}

    def ensure(self, twin: Hashable, ask: Callable[[], Answer], *, what: str) -> None:
        """See that the good twin passes, asking unless it did lately.

        Args:
            twin: what distinguishes this control from others.
            ask: sends the good request.
            what: names it for people.

        Raises:
            Inconclusive: the good request did not get past authentication.
        """
        passed = self._passed.get(twin)
        fresh = passed is not None and self._now() - passed.at < FRESH_SECONDS
        if passed is not None and fresh and passed.uses < FRESH_USES:
            passed.uses += 1
            return
        self._passed.pop(twin, None)
        answer = ask()
        if answer.status in {401, 429} or answer.status >= 500:
            raise Inconclusive(
                f"the control failed: {what} got {answer.status}, so a refusal proves nothing",
                do="see that the good token is accepted, then run again",
            )
        self._passed[twin] = _Passed(self._now())
