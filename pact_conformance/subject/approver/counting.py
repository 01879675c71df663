"""Counts what the User has done; thread-safe."""

import threading

from pact_conformance.subject.approver.errand import Count


class Counting:
    """The count of one approver."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = Count()

    @property
    def count(self) -> Count:
        """What was counted so far."""
        return self._count

    def add(self, logins: int, decided: bool) -> None:  # noqa: FBT001 - one errand's outcome
        """Count one errand.

        Args:
            logins: how often the User signed in.
            decided: a decision was made on the consent page.
        """
        with self._lock:
            seen = self._count
            self._count = Count(seen.approvals + int(decided), seen.logins + logins)
