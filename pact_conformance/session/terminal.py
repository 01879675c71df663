"""The terminal of whoever started pytest, past pytest's capture: for the approver `manual`."""

import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pact_conformance.session.display import Descriptor, looked_on

# The seconds that are left are told so often.
_TICK = 1.0


class Terminal:
    """Somebody at a terminal; serves one question at a time.

    Args:
        reading: a file descriptor to read lines from.
        writing: one to write to.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader: threading.Thread | None = None
        self.asking = False
        """Whether somebody is asked something, and nothing else may be written."""

    def tell(self, text: str) -> None:
        """Show a text."""
        self._write(f"{text}\n")

    def ask(self, question: str, until: float) -> str | None:
        """Show a question with the seconds that are left; return the line that is typed.

        None: nothing was typed until then (on the monotonic clock), or the terminal is gone.
        """
        if self._reader is None:
            # A daemon: nothing ends a read from a terminal.
            self._reader = threading.Thread(target=self._read, daemon=True, name="terminal")
            self._reader.start()
        while not self._lines.empty():  # what was typed before the question is no answer to it
            if self._lines.get() is None:
                return None
        self.asking = True
        try:
            return self._answer(question, until)
        finally:
            self.asking = False

    def _answer(self, question: str, until: float) -> str | None:
        while (left := until - time.monotonic()) > 0:
            self._write(f"\r{question} ({left:.0f} s) ")
            try:
                return self._lines.get(timeout=min(_TICK, left))
            except queue.Empty:
                continue
        self._write("\n")
        return None

    def _read(self) -> None:
        pending = b""
        while True:
            try:
                got = os.read(self._reading, 1024)
            except OSError:
                got = b""
            if not got:
                self._lines.put(None)
                return
            *lines, pending = (pending + got).split(b"\n")
            for line in lines:
                self._lines.put(line.decode("utf-8", "replace").strip())

    def _write(self, text: str) -> None:
        os.write(self._writing, text.encode("utf-8", "replace"))


def terminal_of(config: pytest.Config) -> Terminal | None:
    """Return the terminal that pytest was started at; None if there is none."""
    with _past_capture(config):
        return _at_files()


def screen_of(config: pytest.Config) -> Descriptor | None:
    """Return the screen on which a line can be written over; None where nobody looks on."""
    with _past_capture(config):
        if not looked_on():
            return None
        out = sys.__stdout__
        assert out is not None
        return Descriptor(os.dup(out.fileno()), out.encoding)


@contextmanager
def _past_capture(config: pytest.Config) -> Iterator[None]:
    """Have the files of whoever started pytest, which has put its own in place of them by now.

    While it configures itself it captures nothing that is written, but has taken the input away.
    """
    capturing = config.pluginmanager.getplugin("capturemanager")
    if capturing is None:
        yield
        return
    capturing.suspend_global_capture(in_=True)
    try:
        yield
    finally:
        capturing.resume_global_capture()
        capturing.suspend_global_capture()


def _at_files() -> Terminal | None:
    try:
        reading, writing = sys.__stdin__.fileno(), sys.__stdout__.fileno()  # type: ignore[union-attr]
        if not os.isatty(reading):
            return None
        return Terminal(os.dup(reading), os.dup(writing if os.isatty(writing) else reading))
    except (AttributeError, OSError, ValueError):
        return None
