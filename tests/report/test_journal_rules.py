"""Rules say something only of what the run judges."""

import json
from pathlib import Path

import pytest

from pact_conformance.catalogue import load
from pact_conformance.report.journal_rules import fold_journal
from pact_conformance.settings import Settings
from pact_conformance.wire.errors import envelope
from tests.journal.exchanges import exchange

ROWS = load().requirements
IDENTITY = frozenset(it.id for it in ROWS.values() if it.profile == "identity")
OF_DELEGATED = {"5.5-no-a2a-body", "6-oauth-no-envelope"}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.ndjson"
    bad = exchange("oauth", 400, envelope("INVALID_PARAMS", "no"))
    path.write_text(json.dumps(bad.to_json()) + "\n", encoding="utf-8")
    return path


def verdicts(journal: Path, about: frozenset[str], *, blocked: bool = False) -> dict[str, str]:
    outcomes, _ = fold_journal(journal, Settings(), about=about, blocked=blocked)
    return {it.requirements[0]: it.verdict for it in outcomes}


def test_rules_of_delegated_say_nothing_where_it_is_not_judged(journal: Path) -> None:
    assert OF_DELEGATED.isdisjoint(verdicts(journal, IDENTITY))


def test_rules_of_delegated_speak_where_it_is(journal: Path) -> None:
    found = verdicts(journal, frozenset(ROWS))

    assert {it: found[it] for it in OF_DELEGATED} == {
        "5.5-no-a2a-body": "untested",
        "6-oauth-no-envelope": "failed",
    }
    assert IDENTITY & found.keys() == verdicts(journal, IDENTITY).keys()


def test_no_rule_speaks_where_a_finding_blocks(journal: Path) -> None:
    assert verdicts(journal, frozenset(ROWS), blocked=True) == {}
