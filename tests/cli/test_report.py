"""`report` sums up a report that was written before."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pact_conformance.cli import main
from tests.plugin.suite import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("report")
    run("-k", "2.1-card-schema", folder=made)
    return made


def test_it_writes_markdown(folder: Path) -> None:
    ended = CliRunner().invoke(main, ["report", str(folder)])

    assert ended.exit_code == 0
    assert ended.output.startswith("## PACT 1.0 conformance\n")
    assert ended.output.endswith("</sub>\n")


def test_it_takes_the_file_too(folder: Path) -> None:
    ended = CliRunner().invoke(main, ["report", str(folder / "report.json")])

    assert ended.exit_code == 0


def test_it_writes_the_page_again(folder: Path) -> None:
    page = folder / "report.html"
    before = page.read_text(encoding="utf-8")
    page.unlink()

    ended = CliRunner().invoke(main, ["report", str(folder), "--html"])

    assert ended.exit_code == 0
    assert page.read_text(encoding="utf-8") == before


def test_no_report_is_said_in_one_line(tmp_path: Path) -> None:
    ended = CliRunner().invoke(main, ["report", str(tmp_path)])

    assert ended.exit_code == 4
    assert len(ended.output.splitlines()) == 1
