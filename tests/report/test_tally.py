"""What the rules say of a run becomes outcomes, and what the run cost is counted on the way."""

from dataclasses import replace
from pathlib import Path

import pytest

from pact_conformance.catalogue import load
from pact_conformance.journal.exchange import Exchange
from pact_conformance.report.journal_rules import Tally, fold_journal
from pact_conformance.report.outcome import Outcome
from pact_conformance.settings import Settings
from tests.journal.exchanges import REPLY, exchange, unauthorized
from tests.report import making

ROWS = frozenset(load().requirements)
PLAIN = making.exchange("main-1")
LIMITED = exchange("message:send", 429, "", ("Retry-After", "1"))


def told(
    folder: Path, *exchanges: Exchange, settings: Settings | None = None
) -> dict[str, Outcome]:
    path = making.journal(folder, exchanges)
    outcomes, _ = fold_journal(path, settings or Settings(), about=ROWS, blocked=False)
    return {it.requirements[0]: it for it in outcomes}


def sent(status: int, body: object = "", **members: object) -> Exchange:
    return replace(exchange("message:send", status, body), **members)  # type: ignore[arg-type]


def tallied(*exchanges: Exchange) -> Tally:
    tally = Tally()
    assert list(tally.over(exchanges)) == [it for it in exchanges if it.by != "agent"]
    return tally


def test_a_reply_counts_once_however_often_it_is_told() -> None:
    other = {"message": {**REPLY["message"], "contextId": "c-2"}}
    tally = tallied(sent(200, REPLY), sent(200, REPLY, id="main-2"), sent(200, other, id="main-3"))

    assert (tally.requests, tally.turns) == (3, 2)


def test_a_task_is_a_reply_too() -> None:
    first, second = ({"task": {"id": it, "contextId": "c"}} for it in ("t-1", "t-2"))

    assert tallied(sent(200, first, id="a"), sent(200, first, id="b"), sent(200, second)).turns == 2


@pytest.mark.parametrize(
    "body", ["", "[]", {"message": {}}, {"message": "x"}, {"task": {"id": ""}}]
)
def test_a_reply_without_an_id_counts_by_its_exchange(body: object) -> None:
    assert tallied(sent(200, body, id="a"), sent(200, body, id="b"), sent(200, body)).turns == 3


def test_a_turn_that_fails_was_run_all_the_same() -> None:
    tally = tallied(sent(500, turn=True), sent(500, turn=True), sent(500), sent(501, turn=True))

    assert (tally.failures, tally.turns) == (2, 2)


def test_only_answers_to_messages_are_turns() -> None:
    others = (
        replace(exchange("tasks", 200, REPLY), turn=True),
        replace(exchange("tasks", 500), turn=True),
        making.unanswered("main-9"),
        sent(201, REPLY),
    )

    assert (tallied(*others).turns, tallied(*others).requests) == (0, 4)


def test_what_the_agent_under_test_sent_is_nobodys() -> None:
    tally = tallied(sent(200, REPLY, by="agent"), sent(200, REPLY, id="main-2"))

    assert tally.requests == 1
    assert [it["answers"] for it in tally.latency.to_json()] == [1]


def test_a_rule_that_is_broken_says_how_and_where(tmp_path: Path) -> None:
    broken = [replace(unauthorized('Bearer realm="b"'), id=f"main-{it}") for it in range(3)]
    bare = replace(exchange("tasks", 401), id="main-4")
    outcome = told(tmp_path, *broken, bare, replace(unauthorized('Bearer realm="a2a"'), id="x"))[
        "3.4-challenge"
    ]

    assert outcome == Outcome(
        name="every 401 carries the challenge Bearer with the realm a2a",
        case="",
        requirements=("3.4-challenge",),
        verdict="failed",
        expected='WWW-Authenticate: Bearer realm="a2a"',
        got="the realm 'b' (3 times); a 401 without WWW-Authenticate",
        exchanges=("main-0", "main-1", "main-2", "main-4"),
        kind="rule",
        counts={"applied": 5, "found": 4},
    )


def test_a_rule_that_is_kept_passes_with_its_notes(tmp_path: Path) -> None:
    outcome = told(tmp_path, unauthorized('bearer realm="a2a"'))["3.4-challenge"]

    assert (outcome.verdict, outcome.expected, outcome.got) == ("passed", "", "")
    assert outcome.notes == ("the scheme is spelt bearer",)
    assert outcome.exchanges == ()
    assert outcome.counts == {"applied": 1, "found": 0}


def test_only_the_first_causes_are_told_and_all_are_counted(tmp_path: Path) -> None:
    broken = [unauthorized(f'Bearer realm="{it}"') for it in "bcdefg"]
    outcome = told(tmp_path, *broken)["3.4-challenge"]

    assert outcome.got == "; ".join(f"the realm '{it}'" for it in "bcde")
    assert outcome.counts["found"] == 6


@pytest.mark.parametrize(("strict", "verdict"), [(False, "warned"), (True, "failed")])
def test_a_warning_fails_only_a_strict_run(tmp_path: Path, strict: bool, verdict: str) -> None:  # noqa: FBT001
    extra = unauthorized('Bearer realm="a2a", error="x"')
    found = told(tmp_path, extra, settings=Settings(strict=strict))

    assert found["3.4-no-extra-parameters"].verdict == verdict
    assert found["3.4-challenge"].verdict == "passed"


def test_a_rule_that_nothing_showed_says_what_to_do(tmp_path: Path) -> None:
    found = told(tmp_path, PLAIN)
    reason = "no exchange of this run shows it"

    for name in ("6-429-no-envelope", "6-429-retry-after"):
        assert (found[name].verdict, found[name].reason) == ("untested", reason)
        assert found[name].do == (
            "set hooks.rate_limit, or declare absent.rate_limits with a reason"
        )
    other = found["3.4-challenge"]
    assert (other.verdict, other.reason, other.do) == (
        "untested",
        reason,
        "select more of the suite",
    )


def test_what_is_declared_absent_does_not_apply_unless_it_shows(tmp_path: Path) -> None:
    declared = Settings(absent={"rate_limits": "no limits here"})
    found = told(tmp_path, PLAIN, settings=declared)["6-429-retry-after"]

    assert (found.verdict, found.do) == ("not applicable", "")
    assert found.reason == "declared absent: no limits here"
    assert told(tmp_path, LIMITED, settings=declared)["6-429-retry-after"].verdict == "passed"
