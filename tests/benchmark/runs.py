"""What a run costs, as whole processes: seconds, requests, turns."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROUNDS = 5
DECIDED = {"passed", "failed", "warned", "not applicable"}


@dataclass(frozen=True)
class Measured:
    """Medians of some runs of the same command."""

    name: str
    seconds: float
    requests: int
    turns: int
    decided: int

    @property
    def line(self) -> str:
        """The figures in one row of a Markdown table."""
        rate = self.decided / self.seconds
        return (
            f"| {self.name} | {self.seconds:.2f} | {self.requests} | {self.turns} "
            f"| {self.decided} | {rate:.0f} |"
        )


def measure(name: str, arguments: Sequence[str], *, rounds: int = ROUNDS) -> Measured:
    """Run the Provider suite on the embedded mock as users do, compiled modules cached."""
    environment = {
        key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"
    }
    seconds: list[float] = []
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", f"--pact-report={folder}", *arguments]
        subprocess.run(command, capture_output=True, env=environment, check=True)
        for _ in range(rounds):
            started = time.perf_counter()
            subprocess.run(command, capture_output=True, env=environment, check=True)
            seconds.append(time.perf_counter() - started)
        report = json.loads((Path(folder) / "report.json").read_text(encoding="utf-8"))
    decided = sum(1 for row in report["requirements"] if row["verdict"] in DECIDED)
    return Measured(name, statistics.median(seconds), report["requests"], report["turns"], decided)
