"""Runs `pact-conformance` as a user does, in a folder of the user's."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.plugin.suite import shell

PROGRAM = [sys.executable, "-P", "-m", "pact_conformance"]
"""The console script does the same; it is there only where the package is installed."""


def call(
    *arguments: str, cwd: Path, environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run it to its end; stdout and stderr come together."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        cwd=cwd,
        env=shell(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
