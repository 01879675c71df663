"""What a run tells at the terminal: how it goes on, and in the end what it found.

pytest's own letters and file names say little here: a check that passes needs none, and one that
fails is told. They come back with -v.
"""

import shutil
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from pact_conformance.report import fitting, fuzzed, sections, summary, text
from pact_conformance.session import planning
from pact_conformance.session.display import Display
from pact_conformance.session.failures import VARIABLE, Failures
from pact_conformance.session.folder import JOURNAL
from pact_conformance.session.roster import Entry
from pact_conformance.session.writing import Lines
from pact_conformance.subject.turns import FUZZING

if TYPE_CHECKING:
    from pact_conformance.session.controller import Controller

# Where the output is no terminal, a summary is this long.
_USUAL_LINES = 40

# Lines around the summary: pytest's last one, and the prompt.
_AROUND = 3

# So many failures are told as they come.
_AS_THEY_COME = 20


class Telling:
    """Tells how a run goes on and what it found.

    Args:
        config: of the run.
        controller: knows.
        display: shows how it goes on.
        failures: have been told before the summary.
        lines: writes what stays.
    """

    def __init__(
        self,
        config: pytest.Config,
        controller: "Controller",
        display: Display,
        failures: Failures,
        lines: Lines,
    ) -> None:
        self._config = config
        self._controller = controller
        self._display = display
        self._failures = failures
        self._lines = lines
        self._told: set[str] = set()
        self._entries: dict[str, Entry] = {}

    @property
    def _verbose(self) -> bool:
        return self._config.get_verbosity() > 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Keep pytest from writing file names and percents, which have no letters to go with."""
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None and not self._verbose:
            reporter.showfspath = False
            reporter._show_progress_info = False  # noqa: SLF001 - it has no other way to be told

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(
        self, report: pytest.TestReport
    ) -> Generator[None, tuple[str, str, Any], tuple[str, str, Any]]:
        """Leave out the letter of what is ours."""
        status = yield
        is_ours = hasattr(report, "pact")
        return (status[0], "", "") if is_ours and not self._verbose else status

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Generator[None, Any, Any]:
        """Show how the checks go on."""
        if not self._verbose:
            self._display.open()
        try:
            return (yield)
        finally:
            self._display.close()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Take note of what is tested."""
        entry = self._entry(nodeid)
        if entry is None:
            return
        state = self._display.state
        if entry.advice:
            state.section = "hardening"
            state.begin(entry.name.replace("_", " "))
            return
        row = self._controller.record.rows[entry.requirements[0]]
        state.section = sections.title(row.section)
        if row.role != "provider":
            state.section += f" ({sections.role(row.role)})"
        state.begin(entry.name.replace("_", " "))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what has been decided, and tell of a failure as it comes."""
        pact = getattr(report, "pact", None) or {}
        state = self._display.state
        if pact.get("kind") in {"check", "advice"}:
            state.total = len(self._controller.record.roster.selected)
            state.done += 1
        amiss = {"failed"} if pact.get("kind") == "advice" else {"failed", "inconclusive"}
        if pact.get("verdict") in amiss and not pact.get("known"):
            state.failed += 1
            self._tell_of(pact)
        line = self._display.beat()
        if line:
            self._lines.write(line)

    def _tell_of(self, pact: dict[str, Any]) -> None:
        cited = pact.get("advice") or pact["requirements"][0]
        if self._verbose or cited in self._told or len(self._told) >= _AS_THEY_COME:
            return
        self._told.add(cited)
        case = f" [{pact['case']}]" if pact["case"] else ""
        name = pact["name"].replace("_", " ")
        self._display.say(f"  {pact['verdict']:<13}{cited}: {name}{case}")

    def _entry(self, nodeid: str) -> Entry | None:
        selected = self._controller.record.roster.selected
        if len(self._entries) != len(selected):
            self._entries = {it.node: it for it in selected}
        return self._entries.get(nodeid)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:  # noqa: ANN401 - pytest's
        """Say the verdict, what is amiss, what to set and what it cost, on one screen."""
        controller, write = self._controller, self._lines.write
        if controller.unselected:
            write(controller.unselected)
        if controller.result is None:
            return
        write("")
        terminalreporter.section("PACT 1.0 conformance")
        if controller.broken:
            write(f"ERROR: {controller.broken}; the report there is of before, and partial")
            return
        head, foot = list(self._head()), list(self._foot())
        room = None if self._verbose else _lines() - len(head) - len(foot) - _AROUND
        result = controller.result
        blocks = [*summary.blocks(result.decided, result.outcomes), self._besides()]
        blocks += [self._advice()]
        for line in (*head, *fitting.fitted(blocks, room, text.WIDTH), *foot):
            write(line)

    def _head(self) -> Generator[str, None, None]:
        result = self._controller.result
        assert result is not None
        for role, name in self._controller.record.subjects:
            yield f"{sections.role(role)}  {name or '(none was found)'}"
        yield from summary.head(result.profiles, result.outcomes)
        if self._hardening is not None:
            # Few runs have it.
            from pact_conformance.report import hardening  # noqa: PLC0415

            yield hardening.headline(self._hardening)

    def _advice(self) -> fitting.Block:
        """Return what is told of advice; nothing in runs without the hardening pack."""
        if self._hardening is None:
            return fitting.Block((), str)
        # Few runs have it.
        from pact_conformance.report import hardening  # noqa: PLC0415

        return hardening.block(self._hardening)

    @property
    def _hardening(self) -> Mapping[str, Any] | None:
        """What the hardening pack found; None in runs without it."""
        return (self._controller.built or {}).get("hardening")

    def _besides(self) -> fitting.Block:
        """Return what is told besides the verdicts."""
        controller = self._controller
        assert controller.result is not None
        said = [*fuzzed.summary(controller.result.outcomes)]
        said += [text.paragraph(label, it) for label, it in controller.known.told()]
        said += [
            text.paragraph("crashed", f"the process {worker}: {error}")
            for worker, error in controller.crashed.items()
        ]
        return fitting.Block(tuple(said), lambda count: f"  {'…':<13}and {count} more")

    def _foot(self) -> Generator[str, None, None]:
        controller = self._controller
        if self._failures.to_sign:
            yield from text.paragraph(VARIABLE, self._how_to_sign()).splitlines()
        yield f"cost       {self._cost()}"
        assert controller.written is not None
        yield f"report     {controller.written.with_name('report.html')}"
        yield f"           {controller.written} and {JOURNAL} beside it hold everything"

    def _how_to_sign(self) -> str:
        if self._controller.settings.embedded:
            return (
                "in the lines above: the built-in Provider has ended with the run; "
                "`pact-conformance serve provider` serves one, and says how to sign for it"
            )
        return (
            "in the lines above: export PA_JWT=$(pact-conformance token) is a good token; what was "
            "changed in a forged one is in the report"
        )

    def _cost(self) -> str:
        record, tally = self._controller.record, self._controller.tally
        requests = f"{tally.requests} requests"
        if not self._controller.settings.tests_provider:
            return requests  # the Brand's agent is the mock's
        ledger = record.ledger
        words = planning.compared(
            tally.turns,
            planned=ledger.planned,
            limit=ledger.limit,
            # What failed may have been a turn, and counts as one to the budget alone.
            fuzzed=min(tally.turns, ledger.spent().get(FUZZING, 0)),
        )
        user = summary.called(record.approvals, record.logins)
        agent = f", {tally.turns} turns of the Brand's agent{words}"
        return f"{requests}{agent}{user}"


def _lines() -> int:
    return shutil.get_terminal_size(fallback=(text.WIDTH, _USUAL_LINES)).lines


def writer(config: pytest.Config) -> Callable[[str], None]:
    """Return what writes a line where pytest writes."""

    def write(line: str) -> None:
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(line)

    return write
