"""What a run found, as results for Allure: where allure-pytest is there and `--alluredir` given.

What allure-pytest makes of a test by itself knows no verdicts and no exchanges, and quotes what
fixtures raise and checks print as it is, secrets and all. So it does not watch in a run of ours; a
test beside the suite that cites nothing has no result either.

The process that controls the run writes in its place, of the same masked outcomes as the report. So
a result is the same however many processes checked, and a check whose process died has one, too.
Rules and findings come the way of the checks, as test reports. All is written at the end, for a
process of `-n` that starts later empties the folder under `--clean-alluredir`.

Only where results are wanted is this module imported: the suite runs without Allure.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from allure_commons.model2 import Label, Parameter, StatusDetails, TestResult
from allure_commons.reporter import AllureReporter
from allure_commons.types import AttachmentType
from allure_commons.utils import host_tag, now, platform_label, uuid4

from pact_conformance.catalogue import Catalogue, Requirement
from pact_conformance.journal.exchange import Exchange
from pact_conformance.report import allure, exchanges
from pact_conformance.report.outcome import Outcome

INTERNAL = 3


@dataclass(frozen=True)
class _Told:
    outcome: Outcome
    start: int
    stop: int
    process: str


class Results:
    """Gathers the outcomes of a run and writes them at its end, attachments and all.

    Args:
        rows: the requirements.
        journal: where the exchanges are.
    """

    def __init__(self, rows: Catalogue, journal: Path) -> None:
        self._rows = rows
        self._journal = journal
        self._told: list[_Told] = []
        self._error = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the outcome off a test report: of a check, a rule or a finding."""
        record = getattr(report, "pact", None)
        for it in (record, *getattr(report, "pact_causes", ())):
            if it is None or it.get("advice"):
                continue  # advice decides nothing
            self._told.append(
                _Told(
                    Outcome.from_json(it),
                    start=round(report.start * 1000) or now(),
                    stop=round(report.stop * 1000) or now(),
                    process=getattr(report, "worker_id", "main"),
                )
            )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the results, now that the rules are folded."""
        try:
            self._write()
        except OSError as error:
            self._error = f"Allure's results cannot be written: {error.strerror or error}"
            session.exitstatus = INTERNAL

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say so if there are no results, or not all."""
        if self._error:
            terminalreporter.write_line(f"ERROR: {self._error}")

    def _write(self) -> None:
        wanted = {it for told in self._told for it in allure.attached(told.outcome)}
        picked = exchanges.pick(self._journal, wanted)
        reporter = AllureReporter()
        for told in self._told:
            result = _result(told, [self._rows[it] for it in told.outcome.requirements])
            reporter.schedule_test(result.uuid, result)
            for id_ in allure.attached(told.outcome):
                if id_ in picked:
                    _attach(reporter, result.uuid, picked[id_])
            reporter.close_test(result.uuid)


def _result(told: _Told, rows: list[Requirement]) -> TestResult:
    outcome = told.outcome
    name = outcome.name.replace("_", " ")
    return TestResult(
        uuid=uuid4(),
        name=f"{name} [{outcome.case}]" if outcome.case else name,
        fullName=f"{rows[0].id}: {name}",
        historyId=allure.history_id(outcome, rows[0]),
        testCaseId=allure.history_id(replace(outcome, case=""), rows[0]),
        titlePath=[it["value"] for it in allure.labels(outcome, rows[0])[:3]],
        description=allure.description(rows),
        parameters=[Parameter(name="case", value=outcome.case)] if outcome.case else [],
        status=allure.status(outcome),
        statusDetails=StatusDetails(known=bool(outcome.known), **allure.details(outcome)),
        labels=[Label(name=label, value=value) for label, value in _labels(told, rows)],
        start=told.start,
        stop=told.stop,
    )


def _labels(told: _Told, rows: list[Requirement]) -> Iterator[tuple[str, str]]:
    for label in allure.placed(told.outcome, rows):
        yield label["name"], label["value"]
    yield "host", host_tag()
    yield "thread", told.process
    yield "framework", "pytest"
    yield "language", platform_label()


def _attach(reporter: AllureReporter, uuid: str, exchange: Exchange) -> None:
    title, text = allure.attachment(exchanges.show(exchange))
    reporter.attach_data(
        uuid4(), text, name=title, attachment_type=AttachmentType.TEXT, parent_uuid=uuid
    )
