"""`init` writes a settings file that explains every key and sets none."""

import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pact_conformance import settings_file
from pact_conformance.cli import main
from pact_conformance.counterpart import flaws, variants
from pact_conformance.options import TABLE
from pact_conformance.settings import DEFAULT_FILE, Settings, load

pytestmark = pytest.mark.usefixtures("empty")

# A setting that is commented out: no space behind the #, unlike a remark.
SET = re.compile(r"^#(?=[\w\"\[])", re.MULTILINE)


def init(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["init", *arguments])


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_writes_the_file_that_a_run_reads(empty: Path) -> None:
    ended = init()

    assert ended.exit_code == 0
    assert DEFAULT_FILE in ended.output
    assert (empty / DEFAULT_FILE).read_text(encoding="utf-8") == settings_file.render()


def test_the_file_sets_nothing() -> None:
    init()

    assert load({}, environment={}) == Settings()


def test_every_example_in_the_file_can_be_set(empty: Path) -> None:
    text = SET.sub("", settings_file.render())
    for name in re.findall(r'"@([^"]+)"', text):
        (empty / name).write_text("{}")
    (empty / "ca.pem").touch()
    # These belong to the built-in counterparts, and the file names others.
    text = re.sub(r"^(mock|agent)_(flaws|variants) = .*$", "", text, flags=re.MULTILINE)
    (empty / DEFAULT_FILE).write_text(text, encoding="utf-8")

    assert load({}, environment={}).provider == tomllib.loads(text)["provider"]


def test_every_setting_is_in_the_file() -> None:
    held = tomllib.loads(SET.sub("", settings_file.render()))

    assert set(held) == set(Settings.model_fields)


@pytest.mark.parametrize("table", ["hooks", "approver_fields"])
def test_every_key_of_a_table_is_in_the_file(table: str) -> None:
    held = tomllib.loads(SET.sub("", settings_file.render()))

    assert set(held[table]) == set(type(getattr(Settings(), table)).model_fields)


def test_every_option_is_explained_with_its_variable() -> None:
    text = " ".join(settings_file.render().replace("\n#", " ").split())
    for option in TABLE:
        assert f"[{option.environment or option.flag}" in text


def test_the_flaw_and_the_variant_exist() -> None:
    held = tomllib.loads(SET.sub("", settings_file.render()))

    assert set(held["mock_flaws"]) <= set(flaws.of("provider"))
    assert set(held["mock_variants"]) <= set(variants.of("provider"))


def test_a_file_that_is_there_is_kept(empty: Path) -> None:
    (empty / DEFAULT_FILE).write_text("strict = true\n")

    ended = init()

    assert ended.exit_code == 4
    assert "--force" in ended.output
    assert (empty / DEFAULT_FILE).read_text() == "strict = true\n"


def test_a_file_that_is_there_is_replaced_by_force(empty: Path) -> None:
    (empty / "mine.toml").write_text("strict = true\n")

    assert init("mine.toml", "--force").exit_code == 0
    assert (empty / "mine.toml").read_text(encoding="utf-8") == settings_file.render()


def test_a_file_that_cannot_be_written_is_said_in_one_line() -> None:
    ended = init("no/such/folder.toml")

    assert ended.exit_code == 4
    assert len(ended.output.splitlines()) == 1
