"""SIGTERM ends a run as Ctrl-C does: with a partial report and exit code 2."""

import signal
import threading
from types import FrameType
from typing import Any


class Interruption:
    """Turns the first SIGTERM into a KeyboardInterrupt; outside of the main thread it does not."""

    def __init__(self) -> None:
        self._before: Any = None

    def begin(self) -> None:
        """Listen from now on."""
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGTERM, self._interrupt)

    def hold_off(self) -> None:
        """Let nothing cut short what ends the run anyway."""
        if self._before is not None:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def end(self) -> None:
        """Listen no more."""
        if self._before is not None:
            signal.signal(signal.SIGTERM, self._before)
            self._before = None

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.hold_off()
        raise KeyboardInterrupt
