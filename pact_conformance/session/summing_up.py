"""What a run leaves for others than its reader: badges, a summary in Markdown, annotations.

In GitHub Actions the summary goes to the page of the job and what is amiss becomes annotations, for
the runner says by its variables that it takes them. Elsewhere `--pact-summary` names a file.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.report import annotations, badges, markdown

INTERNAL = 3

# The runner takes no more of one step.
_MOST_BYTES = 1_000_000

Document = Mapping[str, Any]


class SummingUp:
    """Writes them when the report is there.

    Args:
        built: returns the report of the run; None if there is none.
        folder: of the report.
        summary: where the tester wants it.
        environment: says whether this is GitHub Actions.
    """

    def __init__(
        self,
        built: Callable[[], Document | None],
        folder: Path,
        summary: Path | None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._built = built
        self._folder = folder
        self._summary = summary
        self._environment = environment
        self._errors: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write what goes into files."""
        document = self._built()
        if document is None:
            return
        self._try("the badges", lambda: badges.write(document, self._folder / badges.FOLDER))
        text = _fitting(markdown.summary(document))
        if self._summary is not None:
            self._try(f"--pact-summary={self._summary}", lambda: _replace(self._summary, text))
        page = self._environment.get("GITHUB_STEP_SUMMARY")
        if page:
            self._try(f"GITHUB_STEP_SUMMARY ({page})", lambda: _append(Path(page), text))
        if self._errors:
            session.exitstatus = INTERNAL

    @pytest.hookimpl(tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Annotate, where somebody reads that, before the summary that people read."""
        document = self._built()
        if document is not None and self._environment.get("GITHUB_ACTIONS") == "true":
            for line in annotations.lines(document):
                terminalreporter.write_line(line)
        for error in self._errors:
            terminalreporter.write_line(f"ERROR: {error}")

    def _try(self, what: str, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            self._errors.append(f"{what} cannot be written: {error.strerror or error}")


def _replace(path: Path | None, text: str) -> None:
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as page:
        page.write(text)


def _fitting(text: str) -> str:
    data = text.encode()
    if len(data) <= _MOST_BYTES:
        return text
    return data[:_MOST_BYTES].decode(errors="ignore") + "\n\n… the report has the rest\n"
