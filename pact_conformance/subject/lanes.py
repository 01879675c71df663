"""How much the suite says at the same time: a Provider is asked little at once."""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Lanes:
    """So many lanes, taken in the order of asking; whoever needs several gets them together.

    Args:
        count: how many there are.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._free = count
        self._queue: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def taken(self, count: int = 1) -> Iterator[None]:
        """Wait for so many lanes, at most all there are, and have them meanwhile."""
        count = min(count, self._count)
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                self._changed.wait_for(lambda: self._queue[0] is ticket and self._free >= count)
                self._free -= count
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._free += count
                self._changed.notify_all()
