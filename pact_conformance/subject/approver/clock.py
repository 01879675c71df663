"""How long an errand may take: to the deadline of the check, and to one of its own."""

import time

from pact_conformance.verdicts import Inconclusive, open_notebook


class Limit:
    """A moment by which an errand is over.

    Args:
        seconds: that it may take if no check has an earlier deadline.
    """

    def __init__(self, seconds: float) -> None:
        left = open_notebook().left
        self.until = time.monotonic() + (seconds if left is None else min(seconds, left))

    @property
    def left(self) -> float:
        """Seconds that are left; negative afterwards."""
        return self.until - time.monotonic()

    def need(self) -> float:
        """Return the seconds that are left.

        Raises:
            Inconclusive: there are none.
        """
        if self.left <= 0:
            raise Inconclusive(
                "no time was left for the login and the consent page",
                do="set E2E_TEST_TIMEOUT_MS higher",
            )
        return self.left
