"""The part of the plugin that runs once: settings, counterparts, preflight, verdicts, files."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.catalogue import load as load_catalogue
from pact_conformance.journal.journal import JournalUnwritable
from pact_conformance.report import document
from pact_conformance.report.baseline import FAILING
from pact_conformance.report.journal_rules import Tally, fold_journal
from pact_conformance.report.outcome import Outcome
from pact_conformance.rig import Rig
from pact_conformance.session import opening, reporting, selecting, showing, workers
from pact_conformance.session.earlier import Earlier
from pact_conformance.session.folder import JOURNAL, DiskFull, pictures, requests
from pact_conformance.session.interruption import Interruption
from pact_conformance.session.known_failures import KnownFailures
from pact_conformance.session.progress import Progress
from pact_conformance.session.record import Record, Result
from pact_conformance.session.roster import Roster
from pact_conformance.settings import Settings
from pact_conformance.subject.approver import Count
from pact_conformance.subject.approver.manual import Person
from pact_conformance.subject.ledger import LedgerUnwritable
from pact_conformance.waits import Wait

INTERRUPTED, INTERNAL, FAILED = 2, 3, 1

SO_FAR = "the run ended before this was decided"


class Controller:
    """Opens the run, gathers what the checks found, and closes it with a report."""

    def __init__(self, config: pytest.Config, settings: Settings, known: KnownFailures) -> None:
        self.config = config
        self.settings = settings
        self.known = known
        self.folder: Path = config.invocation_params.dir / settings.report
        self.record = Record(load_catalogue(), settings)
        self.progress = Progress(self.folder, self._so_far)
        self.interruption = Interruption()
        self.opened: opening.Opened | None = None
        self.tally = Tally()
        self.result: Result | None = None
        self.written: Path | None = None
        self.built: dict[str, Any] | None = None
        """The report, once it is written."""
        self.earlier: Earlier | None = None
        self.crashed: dict[str, str] = {}
        self.elsewhere: dict[str, tuple[Wait, ...]] | None = None
        """What each worker waits for; None where nobody wants to know."""
        self.unselected = ""
        """What is told where no check was selected."""
        self.broken = ""
        """Why the run cannot go on: the disk is full."""

    def open(self, person: Person | None = None) -> Rig:
        """Start what the run needs and look at the subject; return the rig for this process.

        Raises:
            pytest.UsageError: a setting that only now turns out bad, or reports cannot be written.
        """
        self.interruption.begin()
        self.earlier = Earlier(self.folder, keep=bool(selecting.told(self.config)))
        try:
            self.opened = opening.Opened(
                self.settings,
                self.folder,
                begin=self.progress.begin,
                shared=self.config.pluginmanager.hasplugin("dsession"),
                person=person,
            )
        except (JournalUnwritable, LedgerUnwritable, DiskFull) as error:
            self.progress.end()
            pytest.exit(str(error), returncode=INTERNAL)
        self.record.ledger = self.opened.rig.turns.ledger
        self.record.judged = self.opened.rig.judged
        self.record.plan = self.opened.plan
        for finding in self.opened.plan.findings.values():
            self._add(self.known.baseline.marked(reporting.of_finding(finding)))
        return self.opened.rig

    def close(self) -> None:
        """End what a run that never came to its checks has started."""
        self.interruption.end()
        self.progress.end()
        if self.opened is not None:
            self.opened.close()
            self.opened = None

    def collected(self, roster: Roster) -> None:
        """Take note of the checks of the run; all workers collect the same."""
        self.record.roster = roster

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:  # noqa: ANN401 - xdist's WorkerController
        """Hand a worker what it needs, over the pipe."""
        assert self.opened is not None
        workers.hand_over(
            node,
            settings=self.opened.settings,
            plan=self.opened.plan,
            folder=str(self.folder),
            baseline=self.known.baseline,
            replaces=bool(self.crashed),
            tell=self.collected,
            tell_waits=self._tell_waits(node.gateway.id),
        )

    def _tell_waits(self, worker: str) -> Callable[[tuple[Wait, ...]], None] | None:
        elsewhere = self.elsewhere
        return None if elsewhere is None else partial(elsewhere.__setitem__, worker)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:  # noqa: ANN401 - xdist's
        """Keep together what talks to the Brand's agent, whatever `--dist` says."""
        from pact_conformance.session.scheduling import Scheduling  # noqa: PLC0415 - needs xdist

        return Scheduling(config, log, lambda: self.record.roster)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:  # noqa: ANN401 - xdist's
        """Take note of a worker that died."""
        if error and error != "keyboard-interrupt":
            self.crashed[node.gateway.id] = str(error)
            self.record.ledger.abandon(node.gateway.id)

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Say what became of the check during which a worker died."""
        entry = next((it for it in self.record.roster.selected if it.node == crashitem), None)
        if entry is None:
            return
        outcome = Outcome(
            entry.name,
            entry.case,
            entry.requirements,
            "inconclusive",
            reason=str(report.longrepr),
            do="run it alone; report it if its process dies again",
            kind="advice" if entry.advice else "check",
            error=True,
            advice=entry.advice,
        )
        report.pact = outcome.to_json()  # type: ignore[attr-defined]
        report.user_properties += reporting.properties(outcome)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the outcome off a test report, wherever it was made."""
        record = getattr(report, "pact", None)
        if record is not None and record.get("kind") in {"check", "fuzz", "advice"}:
            self._add(Outcome.from_json(record))
            for cause in getattr(report, "pact_causes", ()):
                self._add(Outcome.from_json(cause))
            # Of each process the last count is of all that it did.
            worker = getattr(report, "worker_id", "")
            self.record.called[worker] = Count(*getattr(report, "pact_called", ()))
        self.broken = self.broken or getattr(report, "pact_broken", "")
        if self.progress.error is not None and not self.broken:
            self._break(str(DiskFull(self.folder, self.progress.error)))

    def _add(self, outcome: Outcome) -> None:
        advises = outcome.kind == "advice"
        (self.record.advised if advises else self.record.outcomes).append(outcome)
        self.progress.note(outcome)

    def _break(self, reason: str) -> None:
        """End the run: what it finds can no longer be kept."""
        self.broken = reason
        for name in ("session", "dsession"):
            part = self.config.pluginmanager.get_plugin(name)
            if part is not None:
                part.shouldstop = reason

    def _so_far(self) -> dict[str, Any]:
        if self.opened is not None:
            self.opened.drain()
        return self.record.document(
            self.record.result(SO_FAR),
            requests=requests(self.folder),
            turns=sum(self.record.ledger.spent().values()),
            partial=True,
            pictures=pictures(self.folder),
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fold the journal's rules and every outcome, write the report, set the exit status."""
        if self.opened is None:
            return
        self.interruption.hold_off()
        interrupted = exitstatus == INTERRUPTED
        self.opened.rig.conversations.close(wait=not interrupted)
        self.progress.end()
        try:
            self.opened.drain()
        except JournalUnwritable as error:
            self.broken = self.broken or str(error)
        if self._nothing_selected(exitstatus):
            self._leave_no_report(session)
            return
        ran = self._fold_rules()
        self.result = self.record.result(self._why_unfinished(interrupted=interrupted))
        stopped = bool(session.shouldstop or session.shouldfail or self.broken)
        partial = interrupted or stopped or bool(self.record.untried())
        self._settle(self.result, partial=partial)
        if ran and not self.broken:
            self.known.report(self.config)
        self._write(
            self.record.document(
                self.result,
                requests=self.tally.requests,
                turns=self.tally.turns,
                partial=partial,
                pictures=pictures(self.folder),
                latency=self.tally.latency.to_json(),
                baseline=self.known.to_json(),
            )
        )
        session.exitstatus = self._exit_status(exitstatus)
        self.opened.close()

    def _fold_rules(self) -> bool:
        """Add the outcomes of the rules, and tell them and what was found before the first check.

        Returns:
            whether there is any outcome at all.
        """
        rules, self.tally = fold_journal(
            self.folder / JOURNAL,
            self.settings,
            about=self.record.about,
            blocked=self.record.blocked,
        )
        ran = bool(self.record.outcomes or rules)
        self.record.outcomes += map(self.known.baseline.marked, rules)
        if ran and not self.broken:
            for outcome in self.record.outcomes:
                if outcome.kind in {"finding", "rule"}:
                    reporting.report(self.config, outcome, self._told)
        return ran

    def _settle(self, result: Result, *, partial: bool) -> None:
        """See what became of the known failures; a run that broke off rewrites no baseline."""
        fault = any(it.error for it in result.outcomes)
        renew = not (partial or fault or self.broken)
        try:
            self.known.settle(
                result.outcomes, about=self.record.about, whole=not partial, renew=renew
            )
        except OSError as error:
            self.broken = f"{self.known.path} cannot be written: {error.strerror or error}"

    def _nothing_selected(self, exitstatus: int) -> bool:
        if self.record.roster.selected or self.crashed or self.broken:
            return False
        ended = exitstatus in {0, FAILED} and bool(self.record.roster.deselected)
        return ended or exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED

    def _leave_no_report(self, session: pytest.Session) -> None:
        """Close a run that had nothing to check: a report of an earlier one says more."""
        assert self.opened is not None
        assert self.earlier is not None
        self.opened.close()
        by = selecting.told(self.config)
        self.unselected = (
            f"nothing was selected{f' by {by}' if by else ''} "
            "(pact-conformance requirements lists the ids)"
        )
        try:
            self.earlier.put_back()
        except OSError as error:
            self.unselected += f"; ERROR: {DiskFull(self.folder, error)}"
            session.exitstatus = INTERNAL

    def _told(self, outcome: Outcome) -> str:
        assert self.opened is not None
        return showing.failure(self.opened.rig, outcome, self.record.rows[outcome.requirements[0]])

    def _why_unfinished(self, *, interrupted: bool) -> str:
        """Return why something may not have been tried; empty if everything was."""
        if not self.record.untried() and not interrupted:
            return ""
        if self.broken:
            return f"the run stopped: {self.broken}"
        if self.crashed:
            return f"its process died before it was tried ({', '.join(self.crashed)})"
        return (
            "the run was interrupted before it" if interrupted else "the run was stopped before it"
        )

    def _write(self, built: dict[str, Any]) -> None:
        from pact_conformance.report import html  # noqa: PLC0415 - a template engine, needed last

        try:
            self.written = document.write(built, self.folder)
            html.write(built, self.folder, self.record.rows)
            self.built = built
        except OSError as error:
            self.broken = self.broken or str(DiskFull(self.folder, error))

    def _exit_status(self, exitstatus: int) -> int:
        """Return 2, 3, 1 or 0 by precedence; what pytest alone knows (4, 5) stays."""
        if self.broken:
            return INTERNAL
        if exitstatus not in {0, FAILED} or self.result is None:
            return exitstatus
        if any(it.error for it in (*self.result.outcomes, *self.record.advised)):
            return INTERNAL
        bad = any(it.verdict in FAILING and not it.known for it in self.result.outcomes)
        lacking = self.settings.complete and any(
            profile.verdict == "incomplete" for profile in self.result.profiles
        )
        wrong = bool(self.known.wrong)
        return FAILED if bad or lacking or wrong or exitstatus == FAILED else 0

    def pytest_unconfigure(self) -> None:
        """End what is left, now that every worker has ended."""
        self.close()
        self.record.ledger.close()
