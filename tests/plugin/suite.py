"""Runs the suite as a user does: pytest in a process of its own, in a checkout."""

import json
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import forked

CHECKOUT = Path(__file__).resolve().parents[2]

# What a tester's shell may hold and a test must not inherit.
_OURS = re.compile(
    r"E2E_|PA_|PYTEST|PYTHONDONTWRITEBYTECODE|PROVIDER_URL$|(OTHER_)?CUSTOMER_ID$"
    r"|(HTTPS?|ALL|NO)_PROXY$|GITHUB_",
    re.IGNORECASE,
)

_NAMES_A_SUBJECT = ("--pact-provider", "--pact-agent", "--pact-config", "E2E_PROVIDER", "E2E_AGENT")

# Every run compiles the same modules, with pytest's asserts in them: once is enough.
_COMPILED = Path(tempfile.gettempdir()) / "pact-conformance-tests-compiled"

# Plugins of the developers' environment that cost each run most of a second.
WITHOUT = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:anyio")


@dataclass(frozen=True)
class Run:
    """A run that has ended."""

    code: int
    output: str
    folder: Path

    @property
    def report(self) -> dict[str, Any]:
        """`report.json`."""
        document: dict[str, Any] = json.loads((self.folder / "report.json").read_text("utf-8"))
        return document

    @property
    def journal(self) -> list[dict[str, Any]]:
        """The exchanges."""
        lines = (self.folder / "journal.ndjson").read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]

    @property
    def errors(self) -> list[str]:
        """The lines in which pytest says that it was asked something impossible."""
        return [line for line in self.output.splitlines() if line.startswith("ERROR: ")]

    @property
    def counted(self) -> dict[str, int]:
        """What pytest's last line counts, by outcome."""
        return {word: int(n) for n, word in re.findall(r"(\d+) ([a-z]+)", self.last_line)}

    @property
    def last_line(self) -> str:
        """What pytest says at the end."""
        return self.output.strip().splitlines()[-1]

    def requirement(self, id_: str) -> dict[str, Any]:
        """One requirement of the report."""
        return next(it for it in self.report["requirements"] if it["id"] == id_)

    def verdicts(self) -> dict[str, str]:
        """The verdict of every requirement."""
        return {it["id"]: it["verdict"] for it in self.report["requirements"]}

    def checks(self, verdict: str) -> list[dict[str, Any]]:
        """The checks of this verdict, each once."""
        found = {
            (it["name"], it["case"]): it
            for requirement in self.report["requirements"]
            for it in requirement["checks"]
            if it["verdict"] == verdict
        }
        return list(found.values())


def shell(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment without the settings of a tester, and with these."""
    inherited = {name: value for name, value in os.environ.items() if not _OURS.match(name)}
    return {**inherited, "PYTHONPYCACHEPREFIX": str(_COMPILED), **(environment or {})}


def command(*arguments: str, folder: Path) -> list[str]:
    """The command line of a run that writes to this folder."""
    report = f"--pact-report={folder}"
    return [sys.executable, "-m", "pytest", "-q", *WITHOUT, report, *arguments]


def run(
    *arguments: str,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    cwd: Path = CHECKOUT,
) -> Run:
    """Run the suite to its end: against the mock Provider alone, if nothing names a subject."""
    named = any(it.startswith(_NAMES_A_SUBJECT) for it in (*arguments, *(environment or {})))
    if not named and cwd == CHECKOUT:
        environment = {**(environment or {}), "E2E_PROVIDER": "mock"}
    ended = forked.run(
        "pytest",
        command(*arguments, folder=folder)[3:],
        cwd=cwd,
        environment=shell(environment),
        seconds=240,
    )
    return Run(ended.returncode, ended.stdout, folder)
