"""Allure's results of a run: complete, the same under `-n`, and without a secret."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import allure_commons
import pytest
from allure_commons.logger import AllureFileLogger

from pact_conformance.journal.placeholder import PA_JWT
from pact_conformance.report.allure import MOST_EXCHANGES
from pact_conformance.report.outcome import Outcome
from pact_conformance.session.allure import Results
from tests.plugin.suite import Run, run
from tests.report import making
from tests.session.subjects import brand, mock_behind, settings
from tests.session.test_secrets import echoing, leaks, secrets_of

FLAW = "--pact-mock-flaws=caps-a-page-at-50"
SELECTED = ("-k", "2.1-card or 2.2-page or 3.2-signature or 4.2-reply")
JWS = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]*")

Result = dict[str, Any]


@dataclass(frozen=True)
class Written:
    """What lies in Allure's folder."""

    folder: Path

    @property
    def results(self) -> list[Result]:
        return [json.loads(it.read_text("utf-8")) for it in self.folder.glob("*-result.json")]

    def one(self, name: str) -> Result:
        (found,) = (it for it in self.results if it["name"] == name)
        return found

    def attached(self, result: Result) -> list[str]:
        sources = [it["source"] for it in result.get("attachments", [])]
        return [(self.folder / it).read_text("utf-8") for it in sources]


def labelled(result: Result, name: str) -> list[str]:
    return [it["value"] for it in result["labels"] if it["name"] == name]


def summarised(results: list[Result]) -> list[tuple[str, str, tuple[str, ...]]]:
    return sorted((it["historyId"], it["status"], tuple(labelled(it, "tag"))) for it in results)


def ended_with(folder: Path, *arguments: str) -> tuple[Run, Written]:
    allure = folder / "allure"
    ended = run(f"--alluredir={allure}", *arguments, folder=folder / "reports")
    return ended, Written(allure)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Written]:
    """A run in one process."""
    return ended_with(tmp_path_factory.mktemp("alone"), FLAW, *SELECTED)


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Written]:
    """The same over two."""
    return ended_with(tmp_path_factory.mktemp("spread"), FLAW, *SELECTED, "-n2")


@pytest.mark.parametrize("how", ["alone", "spread"])
def test_every_check_and_rule_of_the_report_has_its_result(
    how: str, request: pytest.FixtureRequest
) -> None:
    ended, written = request.getfixturevalue(how)

    assert ended.code == 1, ended.output
    reported = {
        (it["name"].replace("_", " "), it["case"]): it["verdict"]
        for requirement in ended.report["requirements"]
        for it in requirement["checks"]
        if it["kind"] in {"check", "rule"}
    }
    given = {
        (it["name"].partition(" [")[0], it.get("parameters", [{"value": ""}])[0]["value"]): it
        for it in written.results
    }
    assert len(given) == len(written.results)
    assert {key: labelled(it, "tag")[2] for key, it in given.items()} == reported
    assert {labelled(it, "tag")[3] for it in written.results} == {"check", "rule"}
    assert not list(written.folder.glob("*-container.json"))


def test_results_are_the_same_however_many_processes_checked(
    alone: tuple[Run, Written], spread: tuple[Run, Written]
) -> None:
    assert summarised(spread[1].results) == summarised(alone[1].results)
    checks = [it for it in spread[1].results if "check" in labelled(it, "tag")]
    assert {it for check in checks for it in labelled(check, "thread")} == {"gw0", "gw1"}


def test_a_failure_says_what_is_expected_and_where_it_stands(alone: tuple[Run, Written]) -> None:
    failed = alone[1].one("a page size from 1 to 100 is taken [100]")

    assert failed["status"] == "failed"
    assert failed["statusDetails"]["message"] == "failed: expected pageSize 100; got 50"
    assert failed["stop"] >= failed["start"] > 1_700_000_000_000
    assert labelled(failed, "epic") == ["PACT Identity · Provider"]
    assert labelled(failed, "feature") == ["2.2 Operations"]
    assert labelled(failed, "story") == ["2.2-page-size-range"]
    assert labelled(failed, "severity") == ["critical"]
    assert labelled(failed, "tag") == ["MUST", "§2.2", "failed", "check"]


def test_a_check_that_cites_several_requirements_is_labelled_for_each(
    alone: tuple[Run, Written],
) -> None:
    ended, written = alone
    cited: dict[tuple[str, str], list[str]] = {}
    for requirement in ended.report["requirements"]:
        for it in requirement["checks"]:
            cited.setdefault((it["name"].replace("_", " "), it["case"]), []).append(
                requirement["id"]
            )
    assert max(len(ids) for ids in cited.values()) > 1

    for result in written.results:
        case = result.get("parameters", [{"value": ""}])[0]["value"]
        stories = cited[result["name"].partition(" [")[0], case]
        assert sorted(labelled(result, "story")) == sorted(stories)


@pytest.mark.parametrize("how", ["alone", "spread"])
def test_exchanges_are_attached_masked_and_to_be_repeated(
    how: str, request: pytest.FixtureRequest
) -> None:
    _, written = request.getfixturevalue(how)
    decisive = written.attached(written.one("a page size from 1 to 100 is taken [100]"))[-1]

    assert "?pageSize=100" in decisive
    assert f"Authorization: Bearer {PA_JWT}" in decisive
    assert '"pageSize":50' in decisive
    assert 'Bearer \'"$PA_JWT"' in decisive
    attached = [written.attached(it) for it in written.results]
    assert max(map(len, attached)) <= MOST_EXCHANGES
    assert not [text for texts in attached for text in texts if JWS.search(text)]


