"""Runs in forked processes, so that imports and the collection of the suite are paid for once.

The parent imports and collects everything and starts no thread; each child plays one subject, its
mock Provider or stage in a process forked off in turn.
"""

import faulthandler
import gc
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from pact_conformance.assets import folder
from pact_conformance.matrix.subjects import Subject
from pact_conformance.options import TABLE
from pact_conformance.report import html
from pact_conformance.session import beginning, embedded, progress, start
from pact_conformance.session.checks_plugin import Checks
from pact_conformance.session.collection import CITED

REPORT, TERMINAL = "report.json", "terminal.txt"

ENDED_WELL = frozenset({0, 1})
"""How a run ends that did what it was to do, whatever it found."""


@dataclass(frozen=True)
class Ran:
    """A finished run: its exit code and its report, None where none was written."""

    subject: Subject
    exit_code: int
    report: Mapping[str, Any] | None
    terminal: str
    seconds: float = 0.0
    """Of a processor, that of the process it forked off included."""

    @property
    def well(self) -> bool:
        """Whether it came to its end, without a fault of the suite."""
        return self.exit_code in ENDED_WELL and self.report is not None

    def with_verdict(self, *verdicts: str) -> frozenset[str]:
        """Return the ids of the requirements that ended so."""
        rows = [] if self.report is None else self.report["requirements"]
        return frozenset(row["id"] for row in rows if row["verdict"] in verdicts)


Ended: TypeAlias = Callable[[Ran], Subject | None]
"""What is called with each run, and returns what is to be run because of it."""


def run_all(
    subjects: Iterable[Subject],
    reports: Path,
    *,
    at_once: int,
    ended: Ended,
) -> bool:
    """Run the suite against each subject, several at once, and hand over each as it ends.

    What `ended` returns for one is run next.

    The report of each and what the terminal would show (`terminal.txt`) are written to a folder of
    its name in `reports`, but no page.

    Returns:
        Whether everybody has had a turn; otherwise it was interrupted.

    Raises:
        RuntimeError: the suite could not be collected.
    """
    embedded.keys()
    start.warm_up()
    suites = folder("suites")
    forking = Forking(list(subjects), reports.resolve(), at_once, ended)
    arguments = [
        f"--config-file={suites / 'run.ini'}",
        f"--rootdir={suites}",
        f"--confcutdir={suites}",
        "--color=no",
        "--capture=sys",  # a child's output goes to its own file, also what pytest would hold back
        "-qq",
        *("-p", "no:cacheprovider"),
        *("-p", "no:faulthandler"),
        *("-p", "no:warnings"),
        *("-p", "no:logging"),
        *("-p", "no:threadexception"),
        "--disable-plugin-autoload",
        *("-p", "pact_conformance.plugin"),
        *("-p", "no:unraisableexception"),  # it collects all garbage, which the fork ends anyway
        "--pact-provider=mock",
        "--pact-agent=mock",
        f"--pact-report={forking.reports}",
        *(str(suites / name) for name in ("provider", "personal_agent")),
    ]
    code = pytest.main(arguments, plugins=[forking])
    if forking.in_child:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(code))
    if not forking.began:
        raise RuntimeError(f"the suite was not collected: pytest ended with {int(code)}")
    return code != pytest.ExitCode.INTERRUPTED


class Forking:
    """A plugin for the parent: collects as for a listing, then forks before anything is run."""

    def __init__(
        self,
        subjects: list[Subject],
        reports: Path,
        at_once: int,
        ended: Ended,
    ) -> None:
        self.reports = reports
        self.began = False
        self.in_child = False
        self._waiting = subjects
        self._at_once = at_once
        self._ended = ended
        self._running: dict[int, Subject] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Keep the run of the parent from looking at any subject."""
        _forget(config)
        config.pluginmanager.register(beginning.Listing(), "pact_listing")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run each subject in a child; in the child, run what it is held against."""
        if self.in_child:
            return None
        self.began = True
        gc.collect()
        gc.freeze()  # what is shared is not looked through again in every fork
        while self._waiting or self._running:
            while self._waiting and len(self._running) < self._at_once:
                subject = self._waiting.pop(0)
                _make_room(self.reports / subject.name)
                pid = _fork()
                if pid == 0:
                    self.in_child = True
                    return self._play(session, subject)
                self._running[pid] = subject
            pid, status, used = os.wait4(-1, 0)
            if pid in self._running:
                subject = self._running.pop(pid)
                code, seconds = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
                again = self._ended(_read(subject, self.reports / subject.name, code, seconds))
                self._waiting[:0] = [] if again is None else [again]
        return True

    def _play(self, session: pytest.Session, subject: Subject) -> bool:
        reports = self.reports / subject.name
        with (reports / TERMINAL).open("w", encoding="utf-8") as terminal:
            os.dup2(terminal.fileno(), 1)
            os.dup2(terminal.fileno(), 2)
        faulthandler.enable(file=2)
        gc.disable()
        html.write = _no_page
        progress.RHYTHM = 3600.0  # nobody looks at a report of so far
        config = session.config
        _begin(config, {**subject.options, "report": str(reports)})
        checks = config.pluginmanager.get_plugin("pact_checks")
        assert isinstance(checks, Checks)
        checks.pytest_collection_modifyitems(session.items)
        checks.pytest_deselected([it for it in session.items if not _is_for(it, subject)])
        session.items = [it for it in session.items if _is_for(it, subject)]
        checks.pytest_collection_finish(session)
        config.hook.pytest_runtestloop(session=session)
        return True


def _make_room(reports: Path) -> None:
    """Make a folder for a run in which nothing of another one can be taken for its report."""
    reports.mkdir(parents=True, exist_ok=True)
    for name in (REPORT, TERMINAL):
        (reports / name).unlink(missing_ok=True)
    (reports / TERMINAL).touch()


def _fork() -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    return os.fork()


def _begin(config: pytest.Config, options: Mapping[str, str]) -> None:
    """Open a run as `pytest_configure` and `pytest_sessionstart` would, with these settings."""
    config.pluginmanager.unregister(name="pact_listing")
    nothing = dict.fromkeys(option.key for option in TABLE)
    beginning.begin(config, {**nothing, **options})
    config.pluginmanager.unregister(name="pact_summing_up")  # nobody reads those of a matrix
    opening = config.pluginmanager.get_plugin("pact_opening")
    assert isinstance(opening, beginning.Opening)
    opening.pytest_sessionstart()


def _forget(config: pytest.Config) -> None:
    for name in beginning.REGISTERED:
        config.pluginmanager.unregister(name=name)


def _is_for(item: pytest.Item, subject: Subject) -> bool:
    """Say whether a check is of the sections that a subject is held against."""
    if subject.sections is None:
        return True
    rows = item.stash[CITED].requirements if CITED in item.stash else ()
    return any(row.section in subject.sections for row in rows)


def _no_page(document: Mapping[str, Any], folder: Path, catalogue: Any) -> Path:  # noqa: ANN401
    """Write no page: nobody reads those of five hundred flaws."""
    del document, catalogue
    return folder / html.NAME


def _read(subject: Subject, reports: Path, exit_code: int, seconds: float) -> Ran:
    path = reports / REPORT
    report = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    terminal = (reports / TERMINAL).read_text(encoding="utf-8")
    return Ran(subject, exit_code, report, terminal, seconds)
