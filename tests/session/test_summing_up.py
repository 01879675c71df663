"""What a run leaves for others: badges, a summary, annotations."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pact_conformance.session.summing_up import SummingUp
from tests.plugin.suite import run
from tests.report import making


def ended(
    folder: Path, summary: Path | None = None, **environment: str
) -> tuple[list[str], int | None]:
    """What is told at the end of a run, and the exit status if it changes."""
    summing_up = SummingUp(making.built, folder, summary, environment)
    session: Any = SimpleNamespace(exitstatus=None)
    summing_up.pytest_sessionfinish(session)
    lines: list[str] = []
    terminal: Any = SimpleNamespace(write_line=lines.append)
    summing_up.pytest_terminal_summary(terminal)
    return lines, session.exitstatus


def test_in_github_actions_a_run_sums_up_on_the_page_and_annotates(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Before\n", encoding="utf-8")

    done = run(
        *("-k", "2.1-jwt-scheme", "--pact-mock-flaws=declares-an-api-key"),
        folder=tmp_path / "report",
        environment={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(page)},
    )

    assert done.code == 1, done.output
    assert page.read_text(encoding="utf-8").startswith("# Before\n## PACT 1.0 conformance\n")
    (line,) = [it for it in done.output.splitlines() if it.startswith("::")]
    assert line.startswith("::error title=PACT 2.1-jwt-scheme failed")
    assert (tmp_path / "report" / "badges" / "identity.svg").is_file()


def test_elsewhere_nothing_is_annotated(tmp_path: Path) -> None:
    assert ended(tmp_path) == ([], None)


def test_the_summary_goes_to_the_file_that_was_named(tmp_path: Path) -> None:
    file = tmp_path / "made" / "summary.md"

    assert ended(tmp_path, file) == ([], None)
    assert file.read_text(encoding="utf-8").startswith("## PACT 1.0 conformance\n")


@pytest.mark.parametrize("how", ["option", "variable"])
def test_a_summary_that_cannot_be_written_is_told_and_is_no_success(
    how: str, tmp_path: Path
) -> None:
    given = {"GITHUB_STEP_SUMMARY": str(tmp_path)} if how == "variable" else {}

    lines, status = ended(tmp_path, tmp_path if how == "option" else None, **given)

    assert [line.endswith("cannot be written: Is a directory") for line in lines] == [True]
    assert status == 3
