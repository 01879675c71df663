"""What the agent under test sent to the stage is shown, and held against no rule of Providers."""

import json
from dataclasses import replace
from pathlib import Path

from pact_conformance.catalogue import load
from pact_conformance.journal.exchange import Exchange
from pact_conformance.report.exchanges import show
from pact_conformance.report.journal_rules import fold_journal
from pact_conformance.settings import Settings
from pact_conformance.wire.errors import envelope
from tests.journal.exchanges import exchange

BAD = exchange("oauth", 400, envelope("INVALID_PARAMS", "no"))
RULE = "6-oauth-no-envelope"


def folded(tmp_path: Path, *exchanges: Exchange) -> tuple[str, int]:
    """What the rule says of a journal, and how many requests it counts."""
    path = tmp_path / "journal.ndjson"
    path.write_text("".join(f"{json.dumps(it.to_json())}\n" for it in exchanges), encoding="utf-8")
    outcomes, tally = fold_journal(
        path, Settings(), about=frozenset(load().requirements), blocked=False
    )
    verdicts = {it.requirements[0]: it.verdict for it in outcomes}
    return verdicts[RULE], tally.requests


def test_rules_of_providers_are_about_what_the_suite_sent(tmp_path: Path) -> None:
    assert folded(tmp_path, BAD) == ("failed", 1)
    assert folded(tmp_path, replace(BAD, by="agent")) == ("untested", 0)


def test_a_journal_without_senders_is_the_suites() -> None:
    value = BAD.to_json()
    del value["by"]

    assert Exchange.from_json(value).by == "suite"


def test_nobody_can_send_again_what_the_agent_sent() -> None:
    ours, theirs = show(BAD), show(replace(BAD, by="agent"))

    assert ours.curl.startswith("curl ")
    assert theirs.curl == ""
    assert "from the agent" in theirs.credentials
    assert theirs.request == ours.request
