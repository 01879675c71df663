"""Runs that know failures: what they show, how they end, and what they write."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pact_conformance.wire.schema import problems
from tests.plugin.suite import run

SCHEME = """
[[known]]
requirement = "2.1-jwt-scheme"
check = "the card declares the personal agent jwt"
reason = "the card is made by our gateway"
expires = 2999-12-31
"""
PAGES = """
# the store caps them
[[known]]
requirement = "2.2-page-size-range"
check = "a_page_size_from_1_to_100_is_taken"
case = "100"
reason = "the store caps pages"
"""
STALE = PAGES.replace('"100"', '"1"')
EXPIRED = PAGES + "expires = 2026-01-01\n"
NO_SUCH = PAGES.replace("is_taken", "is_tekan")
NOT_SELECTED = """
[[known]]
requirement = "3.2-alg"
check = "a_forged_token_is_refused"
case = "alg-array"
reason = "not of this run"
"""

FLAWED = ("--pact-mock-flaws=declares-an-api-key,caps-a-page-at-50", "-k", "2.1-jwt or page-size")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "known.toml"


def test_a_known_failure_is_told_and_a_new_one_fails_the_run_of_several_processes(
    tmp_path: Path, file: Path
) -> None:
    file.write_text(SCHEME + NOT_SELECTED)
    junit = tmp_path / "junit.xml"

    ended = run(*FLAWED, "-n2", f"--pact-baseline={file}", f"--junitxml={junit}", folder=tmp_path)

    assert ended.code == 1, ended.output
    assert (ended.counted["failed"], ended.counted["xfailed"]) == (1, 1)
    assert "failed       2.2-page-size-range" in ended.output
    reason = "the card is made by our gateway (until 2999-12-31)"
    assert "known        2.1-jwt-scheme: the card declares the personal agent jwt:" in ended.output
    known = {it["name"]: it.get("known") for it in ended.checks("failed")}
    assert known == {
        "the_card_declares_the_personal_agent_jwt": reason,
        "a_page_size_from_1_to_100_is_taken": None,
    }
    assert [it["state"] for it in ended.report["baseline"]] == ["known", "undecided"]
    assert problems(ended.report, "report") == []
    assert ended.report["profiles"]["identity"]["verdict"] == "not conformant"
    assert reason in (tmp_path / "report.html").read_text("utf-8")
    cases = ET.parse(junit).getroot().findall(".//testcase")
    [case] = [it for it in cases if _said(it, "known") == [reason]]
    assert case.find("skipped") is not None
    assert _said(case, "verdict") == ["failed"]
    assert _said(case, "requirement") == ["2.1-jwt-scheme"]
    assert all(_said(it, "verdict") for it in cases)


def _said(case: ET.Element, name: str) -> list[str | None]:
    """The values of a property of a test case."""
    return [it.get("value") for it in case.iterfind(f"properties/property[@name='{name}']")]


def test_entries_that_are_out_of_date_fail_the_run_and_are_listed(
    tmp_path: Path, file: Path
) -> None:
    file.write_text(SCHEME + STALE + EXPIRED + NO_SUCH)

    ended = run(*FLAWED, f"--pact-baseline={file}", folder=tmp_path)

    assert ended.code == 1, ended.output
    for said in (
        "[1] no longer fails",
        "[100] has expired on 2026-01-01",
        "no result of this suite",
    ):
        assert said in " ".join(ended.output.split()), said
    assert [it["state"] for it in ended.report["baseline"]] == [
        "known",
        "no longer failing",
        "expired",
        "no such check",
    ]
    # the three entries, and the failure that the expired one no longer covers
    assert ended.counted["failed"] == 4
    assert "The baseline is out of date" in (tmp_path / "report.html").read_text("utf-8")


def test_a_baseline_is_rewritten_and_then_keeps_the_run_from_failing(
    tmp_path: Path, file: Path
) -> None:
    file.write_text(SCHEME + STALE + NOT_SELECTED)

    ended = run(*FLAWED, f"--pact-baseline={file}", "--pact-update-baseline", folder=tmp_path)

    assert ended.code == 0, ended.output
    assert "1 added, 1 taken out, 2 kept" in ended.output
    written = file.read_text("utf-8")
    assert written.startswith(SCHEME + NOT_SELECTED)
    assert written.endswith('case = "100"\nreason = "' + _reason(written) + '"\n')

    again = run(*FLAWED, f"--pact-baseline={file}", folder=tmp_path)

    assert again.code == 0, again.output
    assert again.counted["xfailed"] == 2


def _reason(written: str) -> str:
    """What the run wrote as the last reason; it names the day."""
    reason = json.loads(written.rstrip().rpartition("reason = ")[2])
    assert reason.startswith("found on ")
    return str(reason)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--pact-baseline={file}"], "entry 1: reason is missing"),
        (["--pact-update-baseline"], "--pact-baseline=FILE says which file to rewrite"),
    ],
)
def test_a_bad_baseline_ends_with_4_before_anything_is_sent(
    tmp_path: Path, file: Path, options: list[str], said: str
) -> None:
    file.write_text('[[known]]\nrequirement = "2.1-jwt-scheme"\ncheck = "x"\n')

    ended = run(*(it.format(file=file) for it in options), folder=tmp_path / "reports")

    assert ended.code == 4, ended.output
    [error] = ended.errors
    assert said in error
    assert not (tmp_path / "reports").exists()
