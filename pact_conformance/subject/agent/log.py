"""What the agent says beside its answers, kept in a file of the report, masked."""

import contextlib
import threading
from collections import deque
from pathlib import Path

from pact_conformance.journal.mask import Mask

FILE = "agent.stderr.log"

_LONGEST_LINE = 8192
_MOST = 4 << 20
"""Bytes that are kept in the file."""

_LAST = 5
_HELD = 256


class Log:
    """Lines are held back until the next call begins: by then the mask knows the call's secrets.

    Args:
        folder: of the report; None keeps no file.
        mask: takes secrets out of every line.
    """

    def __init__(self, folder: Path | None, mask: Mask) -> None:
        self._path = None if folder is None else folder / FILE
        self._mask = mask
        self._held: list[str] = []
        self._last: deque[str] = deque(maxlen=_LAST)
        self._written = 0
        self._lock = threading.Lock()

    def add(self, line: str, *, tells: bool = True) -> None:
        """Take a line; an empty one is nothing.

        Args:
            line: as it was written.
            tells: whether it is one that `last` may give.
        """
        line = line.rstrip()[:_LONGEST_LINE]
        if not line:
            return
        with self._lock:
            if tells:
                self._last.append(line)
            self._held.append(line)
            if len(self._held) >= _HELD:
                self._flush()

    @property
    def last(self) -> str:
        """The last line, unmasked; empty where there is none since the last call began."""
        with self._lock:
            return self._last[-1] if self._last else ""

    def begin(self) -> None:
        """Write what is held back: another call begins."""
        with self._lock:
            self._flush()
            self._last.clear()

    def close(self) -> None:
        """Write what is left."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        lines, self._held = self._held, []
        if self._path is None or not lines or self._written >= _MOST:
            return
        text = "\n".join(self._mask.apply_all(lines)) + "\n"
        self._written += len(text)
        if self._written >= _MOST:
            text += "(what comes after this is not kept)\n"
        # A full disk ends the run elsewhere, and better.
        with contextlib.suppress(OSError), self._path.open("a", encoding="utf-8") as file:
            file.write(text)
