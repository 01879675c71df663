"""`pact-conformance` from the wheel, in a folder where everything is set against it."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.plugin import suite
from tests.plugin.suite import shell

from .installed import Installed

HOSTILE = {
    "pytest.ini": "[pytest]\naddopts = --no-such-option\ntestpaths = elsewhere\n",
    "conftest.py": "raise RuntimeError('the conftest of the project was read')\n",
    "httpx.py": "raise RuntimeError('a module of the project took the place of httpx')\n",
    "tox.ini": "[pytest]\nmarkers =\n  nonsense(\n",
}
ENVIRONMENT = {
    "PYTEST_ADDOPTS": "--no-such-option-either",
    "PYTEST_PLUGINS": "no_such_plugin",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    for name, content in HOSTILE.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def call(wheel: Installed, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = shell(ENVIRONMENT)
    # Compiled modules of the checkout, with the checkout's paths in them, are not for the wheel.
    del environment["PYTHONPYCACHEPREFIX"]
    return subprocess.run(
        [wheel.tool("pact-conformance"), *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def run(wheel: Installed, hostile: Path) -> subprocess.CompletedProcess[str]:
    return call(wheel, hostile, "run", "--report=DIR", "-q")


def results(report: Path) -> dict[tuple[str, str, str], str]:
    """The verdict of every case, by what identifies a result in every installation."""
    document = json.loads((report / "report.json").read_text(encoding="utf-8"))
    return dict(_results(document))


def _results(document: dict[str, Any]) -> Iterator[tuple[tuple[str, str, str], str]]:
    for requirement in document["requirements"]:
        yield (requirement["id"], "", ""), requirement["verdict"]
        for check in requirement["checks"]:
            yield (requirement["id"], check["name"], check["case"]), check["verdict"]


def test_it_runs(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 0, run.stdout


def test_it_writes_where_it_was_told(run: subprocess.CompletedProcess[str], hostile: Path) -> None:
    assert run.returncode == 0
    written = {path.name for path in (hostile / "DIR").iterdir()}
    assert written >= {"journal.ndjson", "report.html", "report.json"}


def test_it_leaves_nothing_else_behind(
    run: subprocess.CompletedProcess[str], hostile: Path
) -> None:
    assert run.returncode == 0
    assert {path.name for path in hostile.iterdir()} == {*HOSTILE, "DIR"}


def test_it_reaches_the_verdicts_of_the_checkout(
    run: subprocess.CompletedProcess[str], hostile: Path, tmp_path: Path
) -> None:
    assert run.returncode == 0
    both = {"E2E_PROVIDER": "mock", "E2E_AGENT": "mock"}
    checkout = suite.run(folder=tmp_path, environment=both)
    assert checkout.code == 0, checkout.output

    assert results(hostile / "DIR") == results(tmp_path)


def test_a_selection_reaches_pytest(wheel: Installed, hostile: Path) -> None:
    ended = call(wheel, hostile, "run", "--report=SOME", "-q", "-k", "3.2-exp-lifetime")

    assert ended.returncode == 0, ended.stdout
    assert "deselected" in ended.stdout


def test_the_hardening_pack_is_there_where_it_is_asked_for(wheel: Installed, hostile: Path) -> None:
    only = ("-k", "hardening-code-entropy", "--provider=mock", "--report=HARDENED", "-q")
    ended = call(wheel, hostile, "run", "--hardening", *only)
    document = json.loads((hostile / "HARDENED" / "report.json").read_text(encoding="utf-8"))

    assert ended.returncode == 0, ended.stdout
    assert "Hardening: 1 passed, 16 untested" in ended.stdout
    assert document["hardening"]["counts"] == {"passed": 1, "untested": 16}


def test_a_bad_setting_is_one_line(wheel: Installed, hostile: Path) -> None:
    ended = call(wheel, hostile, "run", "--provider=not a url")

    assert ended.returncode == 4
    assert "E2E_PROVIDER" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["requirements", "3.2-exp-lifetime"], "300"),
        (["init", "settings.toml"], "wrote settings.toml"),
        (["doctor", "--profile=identity"], "ready"),
        (["--version"], "pact-conformance"),
    ],
)
def test_the_other_commands_work(
    wheel: Installed, hostile: Path, arguments: list[str], said: str
) -> None:
    ended = call(wheel, hostile, *arguments)

    assert ended.returncode == 0, ended.stdout
    assert said in ended.stdout
    (hostile / "settings.toml").unlink(missing_ok=True)


def test_pytest_finds_the_suites_by_their_package(wheel: Installed, tmp_path: Path) -> None:
    ended = subprocess.run(
        [
            *(wheel.tool("python"), "-m", "pytest", "--pyargs", "pact_conformance.suites", "-q"),
            *("-p", "no:cacheprovider", "-k", "2.1-interface", "--pact-report=DIR"),
        ],
        cwd=tmp_path,
        env=shell(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )

    assert ended.returncode == 0, ended.stdout
    assert (tmp_path / "DIR" / "report.json").is_file()
