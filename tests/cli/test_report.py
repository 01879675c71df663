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

    ended = CliRunner().invoke(main, ["report", str(folder), "--as", "html"])

    assert ended.exit_code == 0
    assert page.read_text(encoding="utf-8") == before


def test_no_report_is_said_in_one_line(tmp_path: Path) -> None:
    ended = CliRunner().invoke(main, ["report", str(tmp_path)])

    assert ended.exit_code == 4
    assert len(ended.output.splitlines()) == 1


@pytest.mark.parametrize("form", ["markdown", "junit", "annotations"])
def test_a_text_goes_to_the_standard_output_or_a_file(
    folder: Path, tmp_path: Path, form: str
) -> None:
    shown = CliRunner().invoke(main, ["report", str(folder), "--as", form])
    file = tmp_path / "made" / "file"
    written = CliRunner().invoke(main, ["report", str(folder), "--as", form, "--output", str(file)])

    assert shown.exit_code == written.exit_code == 0
    assert written.output == f"wrote {file}\n"
    assert file.read_text(encoding="utf-8") == shown.output


@pytest.mark.parametrize(
    ("form", "names"),
    [("badges", ["identity.json", "identity.svg"]), ("allure", ["*-result.json"])],
)
def test_files_go_where_they_are_wanted(
    folder: Path, tmp_path: Path, form: str, names: list[str]
) -> None:
    ended = CliRunner().invoke(
        main, ["report", str(folder), "--as", form, "--output", str(tmp_path)]
    )

    assert ended.exit_code == 0
    for name in names:
        assert list(tmp_path.glob(name))


def test_an_unknown_form_is_refused_with_those_there_are(folder: Path) -> None:
    ended = CliRunner().invoke(main, ["report", str(folder), "--as", "pdf"])

    assert ended.exit_code == 4
    assert ended.output == (
        "Error: --as pdf: there are markdown, html, junit, allure, annotations, badges\n"
    )


def test_a_place_that_cannot_be_written_is_said_in_one_line(folder: Path, tmp_path: Path) -> None:
    ended = CliRunner().invoke(
        main, ["report", str(folder), "--as", "junit", "--output", str(tmp_path)]
    )

    assert ended.exit_code == 4
    assert len(ended.output.splitlines()) == 1
    assert str(tmp_path) in ended.output
