"""What a run leaves behind while it goes on: every outcome as it comes, and a report of so far.

Whatever ends the run, SIGKILL included: `outcomes.ndjson` has each outcome, and `report.json` is
whole, marked partial, and at most a second behind.
"""

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pact_conformance.report import document
from pact_conformance.report.outcome import Outcome

OUTCOMES = "outcomes.ndjson"

# The report of so far is written at most so often, and only if something came.
RHYTHM = 1.0


class Progress:
    """Writes along with a run.

    Args:
        folder: of the report.
        so_far: returns the report of what is known now; called in a thread.
    """

    def __init__(self, folder: Path, so_far: Callable[[], dict[str, Any]]) -> None:
        self._folder = folder
        self._so_far = so_far
        self._file: int | None = None
        self._news = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._write_along, name="progress", daemon=True)
        self.error: OSError | None = None

    def begin(self) -> None:
        """Put a report that nothing has been tried yet where one of an earlier run may stand.

        Raises:
            OSError: the folder cannot be written; what was there stands.
        """
        self._write()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_TRUNC
        self._file = os.open(self._folder / OUTCOMES, flags, 0o600)
        self._thread.start()

    def note(self, outcome: Outcome) -> None:
        """Keep an outcome; a folder that cannot be written ends the run by `error`."""
        if self._file is None:
            return
        line = json.dumps(outcome.to_json(), separators=(",", ":")).encode("ascii") + b"\n"
        try:
            os.write(self._file, line)
        except OSError as error:
            self.error = error
        self._news.set()

    def end(self) -> None:
        """Write along no more: the final report takes over."""
        self._over.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _write_along(self) -> None:
        while self._news.wait() and not self._over.is_set():
            self._news.clear()
            try:
                self._write()
            except OSError as error:
                self.error = error
                return
            self._over.wait(RHYTHM)

    def _write(self) -> None:
        document.write(self._so_far(), self._folder, indent=None)
