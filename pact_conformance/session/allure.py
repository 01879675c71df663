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
from typing import Final

import pytest
from allure_commons.model2 import Label, Parameter, StatusDetails, TestResult
from allure_commons.reporter import AllureReporter
from allure_commons.types import AttachmentType
from allure_commons.utils import host_tag, now, platform_label, uuid4

from pact_conformance.catalogue import Catalogue, Requirement
from pact_conformance.journal.exchange import Exchange
from pact_conformance.report import allure, exchanges
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.text import harmless

# The last exchanges of a check are those that decided it; the report has all.
MOST_EXCHANGES = 5

INTERNAL = 3

# Allure's tree of suites is that of files; ours is where the statements stand.
_SUITES: Final = {"epic": "parentSuite", "feature": "suite", "story": "subSuite"}


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
        if record is not None:
            self._told.append(
                _Told(
                    Outcome.from_json(record),
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
        wanted = {it for told in self._told for it in _attached(told.outcome)}
        picked = exchanges.pick(self._journal, wanted)
        reporter = AllureReporter()
        for told in self._told:
            result = _result(told, [self._rows[it] for it in told.outcome.requirements])
            reporter.schedule_test(result.uuid, result)
            for id_ in _attached(told.outcome):
                if id_ in picked:
                    _attach(reporter, result.uuid, picked[id_])
            reporter.close_test(result.uuid)


def _attached(outcome: Outcome) -> tuple[str, ...]:
    return outcome.exchanges[-MOST_EXCHANGES:]


def _result(told: _Told, rows: list[Requirement]) -> TestResult:
    outcome = told.outcome
    name = outcome.name.replace("_", " ")
    labels = dict.fromkeys(_labels(told, rows))
    return TestResult(
        uuid=uuid4(),
        name=f"{name} [{outcome.case}]" if outcome.case else name,
        fullName=f"{rows[0].id}: {name}",
        historyId=allure.history_id(outcome, rows[0]),
        testCaseId=allure.history_id(replace(outcome, case=""), rows[0]),
        titlePath=[value for label, value in labels if label in _SUITES],
        description="\n\n".join(f"§{it.section} ({it.level}): {it.statement}" for it in rows),
        parameters=[Parameter(name="case", value=outcome.case)] if outcome.case else [],
        status=allure.status(outcome),
        statusDetails=_details(outcome),
        labels=[Label(name=label, value=value) for label, value in labels],
        start=told.start,
        stop=told.stop,
    )


def _details(outcome: Outcome) -> StatusDetails:
    """Say the verdict first: Allure has fewer statuses, and sorts by how a message begins."""
    message, trace = (allure.details(outcome)[name] for name in ("message", "trace"))
    if message != outcome.verdict:
        message = f"{outcome.verdict}: {message}"
    return StatusDetails(known=bool(outcome.known), message=message, trace=trace)


def _labels(told: _Told, rows: list[Requirement]) -> Iterator[tuple[str, str]]:
    for row in rows:
        for label in allure.labels(told.outcome, row):
            yield label["name"], label["value"]
            if label["name"] in _SUITES and row is rows[0]:  # a result has one place in that tree
                yield _SUITES[label["name"]], label["value"]
    yield "host", host_tag()
    yield "thread", told.process
    yield "framework", "pytest"
    yield "language", platform_label()


def _attach(reporter: AllureReporter, uuid: str, exchange: Exchange) -> None:
    shown = exchanges.show(exchange)
    parts = {
        "for": shown.purpose,
        "with": ": ".join(it for it in (shown.credentials, shown.token) if it),
        "request": shown.request,
        "answer": shown.answer or shown.outcome,
        "again": shown.curl,
    }
    said = [f"{label}\n{text}" for label, text in parts.items() if text]
    reporter.attach_data(
        uuid4(),
        harmless("\n\n".join(said)),
        name=harmless(f"{shown.id}: {shown.method} {shown.operation} → {shown.outcome}"),
        attachment_type=AttachmentType.TEXT,
        parent_uuid=uuid,
    )
