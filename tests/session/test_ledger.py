"""The ledger bounds what a run costs, whoever spends, waits, gives back or dies."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pact_conformance.session.planning import compared
from pact_conformance.subject.ledger import Ledger, LedgerUnwritable, Planned, allot, total
from pact_conformance.verdicts import Untested

TALKS = (
    Planned("opening", 1),
    Planned("continued", 1, ("opening",)),
    Planned("at_once", 3),
    Planned("ended", 1, ("continued",)),
)


MORE = "; the subject served what it should have refused or repeated)"


@pytest.mark.parametrize(
    ("available", "held"),
    [
        (0, []),
        (1, ["opening"]),
        (2, ["opening"]),
        (3, ["opening", "continued"]),
        (4, ["opening", "continued", "ended"]),
        (5, ["opening", "continued", "ended"]),
        (6, ["opening", "continued", "at_once"]),
        (7, ["opening", "continued", "at_once", "ended"]),
    ],
)
def test_what_a_bound_allows_is_known_before_and_keeps_a_turn_in_reserve(
    available: int, held: list[str]
) -> None:
    assert list(allot(TALKS, available)) == held


def test_the_total_is_enough_for_everything() -> None:
    assert list(allot(TALKS, total(TALKS))) == [it.name for it in TALKS]
    assert len(allot(TALKS, total(TALKS) - 1)) < len(TALKS)
    assert total(()) == 0


def test_what_goes_on_from_something_that_is_cut_off_is_cut_off_too() -> None:
    assert list(allot([Planned("long", 9), Planned("goes_on", 1, ("long",))], 5)) == []


def test_the_first_process_to_plan_decides_for_all(tmp_path: Path) -> None:
    one, other = (
        Ledger(tmp_path / "l", limit=3, worker=name, shared=True) for name in ("gw0", "gw1")
    )

    assert one.plan(TALKS) == {"opening", "continued"}
    one.settle(one.take("opening", 1), 1)
    one.take("continued", 1)
    assert other.plan(TALKS) == {"opening", "continued"}
    assert other.planned == total(TALKS)


def test_turns_that_are_set_aside_are_nobody_else_s() -> None:
    ledger = Ledger(limit=3)
    ledger.plan(TALKS)

    ledger.take("a check", 1)
    with pytest.raises(Untested) as told:
        ledger.take("another check", 1)

    assert told.value.reason == "--pact-max-turns=3 leaves too few turns for this"
    assert ledger.so_far == "1 spent, 7 planned"
    assert told.value.do == "run with --pact-max-turns=7"
    ledger.take("opening", 1)
    ledger.take("continued", 1)


def test_turns_that_were_not_spent_are_spent_by_others() -> None:
    ledger = Ledger(limit=1)

    ledger.settle(ledger.take("refused", 1), 0)
    ledger.settle(ledger.take("served", 1), 1)

    with pytest.raises(Untested) as told:
        ledger.take("late", 1)
    assert told.value.do == "run with --pact-max-turns=2"
    assert ledger.spent() == {"served": 1}


def test_who_may_wait_gets_a_turn_that_comes_back() -> None:
    ledger = Ledger(limit=1)
    entry = ledger.take("first", 1)
    threading.Timer(0.1, ledger.settle, (entry, 0)).start()

    ledger.take("second", 1, until=time.monotonic() + 10)


def test_a_turn_that_does_not_come_back_is_not_waited_for_any_longer() -> None:
    ledger = Ledger(limit=1)
    ledger.settle(ledger.take("first", 1), 1)

    started = time.monotonic()
    with pytest.raises(Untested):
        ledger.take("second", 1, until=started + 10)

    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "under_way", [{}, {"a conversation that costs nothing": 0}, {"too little": 1}]
)
def test_only_turns_under_way_are_waited_for_and_only_if_they_are_enough(
    under_way: dict[str, int],
) -> None:
    ledger = Ledger(limit=3)
    for name, turns in under_way.items():
        ledger.take(name, turns)
    ledger.note("served though it should not be", 3 - sum(under_way.values()))

    started = time.monotonic()
    with pytest.raises(Untested):
        ledger.take("late", 2, until=started + 10)

    assert time.monotonic() - started < 5


def test_a_process_that_died_has_spent_all_that_it_took(tmp_path: Path) -> None:
    dead, alive = (
        Ledger(tmp_path / "l", limit=4, worker=name, shared=True) for name in ("gw1", "gw11")
    )
    dead.take("opening", 2)
    kept = alive.take("another", 1)

    alive.abandon("gw1")

    assert alive.spent() == {"opening": 2, "another": 1}
    alive.settle(kept, 0)
    assert alive.spent() == {"opening": 2}


def test_the_bound_holds_between_processes_and_threads(tmp_path: Path) -> None:
    """Each ledger stands for a process: they share nothing but the file."""
    ledgers = [
        Ledger(tmp_path / "l", limit=20, worker=f"gw{number}", shared=True) for number in range(4)
    ]

    def spend(number: int) -> int:
        ledger = ledgers[number % 4]
        try:
            ledger.settle(ledger.take(f"check {number}", 1), 1)
        except Untested:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        spent = sum(pool.map(spend, range(60)))

    assert spent == 20
    assert sum(ledgers[0].spent().values()) == 20


def test_a_bound_that_was_enough_as_planned_is_not_told_to_be_raised_to_a_number() -> None:
    ledger = Ledger(limit=7)
    ledger.plan(TALKS)
    ledger.note("served though it should not be", 1)

    assert ledger.used_up().do.startswith("raise it: a subject that serves what it should refuse")


@pytest.mark.parametrize(
    ("turns", "planned", "limit", "words"),
    [
        (0, 0, None, ""),
        (23, 24, None, " (24 planned)"),
        (9, 24, 10, " (24 planned, --pact-max-turns=10)"),
        (29, 24, None, " (24 planned" + MORE),
        (1, 0, 3, " (0 planned, --pact-max-turns=3" + MORE),
    ],
)
def test_the_cost_is_compared_with_what_was_planned(
    turns: int, planned: int, limit: int | None, words: str
) -> None:
    assert compared(turns, planned=planned, limit=limit) == words


def test_without_a_bound_turns_are_entered_all_the_same() -> None:
    ledger = Ledger()
    ledger.plan(TALKS)
    ledger.settle(ledger.take("opening", 1), 1)
    ledger.note("unasked", 2)

    assert ledger.spent() == {"opening": 1, "unasked": 2}


def test_a_torn_last_line_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "l"
    Ledger(path, limit=2).take("opening", 1)
    with path.open("a") as file:
        file.write('{"id": "main-9", "name"')

    assert Ledger(path, limit=2).spent() == {"opening": 1}


def test_a_ledger_that_cannot_be_written_lets_nothing_out(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnwritable, match="cannot be written"):
        Ledger(tmp_path / "nowhere" / "l").take("opening", 1)


def test_the_file_is_lines_of_json(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l")
    ledger.plan(TALKS[:1])
    ledger.settle(ledger.take("opening", 1), 1)

    lines = [json.loads(line) for line in (tmp_path / "l").read_text().splitlines()]
    assert lines == [
        {"plan": {"opening": 1}, "total": 2},
        {"id": "main-1", "name": "opening", "turns": 1},
        {"id": "main-1", "spent": 1},
    ]
