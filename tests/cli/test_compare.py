"""`compare` and `history` look at reports that were written before."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pact_conformance.cli import main
from tests.report import making


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, outcomes in (("old", (making.PASSED,)), ("new", (making.FAILED,))):
        (tmp_path / name).mkdir()
        document = making.built((making.PASSED, *outcomes))
        rows = document["requirements"]  # the others only take time to read
        ids = {"3.2-exp-expired", "3.2-alg"}
        document["requirements"] = [it for it in rows if it["id"] in ids]
        (tmp_path / name / "report.json").write_text(json.dumps(document), encoding="utf-8")
    return tmp_path


def compare(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def worsened(folder: Path) -> Path:
    """The old report as if its one check failed now."""
    document = json.loads((folder / "old" / "report.json").read_text("utf-8"))
    for row in document["requirements"]:
        for check in row["checks"]:
            check["verdict"] = "failed"
    path = folder / "worse.json"
    path.write_text(json.dumps(document))
    return path


def test_nothing_worse_ends_with_0(folder: Path) -> None:
    ended = compare(folder / "old", folder / "new" / "report.json")

    assert ended.exit_code == 0, ended.output
    assert "tested now   3.2-alg" in ended.output


def test_a_regression_ends_with_1(folder: Path) -> None:
    ended = compare(folder / "old", worsened(folder))

    assert ended.exit_code == 1, ended.output
    assert (
        "worse        3.2-exp-expired: an expired token is refused: passed → failed" in ended.output
    )


def test_what_cannot_be_compared_ends_with_4_and_one_line(folder: Path) -> None:
    path = worsened(folder)
    path.write_text(path.read_text("utf-8").replace('"partial": false', '"partial": true'))

    ended = compare(folder / "old", path)

    assert ended.exit_code == 4
    assert len(ended.output.splitlines()) == 1
    assert "ended early" in ended.output
    assert compare(folder / "old", path, "--anyway").exit_code == 1


def test_it_writes_markdown_and_json(folder: Path) -> None:
    as_json = compare(folder / "old", folder / "new", "--format=json")
    as_markdown = compare(folder / "old", folder / "new", "--format=markdown")

    assert json.loads(as_json.output)["counts"]["newly tested"] == 1
    assert as_markdown.output.startswith("## What changed in PACT conformance\n")


def test_no_report_is_said_in_one_line(folder: Path) -> None:
    ended = compare(folder / "old", folder / "nowhere")

    assert ended.exit_code == 4
    assert len(ended.output.splitlines()) == 1


def test_the_history_of_a_folder_is_one_page(folder: Path) -> None:
    ended = CliRunner().invoke(main, ["history", str(folder)])

    assert ended.exit_code == 0, ended.output
    assert (folder / "history.html").is_file()


def test_a_folder_without_reports_has_no_history(tmp_path: Path) -> None:
    ended = CliRunner().invoke(main, ["history", str(tmp_path)])

    assert ended.exit_code == 4
    assert len(ended.output.splitlines()) == 1
