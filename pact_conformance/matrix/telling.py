"""What a run of the matrix shows meanwhile: a line that grows, where somebody is looking."""

import time
from collections.abc import Callable
from typing import TextIO


class Telling:
    """Tells at once what is amiss, and at a terminal how far the matrix has come.

    Args:
        stream: where to.
        total: how many subjects there are.
        clock: seconds that only grow.
    """

    def __init__(
        self, stream: TextIO, total: int, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._total = total
        self._clock = clock
        self._live = stream.isatty()
        self._began = clock()
        self._ended = 0

    def say(self, line: str) -> None:
        """Tell something in a line of its own."""
        self._clear()
        self._stream.write(f"{line}\n")
        self._show()

    def step(self) -> None:
        """Take note that one more subject has been judged."""
        self._ended += 1
        self._clear()
        self._show()

    def close(self) -> None:
        """Leave nothing of the growing line."""
        self._clear()
        self._stream.flush()

    def _clear(self) -> None:
        if self._live:
            self._stream.write("\r\x1b[K")

    def _show(self) -> None:
        if self._live:
            self._stream.write(self._so_far())
        self._stream.flush()

    def _so_far(self) -> str:
        took = self._clock() - self._began
        line = f"{self._ended:,} of {self._total:,} subjects, {_minutes(took)}"
        if not self._ended:
            return line
        left = took / self._ended * max(0, self._total - self._ended)
        return f"{line}, about {_minutes(left)} to go"


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02} min"
