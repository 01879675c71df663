import pytest

from pact_conformance.report.view_of_figures import MOST_SPENDERS, duration, latency, turns
from tests.report import making


def test_times_lie_on_one_scale_that_grows_tenfold() -> None:
    shown = latency(making.LATENCY)

    assert shown is not None
    assert shown.marks == ("10 ms", "100 ms", "1 s", "10 s")
    first = shown.rows[0]
    assert first.operation == "message:send, a turn"
    assert (first.half, first.most_of_them, first.longest) == ("30 ms", "200 ms", "1.5 s")
    assert first.at["least"] == 0.0
    assert first.at["p25"] < first.at["p50"] < first.at["p75"] < first.at["most"] < 1000


def test_where_nothing_was_answered_there_is_no_plot() -> None:
    silent = {**making.LATENCY[0], "answers": 0, "unanswered": 3}

    assert latency([silent]) is None
    assert latency([]) is None


def test_times_that_are_all_the_same_have_a_scale_too() -> None:
    seconds = dict.fromkeys(making.LATENCY[0]["seconds"], 0.01)

    shown = latency([{**making.LATENCY[0], "seconds": seconds}])

    assert shown is not None
    assert shown.marks == ("10 ms", "100 ms")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0.0 ms"),
        (0.00042, "0.4 ms"),
        (0.0123, "12 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.0 s"),
        (1.0, "1 s"),
        (1.25, "1.2 s"),
        (40.4, "40 s"),
    ],
)
def test_a_duration_is_told_as_people_read_it(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_what_cost_one_turn_is_counted_and_not_named() -> None:
    ledger = [{"name": "a_first_message", "turns": 1}, {"name": "at_once", "turns": 3}]

    shown = turns(ledger)

    assert shown is not None
    assert [(it.name, it.turns, it.width) for it in shown.spenders] == [("at once", 3, 1000.0)]
    assert (shown.others, shown.of_others) == (1, 1)


def test_so_many_are_named_and_none_where_nothing_cost_a_turn() -> None:
    shown = turns([{"name": f"n{it}", "turns": it} for it in range(2, 40)])

    assert shown is not None
    assert len(shown.spenders) == MOST_SPENDERS
    assert shown.spenders[0].turns == 39
    assert turns([]) is turns([{"name": "idle", "turns": 0}]) is None
