"""The README says what is so."""

import re
from typing import get_args

import pytest

from pact_conformance.cli import main
from pact_conformance.counterpart import flaws, variants
from pact_conformance.options import TABLE
from pact_conformance.verdicts import Verdict

from .tree import CHECKOUT, text

README = text("README.md")
DOCUMENTS = ["README.md", *(f"docs/{path.name}" for path in (CHECKOUT / "docs").glob("*.md"))]
# Set-up and tests, each to be pasted on a fresh machine.
RUN, TESTS = re.findall(r"^    (python3 -m venv .*)$", README, re.MULTILINE)


def test_the_first_command_runs_the_suite() -> None:
    assert RUN.split(" && ") == [
        "python3 -m venv .venv",
        ".venv/bin/pip install -q -e '.[dev]'",
        ".venv/bin/pytest",
    ]


def test_the_second_command_runs_the_tests() -> None:
    assert f"{RUN} tests" == TESTS


def test_ci_ends_with_the_second_command() -> None:
    assert text(".ci/run").splitlines()[-1] == TESTS


def test_ci_runs_every_tool_that_the_project_is_held_to() -> None:
    for tool in ("ruff check", "ruff format --check", "mypy", "lint-imports"):
        assert re.search(rf'^step "\w+" \.venv/bin/{tool}', text(".ci/run"), re.MULTILINE)


def test_every_verdict_is_explained() -> None:
    for verdict in get_args(Verdict):
        assert f"| {verdict} |" in README


def test_there_are_as_many_flaws_and_variants_as_it_says() -> None:
    said = re.search(r"more than ([\d,]+) flaws.*?more than\s+([\d,]+) legal", README, re.DOTALL)
    assert said is not None
    least = [int(number.replace(",", "")) for number in said.groups()]

    for number, known in zip(least, (flaws.ALL, variants.ALL), strict=True):
        assert number <= len(known) < number * 1.3, "say what there is"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_option_that_a_document_names_exists(document: str) -> None:
    flags = {option.flag for option in TABLE if not option.secret} | {"--pact-config"}
    named = set(re.findall(r"--pact-[a-z-]*[a-z]", text(document)))

    assert named <= flags


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_that_a_document_names_exists(document: str) -> None:
    named = set(re.findall(r"pact-conformance ([a-z]+)\b(?=[ `\n])", text(document)))

    assert named <= set(main.commands)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_that_a_document_links_to_is_there(document: str) -> None:
    folder = (CHECKOUT / document).parent
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text(document)):
        assert (folder / target).exists(), target
