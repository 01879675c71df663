"""What the installed plugin does to other people's pytest runs: nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugin.suite import WITHOUT, shell

HEAVY = (
    "httpx",
    "httpcore",
    "pydantic",
    "pydantic_settings",
    "cryptography",
    "jsonschema",
    "uvicorn",
    "starlette",
    "jinja2",
    "click",
    "pact_conformance.rig",
    "pact_conformance.settings",
    "pact_conformance.catalogue",
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of somebody else."""
    (tmp_path / "test_theirs.py").write_text(
        f"""
import os, sys, threading
def test_nothing_heavy_is_loaded(request):
    loaded = [name for name in {HEAVY!r} if name in sys.modules]
    assert loaded == []
    assert "pact_conformance.plugin" in sys.modules
def test_nothing_runs(request, pytestconfig):
    names = [name for name, _ in pytestconfig.pluginmanager.list_name_plugin()]
    assert not [name for name in names if name.startswith("pact_") and name != "pact_conformance"]
    if "PYTEST_XDIST_WORKER" not in os.environ:  # a worker has threads of its own
        assert threading.active_count() == 1
    assert not [m for m in pytestconfig.getini("markers") if m.startswith("requirement")]
def test_our_fixtures_are_not_there(request):
    for name in ("provider", "caller", "pact_rig", "settings"):
        try:
            request.getfixturevalue(name)
        except Exception as error:
            assert type(error).__name__ == "FixtureLookupError"
        else:
            raise AssertionError(name)
"""
    )
    return tmp_path


def others(
    project: Path, *arguments: str, **environment: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *WITHOUT, *arguments],
        cwd=project,
        env=shell(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("arguments", [[], ["."], ["-n1"]])
def test_nothing_is_loaded_started_or_added(project: Path, arguments: list[str]) -> None:
    ended = others(project, *arguments, E2E_PROVIDER="not a url at all", E2E_TEST_TIMEOUT_MS="x")

    assert ended.returncode == 0, ended.stdout
    assert "3 passed" in ended.stdout
    assert "PACT" not in ended.stdout
    assert {it.name for it in project.iterdir()} <= {"test_theirs.py", "__pycache__"}


def test_a_folder_called_suites_of_somebody_else_is_not_ours(project: Path) -> None:
    (project / "suites").mkdir()
    (project / "test_theirs.py").rename(project / "suites" / "test_theirs.py")

    ended = others(project, "suites")

    assert ended.returncode == 0, ended.stdout
