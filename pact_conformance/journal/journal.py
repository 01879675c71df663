"""The journal on disk: one JSON object a line, appended by every process of the run."""

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path

from pact_conformance.journal.exchange import Exchange


class JournalUnwritable(OSError):  # noqa: N818 - it says what is the case
    """The journal cannot be written, so the run has nothing to show for itself."""


class JournalDamaged(ValueError):  # noqa: N818 - it says what is the case
    """A line in the middle of the journal is no exchange."""


class Journal:
    """Appends exchanges to a file, which other processes may append to as well. Thread-safe."""

    def __init__(self, path: Path, worker: str = "main") -> None:
        self.path = path
        self._worker = worker
        self._numbers = itertools.count(1)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError as error:
            raise _unwritable(path, error) from error

    def next_id(self) -> str:
        """Return the id of the next exchange; no other process of the run hands it out."""
        return f"{self._worker}-{next(self._numbers)}"

    def record(self, exchange: Exchange) -> None:
        """Append one exchange with a single write, so that lines never mix.

        Raises:
            JournalUnwritable: for instance because the disk is full.
        """
        # ASCII alone: control characters and bidi marks of a subject reach no terminal
        line = json.dumps(exchange.to_json(), separators=(",", ":")).encode("ascii") + b"\n"
        try:
            written = os.write(self._file, line)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        if written != len(line):
            raise JournalUnwritable(f"the journal {self.path} took only part of a line: disk full?")

    def close(self) -> None:
        """Close the file; whoever still records is told so, and writes into no other file."""
        file, self._file = self._file, -1
        os.close(file)


def read(path: Path) -> Iterator[Exchange]:
    """Yield the exchanges of a journal in the order of their ends.

    A last line that a killed process left unfinished is skipped.

    Raises:
        JournalDamaged: another line is no exchange; it says which.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                yield Exchange.from_json(json.loads(line))
            except (ValueError, TypeError) as error:
                raise JournalDamaged(f"{path}, line {number}: {error}") from error


def _unwritable(path: Path, error: OSError) -> JournalUnwritable:
    return JournalUnwritable(f"the journal {path} cannot be written: {error.strerror or error}")
