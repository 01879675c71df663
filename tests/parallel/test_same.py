"""Spread over processes, or in another order, a run finds the same and costs the same."""

from pathlib import Path

import pytest

from tests.parallel.runs import results, settled
from tests.plugin.suite import Run, run

SHUFFLED = ("-p", "tests.parallel.shuffling")


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Run:
    ended = run(folder=tmp_path_factory.mktemp("serial"))
    assert ended.code == 0, ended.output
    return ended


def test_the_report_is_the_same_over_several_processes(serial: Run, tmp_path: Path) -> None:
    ended = run("-n", "2", folder=tmp_path)

    assert ended.code == 0, ended.output
    assert settled(ended.report) == settled(serial.report)


def test_the_verdicts_are_the_same_in_any_order(serial: Run, tmp_path: Path) -> None:
    ended = run(*SHUFFLED, "--shuffled", "1", folder=tmp_path)

    assert ended.code == 0, ended.output
    assert results(ended) == results(serial)
    assert ended.report["turns"] == serial.report["turns"]


def test_the_verdicts_are_the_same_in_any_order_over_several_processes(
    serial: Run, tmp_path: Path
) -> None:
    ended = run(*SHUFFLED, "--shuffled", "4", "-n", "4", folder=tmp_path)

    assert ended.code == 0, ended.output
    assert results(ended) == results(serial)
    assert ended.report["turns"] == serial.report["turns"]


def test_a_selection_costs_what_it_needs_and_is_the_same_over_several_processes(
    tmp_path: Path,
) -> None:
    alone = run("-k", "4.2-reply or 2.1", folder=tmp_path / "alone")
    spread = run("-k", "4.2-reply or 2.1", "-n", "2", folder=tmp_path / "spread")

    assert alone.code == spread.code == 0, alone.output + spread.output
    assert settled(alone.report) == settled(spread.report)
    assert alone.report["turn_ledger"] == [{"name": "opening", "turns": 1}]
