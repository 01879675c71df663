"""Which profiles a run judges."""

import json
from pathlib import Path

from tests.plugin.suite import run


def _profiles(folder: Path) -> dict[str, str]:
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return {name: profile["verdict"] for name, profile in report["profiles"].items()}


def test_a_card_without_delegation_is_judged_for_identity_alone(tmp_path: Path) -> None:
    ended = run("-k", "2.1-interface", folder=tmp_path)

    assert ended.code == 0, ended.output
    assert set(_profiles(tmp_path)) == {"identity"}


def test_delegated_that_is_asked_for_is_incomplete_while_it_has_no_checks(tmp_path: Path) -> None:
    ended = run(
        "--pact-profile=delegated", "--pact-complete", "-k", "2.1-interface", folder=tmp_path
    )

    assert ended.code == 1, ended.output
    assert _profiles(tmp_path)["delegated"] == "incomplete"
    assert "PACT Delegated: INCOMPLETE" in ended.output
