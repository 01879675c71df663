"""Checks that share conversations stay in one process; the rest is spread evenly."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pact_conformance.catalogue import load
from pact_conformance.session.collection import CITED, Cited
from pact_conformance.session.roster import Entry, Roster, roster
from pact_conformance.session.scheduling import SMALLEST, TALKING, scopes
from tests.parallel.runs import turns_by_worker, workers
from tests.plugin.suite import run


def entry(number: int, *, talks: bool) -> Entry:
    return Entry(f"node-{number}", f"check_{number}", "", ("2.1-card-schema",), talks)


@pytest.mark.parametrize("count", [1, 2, 4, 8])
def test_the_portions_are_even_and_small_enough_to_balance(count: int) -> None:
    roster = Roster(tuple(entry(number, talks=number % 3 == 0) for number in range(450)))
    nodes = [it.node for it in roster.selected]

    found = scopes(nodes, roster, count)

    assert set(found) == set(nodes)
    assert {it.node for it in roster.selected if it.talks} == {
        node for node, scope in found.items() if scope == TALKING
    }
    portions: dict[str, int] = {}
    for scope in found.values():
        if scope != TALKING:
            portions[scope] = portions.get(scope, 0) + 1
    assert max(portions.values()) <= max(SMALLEST, -(-300 // (8 * count)))
    assert sum(1 for size in portions.values() if size < max(portions.values())) <= 1


def test_a_roster_comes_through_the_pipe_as_it_was() -> None:
    roster = Roster((entry(1, talks=True),), (entry(2, talks=False),))

    assert Roster.from_text(roster.to_text()) == roster


def test_examples_that_are_tried_on_a_personal_agent_talk() -> None:
    def item(requirement: str, *fixtures: str) -> Any:  # noqa: ANN401 - stands in for pytest's
        cited = Cited((load()[requirement],), "check", "")
        return SimpleNamespace(nodeid="", stash={CITED: cited}, fixturenames=fixtures)

    items = [
        item("4.2-agent-reply", "fuzzing"),
        item("4.2-agent-reply", "stage"),
        item("3.2-aud", "fuzzing"),
    ]

    assert [it.talks for it in roster(items, []).selected] == [True, False, False]


def test_what_talks_is_in_one_process_and_every_process_has_something_to_do(
    tmp_path: Path,
) -> None:
    locating = ("-p", "tests.parallel.locating")
    ended = run("-n", "3", "--pact-profile=identity", *locating, folder=tmp_path)

    assert ended.code == 0, ended.output
    where: dict[str, str] = json.loads((tmp_path / "where.json").read_text())
    talking = {
        worker
        for node, worker in where.items()
        if "test_4_2_context" in node or "test_a_message_of_the_wrong_form_is_refused" in node
    }
    assert len(talking) == 1
    assert list(turns_by_worker(ended)) == list(talking)
    assert set(where.values()) == {"gw0", "gw1", "gw2"}
    assert workers(ended) == {"main", "gw0", "gw1", "gw2"}


def test_each_conversation_is_held_once_whatever_dist_says(tmp_path: Path) -> None:
    ended = run("-n", "2", "--dist=each", "-k", "4.2-reply", folder=tmp_path)

    assert ended.code == 0, ended.output
    assert len(turns_by_worker(ended)) == 1
    turns = [it["turns"] for it in ended.report["turn_ledger"] if it["name"] == "opening"]
    assert turns == [1]
