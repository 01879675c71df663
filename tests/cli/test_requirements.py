import pytest
from click.testing import CliRunner, Result

from pact_conformance.catalogue import load
from pact_conformance.cli import main


def requirements(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["requirements", *arguments])


def test_the_list_has_every_requirement_with_its_level() -> None:
    ended = requirements()

    assert ended.exit_code == 0
    for row in load().requirements.values():
        assert any(row.id in line and row.level in line for line in ended.output.splitlines())


@pytest.mark.parametrize("id_", ["3.2-alg", "2-version-1-0", "2.1-card-schema", "4.2-closed"])
def test_one_requirement_is_explained(id_: str) -> None:
    row = load()[id_]

    ended = requirements(id_)

    assert ended.exit_code == 0
    said = " ".join(ended.output.split())
    assert id_ in said
    assert row.level in said
    assert f"section {row.section}" in said
    assert " ".join(row.statement.split()) in said


@pytest.mark.parametrize(
    ("wrong", "meant"), [("3.2-algs", "3.2-alg"), ("2.1-card-shema", "2.1-card-schema")]
)
def test_an_unknown_id_ends_with_4_and_close_matches(wrong: str, meant: str) -> None:
    ended = requirements(wrong)

    assert ended.exit_code == 4
    assert wrong in ended.output
    assert meant in ended.output
    assert len(ended.output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("start", "first", "last"),
    [
        ("3.2", "3.2-bearer-required", "3.2-compact-jws"),
        ("3.2-exp", "3.2-exp-present", "3.2-exp-after-iat"),
    ],
)
def test_a_section_or_the_beginning_of_ids_lists_those(start: str, first: str, last: str) -> None:
    ended = requirements(start)

    assert ended.exit_code == 0
    ids = [line.split()[0] for line in ended.output.splitlines()[1:]]
    assert {first, last} <= set(ids)
    assert all(id_.startswith(start) for id_ in ids)


def test_a_section_has_those_below_it() -> None:
    ids = [line.split()[0] for line in requirements("3").output.splitlines()[1:]]

    assert {id_.partition("-")[0] for id_ in ids} >= {"3.1", "3.2", "3.4"}
    assert all(id_.startswith("3") for id_ in ids)


def test_an_id_like_no_other_ends_with_4() -> None:
    ended = requirements("zzz")

    assert ended.exit_code == 4
    assert len(ended.output.strip().splitlines()) == 1


def test_advice_is_listed_and_explained_apart() -> None:
    several, one = requirements("hardening-agent"), requirements("hardening-framing")

    assert [line.split()[1] for line in several.output.splitlines()] == ["personal-agent"] * 4
    assert "advice · provider · delegated" in one.output
    assert "Who says so:\n  RFC 9700 §4.16" in one.output
    assert "hardening" not in requirements().output


def test_unknown_advice_ends_with_4_and_what_looks_like_it() -> None:
    ended = requirements("hardening-frames")

    assert ended.exit_code == 4
    assert "did you mean hardening-framing" in ended.output
