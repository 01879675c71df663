"""Conversations are held once, overlap, and tell every check why they could not be held."""

import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pact_conformance import conversations
from pact_conformance.conversations import AT_ONCE, PLANNED, Conversations, conversation, needed
from pact_conformance.verdicts import Inconclusive, Notebook, notebook, open_notebook

PATIENCE = 10.0
"""Seconds that a test waits for what has to happen; only a fault makes it wait so long."""


@pytest.fixture(autouse=True)
def plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a plan of its own."""
    monkeypatch.setattr(conversations, "PLANNED", {})


def plan_of(*holds: Callable[..., Any]) -> tuple[str, ...]:
    for hold in holds:
        conversation(turns=1)(hold)
    return tuple(hold.__name__ for hold in holds)


def held(parts: Callable[[str], Any] = str.upper) -> Conversations:
    return Conversations(parts, seconds=PATIENCE)


def test_a_conversation_is_held_once_however_often_it_is_asked_for() -> None:
    calls: list[str] = []

    def greeting(provider: str) -> str:
        calls.append(provider)
        return f"hello {provider}"

    plan_of(greeting)
    talks = held()

    assert [talks.result("greeting") for _ in range(3)] == ["hello PROVIDER"] * 3
    assert calls == ["PROVIDER"]


def test_many_threads_that_ask_at_once_get_the_one_result() -> None:
    calls: list[int] = []
    together = threading.Barrier(8)
    got: list[object] = []

    def greeting() -> object:
        calls.append(1)
        return object()

    plan_of(greeting)
    talks = held()

    def ask() -> None:
        together.wait(PATIENCE)
        got.append(talks.result("greeting"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)

    assert len(calls) == 1
    assert len(got) == 8
    assert len({id(it) for it in got}) == 1


def test_a_conversation_goes_on_from_others() -> None:
    order: list[str] = []

    def opening(provider: str) -> str:
        order.append("opening")
        return provider

    def continued(opening: str) -> str:
        order.append("continued")
        return opening + "!"

    def ended(continued: str, opening: str) -> str:
        order.append("ended")
        return continued + opening

    plan_of(ended, continued, opening)

    assert held().result("ended") == "PROVIDER!PROVIDER"
    assert order == ["opening", "continued", "ended"]


def test_what_a_run_needs_is_known_before_it_starts() -> None:
    def opening(provider: str) -> None: ...
    def continued(opening: None) -> None: ...
    def other(provider: str) -> None: ...

    plan_of(continued, other, opening)

    assert [it.name for it in needed(["continued", "card"])] == ["opening", "continued"]
    assert [it.name for it in needed(["other", "continued", "opening"])] == [
        "other",
        "opening",
        "continued",
    ]
    assert needed(["card"]) == ()


def test_an_error_is_raised_to_every_check_that_asks_and_to_what_goes_on_from_it() -> None:
    calls: list[int] = []

    def opening() -> None:
        calls.append(1)
        raise Inconclusive("nobody answers", do="start it")

    def continued(opening: None) -> None:
        raise AssertionError(opening)

    plan_of(opening, continued)
    talks = held()

    for name in ("continued", "opening", "continued"):
        with pytest.raises(Inconclusive, match="nobody answers") as told:
            talks.result(name)
        assert told.value.do == "start it"
    assert calls == [1]


def test_the_traceback_of_an_error_does_not_grow_with_each_check_that_asks() -> None:
    def opening() -> None:
        raise RuntimeError("a fault of ours")

    plan_of(opening)
    talks = held()

    def frames() -> int:
        with pytest.raises(RuntimeError) as told:
            talks.result("opening")
        return len(traceback.extract_tb(told.value.__traceback__))

    assert frames() == frames() == frames()


def test_the_exchanges_of_a_conversation_belong_to_every_check_that_asks() -> None:
    def opening() -> None:
        open_notebook().exchanges.append("x-1")
        open_notebook().notes.append("what a conversation notes is nobody's")

    def continued(opening: None) -> None:
        del opening
        open_notebook().exchanges.append("x-2")

    plan_of(opening, continued)
    talks = held()

    for _ in range(2):
        with notebook(Notebook()) as book:
            talks.result("continued")
        assert book.exchanges == ["x-1", "x-2"]
        assert book.notes == []
    with notebook(Notebook()) as book:
        talks.result("opening")
    assert book.exchanges == ["x-1"]


def test_a_conversation_has_a_deadline_of_its_own() -> None:
    seen: list[float | None] = []

    def opening() -> None:
        seen.append(open_notebook().left)

    plan_of(opening)
    with notebook(Notebook(until=0.0)):
        held().result("opening")

    (left,) = seen
    assert left is not None
    assert PATIENCE - 5 < left <= PATIENCE


def test_independent_conversations_overlap() -> None:
    together = threading.Barrier(AT_ONCE)

    def meeting() -> int:
        return together.wait(PATIENCE)

    names = [f"meeting_{number}" for number in range(AT_ONCE)]
    for name in names:
        hold = lambda: meeting()  # noqa: E731, PLW0108 - each needs a name of its own
        hold.__name__ = name
        plan_of(hold)
    talks = held()

    talks.start(needed(names))

    assert sorted(talks.result(name) for name in names) == list(range(AT_ONCE))


def test_no_more_than_at_once_are_held_at_the_same_time() -> None:
    lock, running, most = threading.Lock(), 0, 0
    full, go_on = threading.Event(), threading.Event()

    def talk() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
            if running == AT_ONCE:
                full.set()
        go_on.wait(PATIENCE)
        with lock:
            running -= 1

    names: list[str] = []
    for number in range(AT_ONCE * 3):
        hold = lambda: talk()  # noqa: E731, PLW0108
        hold.__name__ = f"talk_{number}"
        names += plan_of(hold)
    talks = held()
    talks.start(needed(names))
    assert full.wait(PATIENCE)
    go_on.set()
    talks.close()

    assert most == AT_ONCE


def test_chains_that_use_up_all_threads_do_not_wait_for_each_other() -> None:
    """Each thread takes the end of a chain first, and all chains hang on one opening."""
    started = threading.Event()

    def opening() -> str:
        started.set()
        return "o"

    plan_of(opening)
    names: list[str] = []
    for number in range(AT_ONCE * 2):
        namespace: dict[str, Any] = {}
        source = (
            f"def middle_{number}(opening): return opening + 'm'\n"
            f"def end_{number}(middle_{number}): return middle_{number} + 'e'\n"
        )
        exec(source, namespace)
        plan_of(namespace[f"middle_{number}"], namespace[f"end_{number}"])
        names.append(f"end_{number}")
    talks = held()

    talks.start([conversations.PLANNED[name] for name in reversed(names)])
    results: list[str] = []
    asking = threading.Thread(target=lambda: results.extend(map(talks.result, names)), daemon=True)
    asking.start()
    asking.join(PATIENCE)

    assert results == ["ome"] * len(names)
    assert started.is_set()


@pytest.fixture
def slow() -> Iterator[tuple[Conversations, threading.Event, list[str]]]:
    """Conversations of which the first ones last until they are told to end."""
    go_on, begun, first = threading.Event(), [], threading.Barrier(AT_ONCE + 1)

    def talk(name: str) -> str:
        begun.append(name)
        if len(begun) <= AT_ONCE:
            first.wait(PATIENCE)
        go_on.wait(PATIENCE)
        return name

    names = [f"talk_{number}" for number in range(AT_ONCE * 2)]
    for name in names:
        namespace: dict[str, Any] = {"talk": talk}
        exec(f"def {name}(): return talk('{name}')", namespace)
        plan_of(namespace[name])
    talks = held()
    talks.start(needed(names))
    first.wait(PATIENCE)
    yield talks, go_on, begun
    go_on.set()


def test_closing_begins_nothing_more_and_waits(
    slow: tuple[Conversations, threading.Event, list[str]],
) -> None:
    talks, go_on, begun = slow
    closing = threading.Thread(target=talks.close)
    closing.start()
    closing.join(0.05)
    assert closing.is_alive(), "it waits for what is being said"

    go_on.set()
    closing.join(PATIENCE)

    assert not closing.is_alive()
    assert len(begun) == AT_ONCE


def test_an_interrupted_run_waits_for_nobody(
    slow: tuple[Conversations, threading.Event, list[str]],
) -> None:
    talks, go_on, begun = slow

    talks.close(wait=False)
    talks.close()

    assert not go_on.is_set()
    assert len(begun) == AT_ONCE


def test_the_plan_of_the_suite_itself_is_untouched() -> None:
    assert conversations.PLANNED is not PLANNED


def test_what_is_held_for_advice_waits_until_it_is_asked_for() -> None:
    calls: list[tuple[str, bool]] = []

    def ordinary() -> None:
        calls.append(("ordinary", open_notebook().hardening))

    def advised() -> str:
        calls.append(("advised", open_notebook().hardening))
        return "measured"

    conversation(turns=0)(ordinary)
    conversation(turns=0, hardening=True)(advised)
    talks = held()
    talks.start(needed(["advised", "ordinary"]))
    talks.result("ordinary")
    talks.close()

    assert calls == [("ordinary", False)]
    assert talks.result("advised") == "measured"
    assert calls[1:] == [("advised", True)]
