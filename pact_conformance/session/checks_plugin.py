"""The part of the plugin that runs where checks run: in every worker, or alone under no `-n`."""

import gc
import os
import time
from collections.abc import Callable, Generator
from dataclasses import astuple
from typing import Any, Literal

import pytest

from pact_conformance.fuzz.example import parse
from pact_conformance.report.baseline import Baseline
from pact_conformance.report.text import harmless
from pact_conformance.rig import RIG, Rig
from pact_conformance.session import checks, showing
from pact_conformance.session.checks import UNWRITABLE
from pact_conformance.session.collection import CITED, cite, kept, of_family, without_families
from pact_conformance.session.masking import masked
from pact_conformance.session.planning import planned
from pact_conformance.session.reporting import excuse, properties
from pact_conformance.session.roster import Roster, roster
from pact_conformance.verdicts import Deviation, Notebook, Unsettled, notebook

# What a process does: everything, its share, or the rest of the share of one that died.
Part = Literal["alone", "sharing", "replacing"]


class Checks:
    """Collects the checks, opens a notebook for each and puts its outcome on the test report."""

    def __init__(
        self,
        config: pytest.Config,
        rig: Rig,
        tell: Callable[[Roster], None],
        part: Part,
        baseline: Baseline,
    ) -> None:
        self.config = config
        self.rig = rig
        self._tell = tell
        self._part = part
        self._baseline = baseline
        self._deselected: list[pytest.Item] = []
        config.stash[RIG] = rig

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Give every check its place for requirements and notes."""
        list(cite([item]))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the checks of a profile that is not judged; they are nobody's to select."""
        settings = self.rig.settings
        whole = kept(items, self.rig.judged)
        fuzzes = bool(settings.fuzz or settings.example)
        items[:] = whole if fuzzes else without_families(whole)
        self._deselected += [item for item in whole if item not in set(items)]
        if settings.example is not None:
            family = parse(settings.example).family
            others = [item for item in items if not of_family(item, family)]
            items[:] = [item for item in items if of_family(item, family)]
            self.config.hook.pytest_deselected(items=others)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Remember what was not selected: it is untested, not unheard of."""
        self._deselected += items

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Tell the controller what there is to check, before xdist reports the collection."""
        self._tell(roster(session.items, self._deselected))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Set turns aside, and begin to talk where all checks are run here.

        A worker begins when the first of its checks asks: only one of them gets such checks. One
        that replaces it holds again just what is asked for; most of it may not be.
        """
        gc.freeze()  # what was imported and collected stays until the end
        collected = not session.testsfailed or self.config.option.continue_on_collection_errors
        # The controller of `-n` collects nothing, and plans nothing for others.
        if not session.items or not collected or self.rig.preflight.finding is not None:
            return
        _settle_environment()
        conversations = planned(session.items)
        if self._part == "alone":
            self.rig.conversations.start(conversations)
        else:
            when_needed = self._part == "sharing"
            self.rig.conversations.plan(conversations, when_needed=when_needed)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Open a notebook around a check, its fixtures included."""
        if CITED not in item.stash:
            return (yield)
        until = time.monotonic() + self.rig.settings.deadline
        cited = item.stash[CITED]
        fresh = Notebook(until=until, name=cited.name, hardening=cited.advice is not None)
        with notebook(fresh) as book:
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
        strict = self.rig.settings.strict
        unwritable = call.excinfo is not None and isinstance(call.excinfo.value, UNWRITABLE)
        causes = [
            self._baseline.marked(masked(it, self.rig.mask))
            for it in checks.causes(item, strict=strict)
        ]
        found = masked(checks.judge(item, call, strict=strict), self.rig.mask)
        outcome = checks.with_causes(self._baseline.marked(found), causes)
        report.outcome = checks.pytest_outcome(outcome, strict=strict)
        cited = item.stash[CITED]
        if report.outcome == "skipped":
            where = item.reportinfo()
            reason = harmless(f"{outcome.verdict}: {outcome.reason}")
            report.longrepr = (str(where[0]), where[1] or 0, reason)
            call.excinfo = None  # nothing for a debugger to look at
        elif report.outcome == "passed":
            report.longrepr = None
        elif not outcome.error:
            report.longrepr = (
                showing.failure(self.rig, outcome, cited.requirements[0], causes)
                if cited.advice is None
                else showing.advice(self.rig, outcome, cited.advice)
            )
            # Wherever it showed, the check found it; pytest counts what a fixture raises as error.
            report.when = "call"
        if unwritable:
            report.pact_broken = item.session.shouldstop = outcome.reason  # type: ignore[attr-defined]
        report.pact = outcome.to_json()  # type: ignore[attr-defined]
        report.pact_causes = [it.to_json() for it in causes]  # type: ignore[attr-defined]
        report.pact_called = astuple(self.rig.delegation.called)  # type: ignore[attr-defined]
        report.user_properties += properties(outcome)
        # JUnit's writer takes them off the report of the teardown, which is yet to be made.
        item.user_properties += properties(outcome)
        excuse(report, outcome)

    def _mask(self, report: pytest.TestReport) -> None:
        """Make harmless what pytest itself tells: a traceback, and what was printed.

        Secrets are taken out, and what a terminal would not take for text.
        """
        if report.failed and not isinstance(report.longrepr, str):
            report.longrepr = harmless(self.rig.mask.apply(str(report.longrepr)))
        report.sections = [
            (name, harmless(self.rig.mask.apply(said))) for name, said in report.sections
        ]

    def pytest_sessionfinish(self) -> None:
        """In a worker, close what is open; the controller closes after its report."""
        if self._part != "alone":
            self.rig.close()


def _settle_environment() -> None:
    """Give the variable that pytest sets for each check its place before there are threads.

    For a new one the C library may move the whole environment, and a thread that looks up a name
    reads it meanwhile, for settings of the resolver: the process would crash.
    """
    for name in {"PYTEST_CURRENT_TEST"} - os.environ.keys():
        os.environ[name] = ""
        del os.environ[name]
