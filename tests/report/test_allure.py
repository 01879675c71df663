import dataclasses
import subprocess
import sys

import pytest

from pact_conformance.report import allure
from pact_conformance.verdicts import PRECEDENCE
from tests.report import making


def test_labels_place_a_result_by_profile_section_and_requirement() -> None:
    labels = allure.labels(making.FAILED, making.CATALOGUE["3.2-alg"])

    assert {it["name"]: it["value"] for it in labels if it["name"] != "tag"} == {
        "epic": "PACT Identity · Provider",
        "feature": "3.2 Personal-agent JWT",
        "story": "3.2-alg",
        "severity": "critical",
    }
    assert [it["value"] for it in labels if it["name"] == "tag"] == [
        "MUST",
        "§3.2",
        "failed",
        "check",
    ]


def test_every_requirement_has_labels() -> None:
    for row in making.CATALOGUE.requirements.values():
        assert all(it["value"].strip() for it in allure.labels(making.PASSED, row))


@pytest.mark.parametrize("verdict", PRECEDENCE)
def test_every_verdict_has_a_status(verdict: str) -> None:
    assert verdict in allure.STATUSES


def test_what_could_not_be_told_is_not_failed() -> None:
    assert allure.status(making.INCONCLUSIVE) == "broken"
    assert allure.status(making.FAILED) == "failed"


def test_details_are_harmless() -> None:
    details = allure.details(dataclasses.replace(making.FAILED, got="\x1b[31m"))

    assert details == {
        "message": "failed: expected 401, as for every authentication failure; got \\x1b[31m",
        "trace": "exchanges: main-1, main-2",
    }


def test_details_tell_what_to_do() -> None:
    details = allure.details(making.UNTESTED)

    assert details == {
        "message": "untested: a second Brand is needed",
        "trace": "set E2E_OTHER_BRAND",
    }


def test_history_follows_requirement_name_and_case() -> None:
    row, other = making.CATALOGUE["3.2-alg"], making.CATALOGUE["3.2-signature"]
    again = dataclasses.replace(making.FAILED, verdict="passed", seconds=9.0)

    assert allure.history_id(making.FAILED, row) == allure.history_id(again, row)
    assert allure.history_id(making.FAILED, row) != allure.history_id(making.FAILED, other)
    different = dataclasses.replace(making.FAILED, case="alg-hs256")
    assert allure.history_id(making.FAILED, row) != allure.history_id(different, row)


def test_allure_itself_is_not_needed() -> None:
    program = (
        "import sys, pact_conformance.report.allure as it; "
        "print([it for it in sys.modules if it.split('.')[0] in ('allure', 'allure_commons')])"
    )

    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert run.stdout == "[]\n"
