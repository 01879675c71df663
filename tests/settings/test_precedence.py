from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.options import TABLE
from pact_conformance.settings import Settings, load


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text(
        'provider = "https://file.example"\n'
        'issuer = "https://file.example/pa"\n'
        'audience = "file"\n'
        'private_jwk = "{\\"from\\": \\"file\\"}"\n'
        "test_timeout_ms = 3000\n"
        "max_wait = 3.5\n"
        'profile = "identity"\n'
        "strict = true\n"
        'report = "from-file"\n'
    )
    return path


SHELL = {
    "E2E_PROVIDER": "https://shell.example",
    "PA_ISSUER": "https://shell.example/pa",
    "PA_AUDIENCE": "shell",
    "PA_PRIVATE_JWK": '{"from": "shell"}',
    "E2E_TEST_TIMEOUT_MS": "2000",
}

OPTIONS = {
    "provider": "https://option.example",
    "issuer": "https://option.example/pa",
    "audience": "option",
    "test_timeout_ms": "1000",
    "max_wait": "1.5",
    "profile": "delegated",
    "report": "from-option",
}


def read(
    options: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None
) -> Settings:
    return load(options, environment=environment, file=file)


def test_the_file_is_read_where_nothing_else_is_set(file: Path) -> None:
    settings = read({}, {}, file)

    assert settings.provider == "https://file.example"
    assert settings.private_jwk is not None
    assert settings.private_jwk.get_secret_value() == '{"from": "file"}'
    assert (settings.test_timeout_ms, settings.max_wait, settings.profile) == (
        3000,
        3.5,
        "identity",
    )
    assert settings.strict is True
    assert settings.report == Path("from-file")


def test_the_environment_wins_over_the_file(file: Path) -> None:
    settings = read({}, SHELL, file)

    assert settings.provider == "https://shell.example"
    assert settings.private_jwk is not None
    assert settings.private_jwk.get_secret_value() == '{"from": "shell"}'
    assert settings.deadline == 2.0
    assert settings.max_wait == 3.5


def test_an_option_wins_over_the_environment_and_the_file(file: Path) -> None:
    settings = read(OPTIONS, SHELL, file)

    assert settings.provider == "https://option.example"
    assert settings.issuer == "https://option.example/pa"
    assert settings.audience == "option"
    assert settings.deadline == 1.0
    assert (settings.max_wait, settings.profile) == (1.5, "delegated")
    assert settings.report == Path("from-option")


def test_a_list_is_an_array_in_the_file_and_joined_by_commas_in_an_option(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('mock_flaws = ["one", "two"]\n')

    assert read({}, {}, file).mock_flaws == ("one", "two")
    assert read({"mock_flaws": "three, four,"}, {}, file).mock_flaws == ("three", "four")


def test_an_option_that_was_not_given_and_an_empty_variable_set_nothing(file: Path) -> None:
    options = dict.fromkeys(OPTIONS)

    settings = read(options, dict.fromkeys(SHELL, ""), file)

    assert settings.provider == "https://file.example"


def test_the_file_of_the_working_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pact-conformance.toml").write_text('profile = "identity"\n')
    monkeypatch.chdir(tmp_path)

    assert read({}, {}).profile == "identity"


def test_a_named_file_takes_the_place_of_that_of_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    (tmp_path / "pact-conformance.toml").write_text('profile = "delegated"\nseed = 7\n')
    monkeypatch.chdir(tmp_path)

    settings = read({}, {}, file)

    assert (settings.profile, settings.seed) == ("identity", 1)


def test_every_entry_of_the_table_is_a_setting_and_the_file_knows_it_by_its_key() -> None:
    assert {option.key for option in TABLE} <= set(Settings.model_fields)


def test_no_secret_shows_in_the_text_of_the_settings() -> None:
    settings = read({}, SHELL)

    assert "from" not in repr(settings)
    assert "from" not in str(settings.model_dump())
