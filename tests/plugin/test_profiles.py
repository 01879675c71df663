"""Which profiles a run judges."""

import json
from pathlib import Path

from tests.plugin.suite import run

# A Provider that has no part in PACT Delegated.
WITHOUT = "--pact-mock-variants=offers-no-delegation"


def _profiles(folder: Path) -> dict[str, str]:
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return {name: profile["verdict"] for name, profile in report["profiles"].items()}


def test_a_card_without_delegation_is_judged_for_identity_alone(tmp_path: Path) -> None:
    ended = run(WITHOUT, "-k", "2.1-interface", folder=tmp_path)

    assert ended.code == 0, ended.output
    assert set(_profiles(tmp_path)) == {"identity"}
    assert not [check for check in ended.checks("untested") if check["name"].startswith("5")]


def test_a_card_with_delegation_is_judged_for_both(tmp_path: Path) -> None:
    ended = run("-k", "2.1-interface", folder=tmp_path)

    assert ended.code == 0, ended.output
    assert set(_profiles(tmp_path)) == {"identity", "delegated"}


def test_identity_alone_can_be_asked_for(tmp_path: Path) -> None:
    ended = run("--pact-profile=identity", "-k", "2.1-interface or 5.1-scheme", folder=tmp_path)

    assert ended.code == 0, ended.output
    assert set(_profiles(tmp_path)) == {"identity"}
    assert "5.1-scheme" not in ended.verdicts()


def test_delegated_that_is_claimed_and_not_offered_fails_by_its_card_alone(tmp_path: Path) -> None:
    ended = run(
        WITHOUT, "--pact-profile=delegated", "-k", "5.1-scheme or 5.5-served", folder=tmp_path
    )

    assert ended.code == 1, ended.output
    assert _profiles(tmp_path)["delegated"] == "not conformant"
    assert ended.verdicts()["5.1-scheme"] == "failed"
    assert ended.verdicts()["5.5-served"] == "not applicable"


def test_where_a_finding_comes_first_nothing_of_delegation_is_a_fault(tmp_path: Path) -> None:
    ended = run(
        "--pact-mock-flaws=lists-the-version-as-a-number",
        "--pact-profile=delegated",
        *("-k", "5.5-exp"),
        folder=tmp_path,
    )

    assert ended.code == 1, ended.output
    assert ended.verdicts()["5.5-exp"] == "untested"
