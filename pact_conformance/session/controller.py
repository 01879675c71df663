"""The part of the plugin that runs once: settings, counterparts, preflight, verdicts, files."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.catalogue import load as load_catalogue
from pact_conformance.report import document, folding, text
from pact_conformance.report.journal_rules import Tally, fold_journal
from pact_conformance.report.outcome import Outcome
from pact_conformance.rig import Rig
from pact_conformance.session import opening, showing
from pact_conformance.session.checks import PYTEST_OUTCOME
from pact_conformance.settings import Settings
from pact_conformance.subject.plan import Plan

INTERRUPTED, INTERNAL, FAILED = 2, 3, 1


class Controller:
    """Opens the run, gathers what the checks found, and closes it with a report."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self.config = config
        self.settings = settings
        self.folder: Path = config.invocation_params.dir / settings.report
        self.started = time.time()
        self.outcomes: list[Outcome] = []
        self.plan = Plan()
        self.opened: opening.Opened | None = None
        self.decided: tuple[folding.Decided, ...] = ()
        self.profiles: tuple[folding.Profile, ...] = ()
        self.rows = load_catalogue()
        self.tally = Tally()
        self.written: Path | None = None

    def open(self) -> Rig:
        """Start what the run needs and look at the subject; return the rig for this process.

        Raises:
            pytest.UsageError: a setting that only now turns out bad, or reports cannot be written.
        """
        self.opened = opening.Opened(self.settings, self.folder)
        self.plan = self.opened.plan
        finding = self.plan.preflight.finding
        if finding is not None:
            self.outcomes.append(
                Outcome(
                    name=finding.id.replace("-", "_"),
                    case="",
                    requirements=(finding.requirement,),
                    verdict=finding.verdict,
                    expected=finding.expected,
                    got=finding.got,
                    do=finding.do,
                    exchanges=finding.exchanges,
                    kind="finding",
                )
            )
        return self.opened.rig

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:  # noqa: ANN401 - xdist's WorkerController
        """Hand a worker the plan, over the pipe."""
        node.workerinput["pact_plan"] = self.plan.to_text()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:  # noqa: ANN401 - xdist's
        """Take over what a worker deselected; all workers collect the same."""
        del error
        self._deselected(getattr(node, "workeroutput", {}).get("pact_deselected", []))

    def _deselected(self, records: Iterable[dict[str, Any]]) -> None:
        known = {(outcome.name, outcome.case) for outcome in self.outcomes}
        for record in records:
            if (record["name"], record["case"]) not in known:
                self.outcomes.append(
                    Outcome(
                        record["name"],
                        record["case"],
                        tuple(record["requirements"]),
                        "untested",
                        reason="not selected",
                        do="select it, or run the whole suite",
                        kind="deselected",
                    )
                )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the outcome off a test report, wherever it was made."""
        record = getattr(report, "pact", None)
        if record is not None and record.get("kind") == "check":
            self.outcomes.append(Outcome.from_json(record))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fold the journal's rules and every outcome, write the report, set the exit status."""
        if self.opened is None:
            return
        self.opened.rig.conversations.close(wait=exitstatus != INTERRUPTED)
        checks = self.config.pluginmanager.get_plugin("pact_checks")
        self._deselected(getattr(checks, "deselected", []))
        rules, self.tally = fold_journal(
            self.folder / opening.JOURNAL,
            self.settings,
            blocked=self.plan.preflight.finding is not None,
        )
        self.outcomes += rules
        ran = any(outcome.kind != "deselected" for outcome in self.outcomes)
        if ran:
            for outcome in self.outcomes:
                if outcome.kind in {"finding", "rule"}:
                    self._report(outcome)
        self._fold()
        partial = exitstatus == INTERRUPTED or bool(session.shouldstop or session.shouldfail)
        self._write(partial=partial)
        session.exitstatus = self._exit_status(exitstatus)
        self.opened.close()

    def _fold(self) -> None:
        blocked = self.plan.preflight.finding
        finding = None if blocked is None else blocked.id
        self.decided = folding.fold(self.rows, self.outcomes, role="provider", finding=finding)
        delegated = self.opened is not None and self.opened.delegated
        names = ("identity", "delegated") if delegated else ("identity",)
        if not delegated:
            self.decided = tuple(it for it in self.decided if it.requirement.profile == "identity")
        self.profiles = tuple(folding.profile(name, self.decided) for name in names)

    def _report(self, outcome: Outcome) -> None:
        """Make a finding or a rule one test report, as if a check had found it."""
        row = self.rows[outcome.requirements[0]]
        longrepr: Any = None
        result = PYTEST_OUTCOME[outcome.verdict]
        if result == "skipped":
            longrepr = ("journal", 0, f"{outcome.verdict}: {outcome.reason}")
        elif result == "failed" and self.opened is not None:
            longrepr = showing.failure(self.opened.rig, outcome, row)
        node = f"{outcome.kind}::{outcome.name}"
        location = (node, None, outcome.name)
        report = pytest.TestReport(
            nodeid=node,
            location=location,
            keywords={},
            outcome=result,
            longrepr=longrepr,
            when="call",
            user_properties=[("requirement", row.id), ("verdict", outcome.verdict)],
        )
        report.pact = outcome.to_json()  # type: ignore[attr-defined]
        hook = self.config.hook
        hook.pytest_runtest_logstart(nodeid=node, location=location)
        for when in ("setup", "call", "teardown"):
            phase = report if when == "call" else _quiet(node, location, when)
            hook.pytest_runtest_logreport(report=phase)
        hook.pytest_runtest_logfinish(nodeid=node, location=location)

    def _write(self, *, partial: bool) -> None:
        finding = self.plan.preflight.finding
        run = document.Run(
            started=self.started,
            finished=time.time(),
            partial=partial,
            subjects=({"role": "provider", "card": self.plan.preflight.card_url},),
            requests=self.tally.requests,
            turns=self.tally.turns,
            findings=() if finding is None else (_finding(finding),),
        )
        built = document.build(self.rows, run, self.decided, self.profiles)
        self.written = document.write(built, self.folder)
        from pact_conformance.report import html  # noqa: PLC0415 - a template engine, needed last

        html.write(built, self.folder, self.rows)

    def _exit_status(self, exitstatus: int) -> int:
        """Return 2, 3, 1 or 0 by precedence; what pytest alone knows (4, 5) stays."""
        if exitstatus not in {0, FAILED}:
            return exitstatus
        if any(outcome.error for outcome in self.outcomes):
            return INTERNAL
        bad = any(outcome.verdict in {"failed", "inconclusive"} for outcome in self.outcomes)
        lacking = self.settings.complete and any(
            profile.verdict == "incomplete" for profile in self.profiles
        )
        return FAILED if bad or lacking or exitstatus == FAILED else 0

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:  # noqa: ANN401 - pytest's
        """Say the verdict, what is amiss, what to set and what it cost."""
        if self.written is None:
            return
        write = terminalreporter.write_line
        terminalreporter.section("PACT 1.0 conformance")
        write(f"subject    {text.harmless(self.plan.preflight.card_url)}")
        for line in text.summary(self.decided, self.profiles, self.outcomes):
            write(line)
        cost = f"{self.tally.requests} requests, {self.tally.turns} turns of the Brand's agent"
        write(f"cost       {cost}")
        write(f"report     {self.written.with_name('report.html')}")
        write(f"           {self.written} and {opening.JOURNAL} beside it hold everything")


def _finding(finding: Any) -> dict[str, Any]:  # noqa: ANN401 - a preflight's finding
    from dataclasses import asdict  # noqa: PLC0415

    return asdict(finding)


def _quiet(node: str, location: tuple[str, None, str], when: Any) -> pytest.TestReport:  # noqa: ANN401
    return pytest.TestReport(
        nodeid=node, location=location, keywords={}, outcome="passed", longrepr=None, when=when
    )
