"""Begins the matrix beside the other tests and has its own tests come last.

The others hardly use more than one core at a time. So the matrix gets what they leave, at the
lowest priority, and is mostly done when they are.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

AGENTS = 16
"""Of so many flaws and variants of the mock personal agent one is run: each is a whole play."""


class Matrix:
    """The matrix in a process group of its own."""

    def __init__(self, *, beside: bool) -> None:
        self.reports = Path(tempfile.mkdtemp(prefix="matrix-"))
        self._told = self.reports / "told.txt"
        polite = ["nice", "-n", "19"] if beside and shutil.which("nice") else []
        run = [sys.executable, "-m", "pact_conformance", "matrix", "--by-section"]
        run += ["--share=5", f"--agents={AGENTS}"]
        with self._told.open("w") as told:
            self._process = subprocess.Popen(
                [*polite, *run, f"--reports={self.reports}"],
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait(self) -> str:
        """Wait for its end; return what it told."""
        self._process.wait()
        return self._told.read_text(encoding="utf-8")

    def end(self) -> None:
        """End it, where nobody waited for it, and leave nothing of it."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        shutil.rmtree(self.reports)


MATRIX: pytest.StashKey[Matrix] = pytest.StashKey()


def _needs_it(item: pytest.Item) -> bool:
    return "matrix" in getattr(item, "fixturenames", ())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_needs_it)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    if session.config.option.collectonly or not any(map(_needs_it, session.items)):
        return
    beside = not all(map(_needs_it, session.items))
    session.config.stash[MATRIX] = Matrix(beside=beside)


def pytest_unconfigure(config: pytest.Config) -> None:
    if MATRIX in config.stash:
        config.stash[MATRIX].end()
