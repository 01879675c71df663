"""What was kept, and keeping."""

import json
import tomllib
from pathlib import Path

import pytest

from pact_conformance.assets import folder
from pact_conformance.fuzz import kept
from pact_conformance.fuzz.example import Change, Example, NoExample
from pact_conformance.fuzz.families import kinds_of
from pact_conformance.wire.schema import problems
from tests.cli.command import call

EXAMPLE = Example("forged-tokens", (Change("aud-preceded", ("a letter",)),))
UNSEEN = [
    Example("malformed-requests", (Change("member-alias", ("request", name)),))
    for name in ("\ud800", "\0", "a\nb")
]
FORM = Example("oauth-forms", (Change("scope-joined", ("a comma",)),))
ODD = Example("forged-tokens", (Change("kid-odd", ("\"' OR '1'='1\"",)),))


@pytest.mark.parametrize("path", sorted((folder("fixtures") / "kept").glob("*.toml")))
def test_what_was_kept_is_as_the_schema_says(path: Path) -> None:
    assert problems(tomllib.loads(path.read_text("utf-8")), "kept-examples") == []


def test_what_was_kept_has_what_is_due_to_it() -> None:
    for row in kept.load():
        kinds = kinds_of(row.example.family)
        blamed = kinds.blamed(row.example)

        assert blamed is not None
        assert row.result == kinds.due_to(row.example), row.id
        assert row.requirement == blamed.requirement, row.id


@pytest.mark.parametrize("example", [EXAMPLE, ODD, FORM, *UNSEEN])
def test_what_is_kept_is_read_back(tmp_path: Path, example: Example) -> None:
    path = tmp_path / "kept.toml"

    row = kept.keep(example, path)

    assert row in kept.load(path)
    assert problems(tomllib.loads(path.read_text("utf-8")), "kept-examples") == []


def test_what_is_kept_twice_stands_once(tmp_path: Path) -> None:
    path = tmp_path / "kept.toml"

    assert kept.keep(EXAMPLE, path) == kept.keep(EXAMPLE, path, id_="another")
    assert path.read_text("utf-8").count("[[example]]") == 1


def test_two_examples_cannot_have_one_id(tmp_path: Path) -> None:
    path = tmp_path / "kept.toml"
    kept.keep(EXAMPLE, path, id_="mine")

    with pytest.raises(kept.BadKept, match="another example called mine"):
        kept.keep(ODD, path, id_="mine")


def test_what_changes_nothing_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(NoExample, match="changes nothing"):
        kept.keep(Example("forged-tokens"), tmp_path / "kept.toml")


ROW = {
    "id": "mine",
    "comment": "found once",
    "example": EXAMPLE.text,
    "requirement": "3.2-aud",
    "result": "refused",
}


def written(**members: object) -> str:
    row = {name: value for name, value in {**ROW, **members}.items() if value is not None}
    lines = (f"{name} = {json.dumps(value)}" for name, value in row.items())
    return "\n".join(["[[example]]", *lines, ""])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "cannot be read: "),
        (written().replace("[[example]]", "[[examples]]"), "there is 'examples'"),
        ("example = 'x'", "there is 'example'"),
        ("example = ['x']", "example 1: it has to have id, comment, "),
        (written(id=None), "example 1: it has to have id, comment, "),
        (written(id=7), "each a text"),
        (written(more="x"), "and nothing else"),
        (written(id="a b\x1b[31m"), r"'a b\\x1b\[31m' is no id"),
        (written(result="maybe"), "'maybe' is no result: refused, "),
        (written(requirement="9.9-none"), "9.9-none"),
        (written(example='["f"]'), "no family 'f'"),
        (written(example='["forged-tokens",["x"]]'), "no change 'x'"),
        (written(example="[" * 100_000), "expected "),
        (written() + written(example=ODD.text), "another example is called mine"),
        (written(id="header-names-escaped"), "another example is called header-names-escaped"),
    ],
)
def test_a_file_that_cannot_be_used_is_told(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "kept.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(kept.BadKept, match=said) as raised:
        kept.load(path)

    assert str(raised.value).startswith(str(path))
    assert str(raised.value).isprintable()


def test_what_the_suite_has_taken_up_is_tried_once(tmp_path: Path) -> None:
    path = tmp_path / "kept.toml"
    ours = kept.load()[0]
    kept.keep(ours.example, path, id_="mine")

    assert kept.load(path) == kept.load()


def test_the_command_keeps_what_a_report_shows(tmp_path: Path) -> None:
    ended = call("keep", EXAMPLE.text, "--into=mine.toml", cwd=tmp_path)

    assert ended.returncode == 0, ended.stdout
    assert "kept aud-preceded-a-letter (3.2-aud)" in ended.stdout
    assert json.loads(tomllib.loads((tmp_path / "mine.toml").read_text())["example"][0]["example"])


def test_the_command_tells_what_is_no_example_in_a_line(tmp_path: Path) -> None:
    ended = call("keep", '["forged-tokens",["x"]]', cwd=tmp_path)

    assert ended.returncode == 4
    assert len(ended.stdout.splitlines()) == 1
