"""The suite as a process of its own, against a subject of tests/real."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.environment import CHECKOUT

SECONDS = 300


@dataclass(frozen=True)
class Run:
    """A run that has begun; its report will be in `folder`."""

    process: "subprocess.Popen[str]"
    folder: Path

    def wait(self) -> int:
        """Wait for its end; return the exit code."""
        return self.process.wait(SECONDS)

    @property
    def told(self) -> str:
        """What it wrote to the terminal."""
        return (self.folder / "told.txt").read_text()[-8000:]

    def document(self) -> dict[str, Any]:
        """Wait for its report; without one the test fails."""
        self.wait()
        path = self.folder / "report" / "report.json"
        if not path.exists():
            pytest.fail(f"no report.json came of it:\n{self.told}")
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return document

    def end(self) -> None:
        """End it, where nobody waited for it."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()


def begin(folder: Path, settings: Sequence[str], checks: str = "suites") -> Run:
    """Begin to run the suite.

    Args:
        folder: for the settings, the report and what is told.
        settings: lines of pact-conformance.toml.
        checks: which of them to run; all by default.
    """
    file = folder / "settings.toml"
    file.write_text("\n".join([*settings, ""]))
    options = ["--pact-config", str(file), "--pact-profile", "delegated"]
    # Without the checkout's own cache: only what the suite itself does is looked at.
    quiet = ["-q", "-p", "no:cacheprovider", f"--pact-report={folder / 'report'}"]
    with (folder / "told.txt").open("w") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", checks, *options, *quiet],
            cwd=CHECKOUT,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.STDOUT,
            text=True,
        )
    return Run(process, folder)


def _environment() -> dict[str, str]:
    """The outer one without whatever it says about PACT."""
    ours = ("PA_", "E2E_", "PACT_", "PYTEST_", "PROVIDER_URL", "CUSTOMER_ID", "OTHER_CUSTOMER_ID")
    return {name: it for name, it in os.environ.items() if not name.startswith(ours)}
