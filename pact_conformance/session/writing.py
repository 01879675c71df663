"""Lines for the terminal, in which nothing of a subject is more than text."""

import os
from collections.abc import Callable, Mapping

from pact_conformance.report.text import harmless, no_command


class Lines:
    """Writes lines of ours.

    Args:
        write: takes a line.
        environment: says whether the output is read by GitHub's runner, which finds commands in it.
    """

    def __init__(
        self, write: Callable[[str], None], environment: Mapping[str, str] = os.environ
    ) -> None:
        self._write = write
        self._is_read = environment.get("GITHUB_ACTIONS") == "true"

    def write(self, text: str) -> None:
        """Write one line, or several."""
        for line in harmless(text).split("\n"):
            self._write(no_command(line) if self._is_read else line)
