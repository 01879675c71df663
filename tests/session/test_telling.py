"""What a run tells at the terminal: no letters, each failure once, a summary that fits a screen."""

import os
import pty
import re
import subprocess
import termios
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pact_conformance.report import folding, summary
from pact_conformance.report.fitting import fitted
from pact_conformance.report.text import WIDTH
from pact_conformance.session.failures import MOST, Failures
from pact_conformance.session.writing import Lines
from tests.plugin.suite import CHECKOUT, command, run, shell
from tests.report.making import CATALOGUE, FAILED
from tests.session.subjects import brand, mock_behind, settings
from tests.subject.servers import Reply, Request

FLAWS = "--pact-mock-flaws=does-not-limit-the-lifetime,accepts-a-token-without-audience"
ERASE = "\x1b[2K"


def test_a_run_tells_failures_once_and_then_the_verdict(tmp_path: Path) -> None:
    ended = run(FLAWS, "-k", "3.2-exp-lifetime or 3.2-aud", folder=tmp_path)

    assert ended.code == 1, ended.output
    assert "test_3_2_personal_agent_jwt.py" not in ended.output
    assert "%]" not in ended.output
    assert "short test summary" not in ended.output
    assert ended.output.count("3.2-exp-lifetime  a forged token is refused [") == 1
    also = re.findall(r"^  also +(.+)$", ended.output, re.MULTILINE)
    assert [len(it.split(", ")) for it in also] == [4]
    before, _, after = ended.output.partition("= PACT 1.0 conformance =")
    assert "FAILURES" in before
    assert "PACT Identity: NOT CONFORMANT (2 failed" in after


def test_letters_and_names_come_back_where_more_is_asked_for(tmp_path: Path) -> None:
    ended = run("-vv", "-k", "3.2-aud", folder=tmp_path)

    assert "test_a_forged_token_is_refused[aud-missing] PASSED" in ended.output


def at_a_terminal(lines: int, arguments: list[str], environment: dict[str, str]) -> str:
    """What a run writes at a terminal of so many lines."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (lines, 100))
    started = subprocess.Popen(
        arguments, cwd=CHECKOUT, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            block = os.read(ours, 1 << 16)
        except OSError:  # the other side has closed
            break
        if not block:
            break
        written += block
    os.close(ours)
    started.wait(60)
    return written.decode()


def test_at_a_terminal_it_shows_where_it_is_and_the_summary_fits(tmp_path: Path) -> None:
    def hostile(request: Request, reply: Reply) -> Reply:
        if request.path.endswith("tasks"):
            return Reply(
                200, b'{"tasks": "\\u001b]0;owned\\u0007 \x9b31m \xe2\x80\xae ::add-mask::x"}'
            )
        return reply

    with mock_behind(hostile) as server:
        environment = shell({**settings(brand(server)), "TERM": "xterm", "GITHUB_ACTIONS": "true"})
        environment.pop("CI", None)
        arguments = [it for it in command("-k", "2.2", folder=tmp_path) if it != "-q"]
        text = at_a_terminal(24, [*arguments, "--color=no"], environment)

    assert " checks · " in text
    assert "2.2 Operations" in text
    assert text.count("\x1b") == text.count(ERASE), "no escape but our own"
    assert "\x07" not in text
    assert "\u202e" not in text
    lines = text.replace("\r\n", "\n").splitlines()
    commands = [it for it in lines if it.lstrip().startswith("::")]
    assert {it.partition(" ")[0] for it in commands} <= {"::error", "::warning"}
    begin = next(n for n, it in enumerate(lines) if "= PACT 1.0 conformance =" in it)
    assert len(lines) - begin <= 24, text


def test_a_hundred_failures_fit_a_screen_the_worst_first() -> None:
    rows = [it for it in CATALOGUE.requirements.values() if it.role == "provider"]
    rows = sorted(rows, key=lambda it: it.level)[-100:]  # SHOULDs come in between
    outcomes = [replace(FAILED, requirements=(row.id,)) for row in rows]
    decided = folding.fold(CATALOGUE, outcomes, role="provider")

    lines = fitted(summary.blocks(decided, outcomes), 20, WIDTH)

    assert len(lines) == 20
    assert max(map(len, lines)) <= WIDTH
    failed = [it for it in lines if it.startswith("  failed ")]
    levels = [CATALOGUE[it.split()[1].rstrip(":")].level for it in failed[:-1]]
    assert levels == sorted(levels), "MUST before SHOULD"
    assert re.match(r"  failed +… and \d+ more, in the report: §", failed[-1])


class Reporter:
    """pytest's reporter, as far as it is asked."""

    def __init__(self, reports: list[Any]) -> None:
        self.stats = {"failed": reports}
        self.sections: list[str] = []

    def section(self, title: str) -> None:
        self.sections.append(title)


def told(reports: list[Any], **option: Any) -> tuple[list[str], list[Any]]:  # noqa: ANN401
    """The lines of ours, and what is left to pytest to tell."""
    lines: list[str] = []
    options = SimpleNamespace(**{"tbstyle": "auto", "reportchars": "fE", **option})
    config: Any = SimpleNamespace(option=options, get_verbosity=lambda: 0)
    reporter: Any = Reporter(reports)
    telling = Failures(config, Lines(lines.append, {})).pytest_terminal_summary(reporter)
    next(telling)
    left = list(reporter.stats["failed"])
    with pytest.raises(StopIteration):
        next(telling)
    assert reporter.stats["failed"] == reports, "the counts at the end are pytest's"
    return lines, left


def report(number: int, *, error: bool = False, case: str = "") -> Any:  # noqa: ANN401
    pact = {
        "requirements": [f"3.2-{number}"],
        "name": "x",
        "verdict": "failed",
        "kind": "check",
        "case": case,
        "error": error,
    }
    return SimpleNamespace(longrepr=f"failure {number}{case}", pact=pact, nodeid=str(number))


def test_many_failures_are_told_up_to_a_bound_and_counted() -> None:
    lines, left = told([report(it) for it in range(MOST + 7)])

    assert [it for it in lines if it.startswith("failure")] == [
        f"failure {it}" for it in range(MOST)
    ]
    assert lines[-1] == "… and 7 more, told in full in the report (-v tells them here)"
    assert left == []


def test_cases_are_told_by_the_first() -> None:
    lines, _ = told([report(1, case=name) for name in "abc"])

    assert lines == ["", "failure 1a", "  also         b, c"]


def test_pytest_tells_what_is_not_ours_and_faults_of_the_suite() -> None:
    fault = report(1, error=True)
    foreign = SimpleNamespace(longrepr=object(), nodeid="test_x.py::test_x")

    lines, left = told([fault, foreign, report(2)])

    assert left == [fault, foreign]
    assert lines == ["", "failure 2"]


def test_without_tracebacks_nothing_is_told_in_full() -> None:
    assert told([report(1)], tbstyle="no")[0] == []
