"""`run` is pytest on the suites, whatever the user's own pytest is set to."""

import json
from pathlib import Path

import pytest

from pact_conformance.assets import folder
from pact_conformance.cli import run_arguments
from pact_conformance.options import TABLE
from tests.cli.command import call
from tests.session.subjects import brand, settings
from tests.subject.servers import Reply, Server

HOSTILE = "raise SystemExit('a file of the user was loaded')\n"


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A working folder whose every file would spoil a run."""
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\npython_files = x.py\n")
    (tmp_path / "tox.ini").write_text("[pytest]\naddopts = --nonsense\n")
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '--nonsense'\n")
    (tmp_path / "conftest.py").write_text(HOSTILE)
    for module in (
        "starlette",
        "uvicorn",
        "httpx",
        "jwt",
        "jinja2",
        "secrets",
        "pydantic",
        "click",
    ):
        (tmp_path / f"{module}.py").write_text(HOSTILE)
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites" / "__init__.py").write_text(HOSTILE)
    (tmp_path / "suites" / "test_theirs.py").write_text(HOSTILE)
    return tmp_path


SHELL = {
    "PYTEST_ADDOPTS": "--nonsense",
    "PYTEST_PLUGINS": "nonsense",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "HTTP_PROXY": "http://127.0.0.1:1",
    "http_proxy": "http://127.0.0.1:1",
}


def test_nothing_of_the_users_own_touches_a_run(theirs: Path) -> None:
    ended = call(
        *("run", "-q", "-k", "2.1-card-schema or 3.2-es256", "--report", "out"),
        cwd=theirs,
        environment=SHELL,
    )

    assert ended.returncode == 0, ended.stdout
    report = json.loads((theirs / "out" / "report.json").read_text("utf-8"))
    verdicts = {it["id"]: it["verdict"] for it in report["requirements"]}
    assert verdicts["2.1-card-schema"] == "passed"
    assert verdicts["3.2-es256"] == "passed"
    left = {it.name for it in theirs.iterdir()}
    assert not left & {".pytest_cache", "__pycache__", "reports"}


def test_the_settings_file_of_the_working_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "pact-conformance.toml").write_text("test_timeout_ms = 1\n")

    ended = call("run", "--collect-only", "-q", cwd=tmp_path)

    assert ended.returncode == 4, ended.stdout
    assert "(set by the file pact-conformance.toml)" in ended.stdout


def test_a_setting_as_an_option_reaches_the_run(tmp_path: Path) -> None:
    with Server(lambda _: Reply(404)) as server:
        ended = call(
            *("run", "-q", "--provider", brand(server), "--report=out", "--max-wait", "0"),
            *("-k", "2.1"),
            cwd=tmp_path,
            environment=settings("https://provider.example"),
        )

    assert ended.returncode == 1, ended.stdout
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert report["findings"][0]["id"] == "card-unreadable"


def test_every_setting_is_an_option_and_the_rest_is_for_pytest() -> None:
    for option in TABLE:
        short = option.flag.replace("--pact-", "--")
        assert run_arguments([short, "x"])[-2:] == [option.flag, "x"]
        assert run_arguments([f"{short}=--a=b"])[-1] == f"{option.flag}=--a=b"
        assert run_arguments([option.flag])[-1] == option.flag
    rest = ["-k", "3.2 and not x", "-n", "2", "--junitxml=j.xml", "-x", "--durations", "3"]

    assert run_arguments(rest)[-len(rest) :] == rest
    assert run_arguments(["--config", "f.toml"])[-2:] == ["--pact-config", "f.toml"]
    assert str(folder("suites")) in run_arguments([])
