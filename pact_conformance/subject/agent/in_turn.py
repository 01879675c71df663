"""Calls of one agent, one after the other; who waits for others does not pay for it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pact_conformance.verdicts import Inconclusive, open_notebook

# Each call before this one has a limit of its own, so this only ends what nobody thought of.
_LONGEST = 3600.0


class InTurn:
    """Lets one call after the other pass."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait until it is one's turn; the check's deadline is put off by as much.

        Raises:
            Inconclusive: the turn did not come.
        """
        started = time.monotonic()
        if not self._lock.acquire(timeout=_LONGEST):
            raise Inconclusive("the agent was busy with other calls", do="run fewer checks at once")
        try:
            open_notebook().wait_longer(time.monotonic() - started)
            yield
        finally:
            self._lock.release()
