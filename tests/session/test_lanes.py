"""Lanes bound what is under way, in the order of asking."""

import threading

from pact_conformance.subject.lanes import Lanes

PATIENCE = 10.0


def test_whoever_needs_several_lanes_is_not_passed_by_those_who_need_one() -> None:
    lanes = Lanes(4)
    order: list[str] = []
    asked = threading.Event()

    def take(name: str, count: int) -> None:
        asked.set()
        with lanes.taken(count):
            order.append(name)

    with lanes.taken(2):
        threads = []
        for name, count in (("three", 3), ("one", 1)):
            asked.clear()
            threads.append(threading.Thread(target=take, args=(name, count)))
            threads[-1].start()
            asked.wait(PATIENCE)
            threads[-1].join(0.05)
        assert order == []
    for thread in threads:
        thread.join(PATIENCE)

    assert order == ["three", "one"]


def test_more_lanes_than_there_are_means_all_of_them() -> None:
    lanes = Lanes(2)

    with lanes.taken(5):
        pass
    with lanes.taken(2):
        pass
