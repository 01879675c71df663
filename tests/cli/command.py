"""Runs `pact-conformance` as a user does, in a folder of the user's."""

import sys
from collections.abc import Mapping
from pathlib import Path

from tests import forked
from tests.plugin.suite import shell

PROGRAM = [sys.executable, "-P", "-m", "pact_conformance"]
"""The console script does the same; it is there only where the package is installed."""


def call(*arguments: str, cwd: Path, environment: Mapping[str, str] | None = None) -> forked.Ended:
    """Run it to its end; stdout and stderr come together."""
    return forked.run(
        "pact-conformance", arguments, cwd=cwd, environment=shell(environment), seconds=60
    )