def test_a_subject_that_echoes_everything_gives_no_secret_away(tmp_path: Path) -> None:
    reports = tmp_path / "reports"
    with mock_behind(echoing) as server:
        ended = run(
            "-n2",
            "-k",
            "3.2-bearer or 3.2-iss or 2.1 or 4.2-reply",
            f"--alluredir={reports / 'allure'}",
            folder=reports,
            environment=settings(brand(server)),
        )

    written = Written(reports / "allure")
    assert ended.code == 1, ended.output
    assert [it for it in written.results if it["status"] == "failed" and it.get("attachments")]
    assert list(leaks(ended, secrets_of(server.requests))) == []


def test_a_check_that_its_process_dies_of_is_broken_and_nothing_is_lost(tmp_path: Path) -> None:
    dying = ("-p", "tests.parallel.dying", "--dies-in", "test_the_card_is_a_usable_card")
    ended, written = ended_with(
        tmp_path, "-n2", "-k", "2.1-card", *dying, "--clean-alluredir", FLAW
    )

    assert ended.code == 3, ended.output
    (lost,) = (it for it in written.results if it["status"] == "broken")
    assert lost["name"] == "the card is a usable card of a2a"
    assert "crashed while running" in lost["statusDetails"]["message"]
    passed = [it for it in written.results if "check" in labelled(it, "tag")]
    assert len(passed) == len([it for it in ended.checks("passed") if it["kind"] == "check"]) + 1


def test_a_finding_has_a_result(tmp_path: Path) -> None:
    allure = tmp_path / "allure"
    ended = run(
        "-k",
        "2.1-card",
        f"--alluredir={allure}",
        folder=tmp_path / "reports",
        environment=settings("http://127.0.0.1:9/a2a/b/.well-known/agent-card.json"),
    )

    (finding,) = (it for it in Written(allure).results if "finding" in labelled(it, "tag"))
    (reported,) = ended.report["findings"]
    assert finding["name"] == reported["id"].replace("-", " ")
    assert labelled(finding, "tag")[2] == reported["verdict"]


def test_without_alluredir_nothing_of_it_is_loaded_or_written(tmp_path: Path) -> None:
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    (plugins / "absent.py").write_text(
        "import sys\n"
        "for name in ('allure', 'allure_commons', 'allure_pytest'):\n"
        "    assert name not in sys.modules\n"
        "    sys.modules[name] = None\n"
        "def pytest_unconfigure():\n"
        "    assert 'pact_conformance.session.controller' in sys.modules\n"
        "    assert 'pact_conformance.session.allure' not in sys.modules\n"
    )

    ended = run(
        *("-p", "absent", "-p", "no:allure_pytest", "-k", "2.1-card"),
        folder=tmp_path / "reports",
        environment={"PYTHONPATH": str(plugins)},
    )

    assert ended.code == 0, ended.output


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Written]:
    """Where results of this process go."""
    logger = AllureFileLogger(str(tmp_path / "allure"))
    allure_commons.plugin_manager.register(logger)
    yield Written(tmp_path / "allure")
    allure_commons.plugin_manager.unregister(logger)


def told(outcome: Outcome, results: Results) -> None:
    report = pytest.TestReport("n", ("n", None, "n"), {}, "passed", None, "call")
    report.pact = json.loads(json.dumps(outcome.to_json()))  # type: ignore[attr-defined]
    results.pytest_runtest_logreport(report)


def finished(results: Results) -> int:
    session: Any = SimpleNamespace(exitstatus=0)
    results.pytest_sessionfinish(session)
    return int(session.exitstatus)


@pytest.mark.parametrize(
    ("outcome", "status", "said"),
    [
        (making.PASSED, "passed", "passed"),
        (making.WARNED, "passed", "warned: unknown members of a part are refused"),
        (making.INCONCLUSIVE, "broken", f"inconclusive: {making.INCONCLUSIVE.reason}"),
        (making.UNTESTED, "skipped", "untested: a second Brand is needed"),
    ],
)
def test_a_verdict_has_a_status_a_tag_and_details(
    written: Written, tmp_path: Path, outcome: Outcome, status: str, said: str
) -> None:
    results = Results(making.CATALOGUE, tmp_path / "no-journal.ndjson")
    told(outcome, results)
    finished(results)

    (result,) = written.results
    assert result["status"] == status
    assert result["statusDetails"]["message"] == said
    assert outcome.verdict in labelled(result, "tag")


def test_of_many_exchanges_the_last_are_attached(written: Written, tmp_path: Path) -> None:
    ids = tuple(f"main-{number}" for number in range(1, 9))
    journal = making.journal(tmp_path, map(making.exchange, ids))
    results = Results(making.CATALOGUE, journal)
    told(replace(making.FAILED, exchanges=ids), results)
    finished(results)

    (result,) = written.results
    names = [it["name"].partition(":")[0] for it in result["attachments"]]
    assert names == ["main-4", "main-5", "main-6", "main-7", "main-8"]


def test_results_that_cannot_be_written_end_the_run_with_an_error(
    written: Written, tmp_path: Path
) -> None:
    results = Results(making.CATALOGUE, tmp_path / "no-journal.ndjson")
    told(making.PASSED, results)
    shutil.rmtree(written.folder)

    lines: list[str] = []
    terminal: Any = SimpleNamespace(write_line=lines.append)
    assert finished(results) == 3
    results.pytest_terminal_summary(terminal)
    assert lines == ["ERROR: Allure's results cannot be written: No such file or directory"]
