"""Runs of the whole suite in forked processes, so that imports are paid for once.

The parent imports everything and starts no thread; each child plays one subject, its mock Provider
in a process forked off in turn.
"""

import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest

from pact_conformance.assets import folder
from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.serving import RunningBrand, serve
from pact_conformance.report import html
from pact_conformance.session import embedded, start


@dataclass(frozen=True)
class Subject:
    """The mock Provider with flaws and variants substituted in it."""

    name: str
    flaws: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    """What the tester says of it: options of the run."""


class ForkedProvider:
    """A mock Provider in a forked process; leaving the context ends it."""

    def __init__(self, pid: int, ready: Mapping[str, Any]) -> None:
        self._pid = pid
        self.base: str = ready["base"]
        self.brands = tuple(RunningBrand(**brand) for brand in ready["brands"])
        self.unknown_card: str = ready["unknown_card"]
        self.control: str = ready["control"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def start_forked(
    config: ProviderConfig, flaws: Iterable[str] = (), variants: Iterable[str] = ()
) -> ForkedProvider:
    """Fork off a mock Provider and wait until it accepts connections.

    Raises:
        RuntimeError: it did not come up.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _in_child(lambda: _serve(config, flaws, variants, reading, writing))
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as announced:
        line = announced.readline()
    if not line:
        os.waitpid(pid, 0)
        raise RuntimeError("the mock Provider did not start")
    return ForkedProvider(pid, json.loads(line)["ready"])


def _serve(
    config: ProviderConfig,
    flaws: Iterable[str],
    variants: Iterable[str],
    reading: int,
    writing: int,
) -> int:
    os.close(reading)

    def announce(ready: Mapping[str, Any]) -> None:
        os.write(writing, json.dumps(ready).encode() + b"\n")

    serve(config, log=False, announce=announce, flaws=flaws, variants=variants)
    return 0


def _in_child(work: Callable[[], int]) -> None:
    """Do the work and end the process, whatever happens; never return into the parent's code."""
    code = 70
    try:
        code = work()
    except BaseException:  # noqa: BLE001 - the child has no one to raise to
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def begin(subject: Subject, reports: Path, arguments: Iterable[str] = ()) -> int:
    """Fork off a run of the suite against a subject; return its process id.

    The report and what the terminal would show (`terminal.txt`) are written to `reports`.
    """
    reports.mkdir(parents=True, exist_ok=True)
    pid = os.fork()
    if pid == 0:
        _in_child(lambda: _run(subject, reports, list(arguments)))
    return pid


def _run(subject: Subject, reports: Path, arguments: list[str]) -> int:
    with (reports / "terminal.txt").open("w", encoding="utf-8") as terminal:
        os.dup2(terminal.fileno(), 1)
        os.dup2(terminal.fileno(), 2)
    embedded.launch = start_forked
    suites = folder("suites")
    given = [
        f"--config-file={suites / 'run.ini'}",
        f"--rootdir={suites}",
        f"--confcutdir={suites}",
        "--color=no",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:faulthandler",
        "-p",
        "no:unraisableexception",  # it collects all garbage at the end, which the fork ends anyway
        f"--pact-report={reports}",
        "--pact-provider=mock",
        f"--pact-mock-flaws={','.join(subject.flaws)}",
        f"--pact-mock-variants={','.join(subject.variants)}",
        str(suites / "provider"),
        *subject.settings,
        *arguments,
    ]
    return int(pytest.main(given))


@dataclass(frozen=True)
class Ran:
    """A finished run: its exit code and its report, None where none was written."""

    subject: Subject
    exit_code: int
    report: Mapping[str, Any] | None
    terminal: str

    def with_verdict(self, *verdicts: str) -> frozenset[str]:
        """Return the ids of the requirements that ended so."""
        rows = [] if self.report is None else self.report["requirements"]
        return frozenset(row["id"] for row in rows if row["verdict"] in verdicts)


def run_all(
    subjects: Iterable[Subject], reports: Path, *, at_once: int, arguments: Iterable[str] = ()
) -> Iterator[Ran]:
    """Run the suite against each subject, several at once, and yield each as it ends."""
    waiting = list(subjects)
    running: dict[int, Subject] = {}
    arguments = list(arguments)
    _warm_up()
    while waiting or running:
        while waiting and len(running) < at_once:
            subject = waiting.pop(0)
            running[begin(subject, reports / subject.name, arguments)] = subject
        pid, status = os.wait()
        ended = running.pop(pid, None)
        if ended is not None:
            yield _read(ended, reports / ended.name, os.waitstatus_to_exitcode(status))


def _warm_up() -> None:
    """Load what each run would load for itself."""
    embedded.keys()
    start.warm_up()
    html.warm_up()
    gc.freeze()  # what is shared is not looked through again in every fork


def _read(subject: Subject, reports: Path, exit_code: int) -> Ran:
    path = reports / "report.json"
    report = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    terminal = (reports / "terminal.txt").read_text(encoding="utf-8")
    return Ran(subject, exit_code, report, terminal)
