"""The failures of a run in full, above its summary: each once, however many cases show it.

pytest would tell every case, and every one again in a line at the end; with a hundred of them
nobody finds the verdict. What it tells of tests that are not ours it goes on telling.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

import pytest

from pact_conformance.report.text import paragraph
from pact_conformance.session.writing import Lines

# So many are told in full; under -v all are.
MOST = 20
# So many cases are named besides the one that is told.
MOST_CASES = 8

# Stands in a line for the shell where a token belongs.
VARIABLE = "$PA_JWT"

# What pytest reports with at its end by default; a tester who asks for more has it.
_USUAL = "fE"


class Failures:
    """Tells what failed in place of pytest."""

    def __init__(self, config: pytest.Config, lines: Lines) -> None:
        self._config = config
        self._lines = lines
        self.to_sign = False
        """Whether a line for the shell was told that wants a token of the tester's."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, None, None]:
        """Tell ours, and let pytest tell the others."""
        failed = terminalreporter.stats.get("failed", [])
        ours = [it for it in failed if is_ours(it)]
        if ours and self._config.option.tbstyle != "no":
            self._tell(terminalreporter, ours)
        hidden = self._config.option.reportchars == _USUAL
        if ours:
            kept = [it for it in failed if it not in ours]
            terminalreporter.stats["failed"] = kept if hidden else failed
        style = self._config.option.tbstyle
        if not hidden:
            self._config.option.tbstyle = "no"  # the lines at the end alone
        try:
            return (yield)
        finally:
            self._config.option.tbstyle = style
            if ours:
                terminalreporter.stats["failed"] = failed

    def _tell(
        self, terminalreporter: pytest.TerminalReporter, ours: Sequence[pytest.TestReport]
    ) -> None:
        terminalreporter.section("FAILURES")
        groups = _grouped(ours)
        most = len(groups) if self._config.get_verbosity() > 0 else MOST
        for group in groups[:most]:
            self._lines.write("")
            for line in _told(group):
                self._lines.write(line)
                self.to_sign = self.to_sign or VARIABLE in line
        left = len(groups) - most
        if left > 0:
            self._lines.write("")
            self._lines.write(f"… and {left} more, told in full in the report (-v tells them here)")


def is_ours(report: pytest.TestReport) -> bool:
    """Say whether a report has its whole text from us; a fault of the suite has a traceback."""
    return isinstance(report.longrepr, str) and not _pact(report).get("error")


def _pact(report: pytest.TestReport) -> dict[str, Any]:
    return getattr(report, "pact", None) or {}


def _grouped(reports: Iterable[pytest.TestReport]) -> list[list[pytest.TestReport]]:
    groups: dict[tuple[object, ...], list[pytest.TestReport]] = {}
    for report in reports:
        pact = _pact(report)
        alone = "" if pact.get("kind") == "check" else report.nodeid
        same = (*pact.get("requirements", ()), pact.get("name"), pact.get("verdict"), alone)
        groups.setdefault(same, []).append(report)
    return list(groups.values())


def _told(group: Sequence[pytest.TestReport]) -> Iterator[str]:
    first, *others = group
    # The last lines are for the shell, and belong to the case above.
    yield from str(first.longrepr).splitlines()
    if others:
        cases = [str(_pact(it).get("case", "")) for it in others]
        more = f" and {len(cases) - MOST_CASES} more" if len(cases) > MOST_CASES else ""
        yield paragraph("also", f"{', '.join(cases[:MOST_CASES])}{more}")
