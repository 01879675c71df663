"""The part of the plugin that runs where checks run: in every worker, or alone under no `-n`."""

import time
from collections.abc import Generator
from typing import Any

import pytest

from pact_conformance.rig import RIG, Rig
from pact_conformance.session import checks, showing
from pact_conformance.session.collection import CITED, cite
from pact_conformance.session.masking import masked
from pact_conformance.verdicts import Deviation, Notebook, Unsettled, notebook


class Checks:
    """Collects the checks, opens a notebook for each and puts its outcome on the test report."""

    def __init__(self, config: pytest.Config, rig: Rig) -> None:
        self.config = config
        self.rig = rig
        self.deselected: list[dict[str, Any]] = []
        config.stash[RIG] = rig

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Give every check its place for requirements and notes."""
        list(cite([item]))

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Remember what was not selected: it is untested, not unheard of."""
        for item in items:
            if CITED in item.stash:
                cited = item.stash[CITED]
                self.deselected.append(
                    {
                        "name": cited.name,
                        "case": cited.case,
                        "requirements": [row.id for row in cited.requirements],
                    }
                )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Open a notebook around a check, its fixtures included."""
        if CITED not in item.stash:
            return (yield)
        until = time.monotonic() + self.rig.settings.deadline
        with notebook(Notebook(until=until)) as book:
            item.stash[checks.NOTEBOOK] = book
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Turn what happened into a verdict, once, at the phase that decides it."""
        if CITED not in item.stash:
            return (yield)
        excinfo = call.excinfo
        if excinfo is not None and isinstance(excinfo.value, (Unsettled, Deviation)):
            # pytest would read the source of every frame, for a text that ours takes the place of.
            call.excinfo = None
        try:
            report = yield
        finally:
            call.excinfo = excinfo
        if self._decides(call):
            self._judge(item, call, report)
        self._mask(report)
        return report

    @staticmethod
    def _decides(call: pytest.CallInfo[None]) -> bool:
        """Say whether this phase gives the check its verdict: the call, or a setup that raised."""
        if call.excinfo is None:
            return call.when == "call"
        interrupted = isinstance(call.excinfo.value, (KeyboardInterrupt, pytest.exit.Exception))
        return call.when != "teardown" and not interrupted

    def _judge(
        self, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport
    ) -> None:
        outcome = masked(checks.judge(item, call, strict=self.rig.settings.strict), self.rig.mask)
        report.outcome = checks.PYTEST_OUTCOME[outcome.verdict]
        cited = item.stash[CITED]
        if report.outcome == "skipped":
            where = item.reportinfo()
            reason = f"{outcome.verdict}: {outcome.reason}"
            report.longrepr = (str(where[0]), where[1] or 0, reason)
            call.excinfo = None  # nothing for a debugger to look at
        elif report.outcome == "passed":
            report.longrepr = None
        elif not outcome.error:
            report.longrepr = showing.failure(self.rig, outcome, cited.requirements[0])
            # Wherever it showed, the check found it: pytest counts what a fixture raises as an error.
            report.when = "call"
        report.pact = outcome.to_json()  # type: ignore[attr-defined]
        report.user_properties += [("requirement", row.id) for row in cited.requirements]
        report.user_properties.append(("verdict", outcome.verdict))

    def _mask(self, report: pytest.TestReport) -> None:
        """Take secrets out of what pytest itself tells: a traceback, and what was printed."""
        if report.failed and not isinstance(report.longrepr, str):
            report.longrepr = self.rig.mask.apply(str(report.longrepr))
        report.sections = [(name, self.rig.mask.apply(said)) for name, said in report.sections]

    def pytest_sessionfinish(self) -> None:
        """In a worker, hand the controller what it cannot see and close what is open."""
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["pact_deselected"] = self.deselected
            self.rig.close()
