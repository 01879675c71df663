"""One process of the tester's that speaks lines of JSON; nothing it does can block the suite."""

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO

from pact_conformance.subject.agent.way import LONGEST

# Seconds that the process has to end by itself after SIGTERM.
ENDING = 2.0

# Seconds in which what it wrote before it ended is read.
_DRAINING = 0.5

_BLOCK = 1 << 16


class Process:
    """A running command; threads of its own empty its pipes, and fill the one that it reads.

    Args:
        command: as in a shell, but without one.
        complain: is told each line of standard error.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: str, complain: Callable[[str], None]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the tester's own command
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._complain = complain
        self._ending = threading.Lock()
        self._over = threading.Event()
        self._written: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        """What it writes to standard output; None behind the last line, when it has ended."""
        out, errors = self._process.stdout, self._process.stderr
        assert out is not None
        assert errors is not None
        self._readers = [
            self._thread(self._read_out, out),
            self._thread(self._read_errors, errors),
        ]
        self._thread(self._write)
        self._thread(self._wait)

    def _thread(self, run: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=run, args=arguments, daemon=True, name="agent's pipe")
        thread.start()
        return thread

    @property
    def code(self) -> int | None:
        """Its exit code; negative: the signal that ended it; None while it runs."""
        return self._process.poll()

    def write(self, line: bytes) -> None:
        """Hand it a line; it need not read it."""
        self._written.put(line)

    def end(self) -> None:
        """End it and what it has started: it is asked to, and then made to."""
        self._written.put(None)
        self._signal(signal.SIGTERM)
        if not self._over.wait(ENDING):
            self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
            self._over.wait(ENDING)
        self._drain()

    def _drain(self) -> None:
        """Wait until what it wrote is read; what it has started may hold the pipes open longer."""
        until = time.monotonic() + _DRAINING
        for reader in self._readers:
            reader.join(max(0.0, until - time.monotonic()))

    def _signal(self, number: int) -> None:
        """Send a signal to the whole group, while it is known to be this one."""
        with self._ending, suppress(OSError):
            if self._over.is_set():
                return
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with suppress(OSError), pipe:
            while (line := self._written.get()) is not None:
                left = memoryview(line)
                while left:
                    left = left[pipe.write(left) :]

    def _wait(self) -> None:
        self._process.wait()
        # What it has started may be left, and holds the number of the group.
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self._over.set()
        self._drain()
        self.lines.put(None)
        self._written.put(None)

    def _read_out(self, pipe: IO[bytes]) -> None:
        for line in _lines(pipe):
            self.lines.put(line)

    def _read_errors(self, pipe: IO[bytes]) -> None:
        for line in _lines(pipe):
            self._complain(line.decode("utf-8", "replace"))


def _lines(pipe: IO[bytes]) -> Iterator[bytes]:
    """Yield lines without their ends; one that is too long is cut, and still too long."""
    kept = bytearray()
    with pipe:
        while True:
            try:
                block = os.read(pipe.fileno(), _BLOCK)
            except OSError:
                block = b""
            if not block:
                break
            *ended, rest = block.split(b"\n")
            for part in ended:
                kept += part
                yield bytes(kept[: LONGEST + 1])
                kept.clear()
            kept += rest
            del kept[LONGEST + 1 :]
    if kept:
        yield bytes(kept)
