"""docs/adding-a-check.md works as written: its blocks are put into a copy of the checkout."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugin.suite import Run, command, shell

from .tree import CHECKOUT, text

DOCUMENT = text("docs/adding-a-check.md")
# "At the end of `FILE`:" and the block that follows.
BLOCKS = re.findall(r"At the end of `([^`]+)`:\n\n```\w+\n(.*?)```\n", DOCUMENT, re.DOTALL)
ID = "2.1-card-steady"
FLAW = "describes-itself-otherwise-at-each-read"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parts of this checkout that a run needs, with the document's blocks put in."""
    made = tmp_path_factory.mktemp("copy")
    for name in ("pact_conformance", "suites", "schemas", "fixtures"):
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(CHECKOUT / name, made / name, ignore=leave)
    shutil.copy(CHECKOUT / "pyproject.toml", made)
    for file, block in BLOCKS:
        with (made / file).open("a", encoding="utf-8") as target:
            target.write(f"\n\n{block}")
    return made


def run(copy: Path, folder: Path, *arguments: str) -> Run:
    # The copy stands before the checkout that this environment has installed.
    ended = subprocess.run(
        command("-k", ID, *arguments, folder=folder),
        cwd=copy,
        env=shell({"PYTHONPATH": str(copy), "PYTHONPYCACHEPREFIX": str(copy / "compiled")}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,  # everything is compiled anew
        check=False,
    )
    return Run(ended.returncode, ended.stdout, folder)


def test_the_document_has_a_row_a_check_and_a_flaw() -> None:
    assert len(BLOCKS) == 3


def test_the_check_passes_on_the_honest_mock(copy: Path, tmp_path: Path) -> None:
    ended = run(copy, tmp_path)

    assert ended.code == 0, ended.output
    assert ended.requirement(ID)["verdict"] == "passed"


def test_the_flaw_trips_it_and_nothing_else(copy: Path, tmp_path: Path) -> None:
    ended = run(copy, tmp_path, f"--pact-mock-flaws={FLAW}")

    assert ended.code == 0, ended.output
    assert [id_ for id_, it in ended.verdicts().items() if it == "warned"] == [ID]


def test_the_commands_are_the_documents() -> None:
    assert f"pytest -k {ID} --pact-mock-flaws={FLAW}" in DOCUMENT


def test_the_row_is_explained(copy: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "pact_conformance", "requirements", ID],
        cwd=copy,
        env=shell({"PYTHONPATH": str(copy)}),
        capture_output=True,
        text=True,
        check=False,
    )

    assert "Two reads of a card give the same card." in ended.stdout, ended.stderr
