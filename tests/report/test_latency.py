import pytest
from hypothesis import given
from hypothesis import strategies as st

from pact_conformance.journal.exchange import Received
from pact_conformance.report.latency import Latency
from tests.report import making

SECONDS = st.floats(1e-4, 120)


def told(*exchanges: object) -> list[dict[str, object]]:
    latency = Latency()
    for each in exchanges:
        latency.note(each)  # type: ignore[arg-type]
    return latency.to_json()


@given(st.lists(SECONDS, min_size=1, max_size=200))
def test_each_time_is_within_three_percent_of_the_one_that_was_measured(times: list[float]) -> None:
    (row,) = told(*(making.exchange("main-1", elapsed=it) for it in times))

    seconds = row["seconds"]
    assert isinstance(seconds, dict)
    ordered = sorted(times)
    assert seconds["least"] == pytest.approx(ordered[0], abs=1e-6)
    assert seconds["most"] == pytest.approx(ordered[-1], abs=1e-6)
    for percent in (25, 50, 75, 95):
        exact = ordered[-(-len(ordered) * percent // 100) - 1]
        assert seconds[f"p{percent}"] == pytest.approx(exact, rel=0.03, abs=1e-6)


def test_a_turn_is_told_apart_from_what_is_refused_before_it() -> None:
    refused = making.exchange("main-1", turn=True, answer=Received(401, (), ""))
    served = making.exchange("main-2", turn=True)

    rows = told(refused, served, served)

    assert [(row["operation"], row["turn"], row["answers"]) for row in rows] == [
        ("message:send", True, 2),
        ("message:send", False, 1),
    ]


def test_what_got_no_answer_is_counted_apart() -> None:
    (row,) = told(making.unanswered("main-1"))

    assert (row["answers"], row["unanswered"]) == (0, 1)


@pytest.mark.parametrize("about", [{"by": "agent"}, {"caused": True}, {"operation": "other"}])
def test_what_says_nothing_about_the_provider_is_left_out(about: dict[str, object]) -> None:
    assert told(making.exchange("main-1", **about)) == []
