"""The example of a vendor's repository works: its steps are run as written, with the wheel."""

import json
import os
import re
import shutil
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugin.suite import shell
from tests.session.subjects import mock, settings
from tests.wheel.installed import CHECKOUT, Installed, installed

EXAMPLE = CHECKOUT / "examples" / "vendor-ci"
RECIPE = (EXAMPLE / ".github" / "workflows" / "pact.yml").read_text(encoding="utf-8")
# The steps that are shell, by name. The recipe is read without a YAML parser: its form is ours.
STEPS = {
    name: textwrap.dedent(script)
    for name, script in re.findall(
        r"- name: (.+)\n(?: +if: .+\n)? +run: \|\n((?: {10}.+\n)+)", RECIPE
    )
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return installed(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def repository(
    tmp_path_factory: pytest.TempPathFactory, wheel: Installed
) -> Iterator[tuple[Path, dict[str, str]]]:
    """A copy of the example, and the variables that its CI would have, for a mock beside it."""
    folder = tmp_path_factory.mktemp("vendor") / "repository"
    shutil.copytree(EXAMPLE, folder)
    with mock() as provider:
        given = settings(provider.brands[0].card, E2E_OTHER_BRAND=provider.brands[1].card)
        environment = shell(given)
        del environment["PYTHONPYCACHEPREFIX"]
        environment["PATH"] = f"{wheel.folder / 'bin'}{os.pathsep}{environment['PATH']}"
        environment["PACT_CONFORMANCE"] = str(wheel.wheel)
        environment["GITHUB_STEP_SUMMARY"] = str(folder / "summary.md")
        yield folder, environment


def test_the_recipe_installs_looks_and_runs() -> None:
    assert list(STEPS) == ["Install the suite", "Look before the run", "Run the suite"]


def test_the_recipe_hands_over_the_settings_that_the_suite_reads() -> None:
    handed = set(re.findall(r"^      ([A-Z_0-9]+): \$\{\{", RECIPE, re.MULTILINE))

    assert handed == {*settings("x"), "E2E_OTHER_BRAND", "PACT_CONFORMANCE"}


def test_the_steps_work_one_after_the_other(repository: tuple[Path, dict[str, str]]) -> None:
    folder, environment = repository
    said = {}
    for name, script in STEPS.items():
        ended = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        assert ended.returncode == 0, f"{name}:\n{ended.stdout}"
        said[name] = ended.stdout

    assert said["Look before the run"].rstrip().endswith("ready")
    report = json.loads((folder / "reports" / "report.json").read_text(encoding="utf-8"))
    verdicts = {row["id"]: row["verdict"] for row in report["requirements"]}
    assert "failed" not in verdicts.values()
    assert verdicts["2.1-card-per-brand"] == "passed"
    # What the settings file declares, reached the run.
    assert verdicts["6-429-retry-after"] == "not applicable"
    assert (folder / "reports" / "junit.xml").is_file()
    assert (folder / "reports" / "badges" / "identity.svg").is_file()
    assert "PACT Identity" in (folder / "summary.md").read_text(encoding="utf-8")


def test_the_private_keys_are_in_no_file(repository: tuple[Path, dict[str, str]]) -> None:
    folder, environment = repository
    secret = json.loads(environment["PA_PRIVATE_JWK"])["keys"][0]["d"]
    written = [path for path in folder.rglob("*") if path.is_file()]

    assert not [path for path in written if secret.encode() in path.read_bytes()]
