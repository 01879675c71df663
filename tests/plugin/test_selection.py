"""What `-k` and `-m` select, and what becomes of the rest."""

from functools import cache
from pathlib import Path

import pytest

from tests.plugin.suite import CHECKOUT, Run, run


@cache
def selected(*arguments: str) -> frozenset[str]:
    """The node ids that a selection leaves."""
    ended = run("--collect-only", *arguments, folder=Path("/nonexistent"))
    return frozenset(line for line in ended.output.splitlines() if "::" in line)


def files(*arguments: str) -> set[str]:
    return {node.partition("::")[0].rpartition("/")[2] for node in selected(*arguments)}


def test_a_section_selects_the_checks_that_cite_it() -> None:
    assert "test_3_2_personal_agent_jwt.py" in files("-k", "3.2")
    assert selected("-k", "3.2") < selected()


def test_an_id_selects_the_checks_of_one_requirement() -> None:
    nodes = selected("-k", "3.2-exp-lifetime")

    assert nodes
    assert nodes < selected("-k", "3.2")


def test_levels_roles_and_profiles_are_markers() -> None:
    shoulds = selected("-m", "should and identity and provider")

    assert shoulds
    assert shoulds < selected()
    assert not shoulds & selected("-m", "must")


@pytest.fixture(scope="module")
def one_requirement(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of one requirement on the built-in Provider."""
    return run("-k", "3.2-exp-lifetime", folder=tmp_path_factory.mktemp("alone"))


def test_what_was_not_selected_is_untested_in_the_report(one_requirement: Run) -> None:
    ended = one_requirement

    assert ended.code == 0, ended.output
    assert "deselected" in ended.last_line
    verdicts = ended.verdicts()
    assert verdicts["3.2-exp-lifetime"] == "passed"
    assert verdicts["2.1-card-any-token"] == "untested"
    assert ended.requirement("2.1-card-any-token")["reason"] == "not selected"
    assert ended.report["profiles"]["identity"]["verdict"] == "incomplete"
    assert ended.report["turns"] == 0, "no conversation is held that no check asks for"


def test_the_checks_that_were_not_selected_are_named(one_requirement: Run) -> None:
    for requirement in one_requirement.report["requirements"]:
        if requirement["reason"] == "not selected":
            kinds = {it["kind"] for it in requirement["checks"]}
            assert kinds <= {"deselected", "rule"}, requirement["id"]


def test_workers_report_the_same_selection(one_requirement: Run, tmp_path: Path) -> None:
    spread = run("-k", "3.2-exp-lifetime", "-n2", folder=tmp_path)

    assert spread.code == 0, spread.output
    assert spread.verdicts() == one_requirement.verdicts()


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("several", [(), ("-n2",)], ids=["alone", "workers"])
def test_nothing_selected_ends_with_5_and_leaves_an_earlier_report_alone(
    several: tuple[str, ...], tmp_path: Path
) -> None:
    run("-k", "2.1-card-schema", folder=tmp_path)
    before = content(tmp_path)
    ended = run("-k", "xyzzy", *several, folder=tmp_path)

    assert ended.code == 5, ended.output
    lines = ended.output.splitlines()
    line = "nothing was selected by -k 'xyzzy' (pact-conformance requirements lists the ids)"
    assert lines.count(line) == 1, ended.output
    assert "passed" not in ended.output
    assert "PACT Identity" not in ended.output
    assert {"report.json", "badges/identity.svg"} <= before.keys()
    assert content(tmp_path) == before


def test_nothing_selected_makes_no_report(tmp_path: Path) -> None:
    ended = run("-m", "delegated", "-k", "2.1-card-schema", folder=tmp_path)

    assert ended.code == 5, ended.output
    assert "nothing was selected by -m 'delegated' -k '2.1-card-schema' (" in ended.output
    assert not list(tmp_path.iterdir())


def test_a_path_in_the_suites_is_a_run_of_ours() -> None:
    file = "suites/provider/test_2_1_agent_card.py"

    assert {node.partition("::")[0] for node in selected(str(CHECKOUT / file))} == {file}
    assert selected(file, "-m", "should") < selected(str(CHECKOUT / file))
