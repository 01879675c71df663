"""How a campaign finds causes, counts and stops; nothing is sent."""

from collections.abc import Callable

import pytest

from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.example import Change, Example
from pact_conformance.fuzz.family import Impossible, Trial, Unanswered
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from pact_conformance.fuzz.trying import CONTROL_EVERY

from .letters import KINDS, Letters, values


def run(family: Letters, *, examples: int = 200, seed: int = 1, most: int = 10**6) -> Tally:
    return Campaign(family, Pace(None, most), examples=examples, seed=seed).run(draw, lessen)


def failing(fails: Callable[[dict[str, object]], bool], examples: int = 300) -> Tally:
    return run(Letters(fails), examples=examples)


def found(tally: Tally) -> list[dict[str, object]]:
    return [values(cause.example) for cause in tally.causes]


def test_nothing_is_found_where_nothing_fails() -> None:
    tally = run(Letters())

    assert (tally.tried, tally.causes, tally.stopped) == (200, [], "")
    assert tally.accepted + tally.refused + tally.undecided == 200
    assert tally.accepted > 0


def test_each_example_is_tried_once() -> None:
    family = Letters()

    run(family)

    assert len(set(family.sent)) == len(family.sent)


def test_a_failure_is_shrunk_to_its_change_and_least_value() -> None:
    tally = failing(lambda held: held.get("b") in {2, 4})

    assert found(tally) == [{"b": 2}]
    assert tally.causes[0].words == "b 2"
    assert tally.causes[0].requirement == "3.2-b"


def test_a_failure_that_takes_two_changes_keeps_both() -> None:
    tally = failing(lambda held: held.get("a") == 3 and held.get("c") == 1, examples=600)

    assert found(tally) == [{"a": 3, "c": 1}]


def test_each_cause_is_told_once() -> None:
    tally = failing(lambda held: "a" in held or held.get("e") == 4)

    assert sorted(map(sorted, found(tally))) == [["a"], ["e"]]
    assert all(cause.seen > 1 for cause in tally.causes)


def test_the_examples_that_show_a_cause_are_counted() -> None:
    family = Letters(lambda held: "a" in held)

    tally = run(family)

    shown = {it for it in family.sent if "a" in values(it)}
    assert 1 < tally.causes[0].seen <= len(shown)


def test_the_same_seed_finds_the_same() -> None:
    one, other = (Letters(lambda held: held.get("e") == 3) for _ in range(2))

    assert run(one) == run(other)
    assert one.sent == other.sent


def test_another_seed_tries_others() -> None:
    one, other = Letters(), Letters()

    run(one, examples=40)
    run(other, examples=40, seed=2)

    assert set(one.sent) != set(other.sent)


def test_a_warning_is_told_by_its_simplest_example() -> None:
    family = Letters()
    family.warns = lambda held: held.get("d") in {1, 2, 3}

    tally = run(family)

    assert found(tally) == [{"d": 1}]
    assert not tally.causes[0].trial.failed


def test_a_control_lies_between_any_few_examples() -> None:
    family = Letters()

    run(family, examples=250)

    assert family.controls >= 250 // CONTROL_EVERY


def test_what_was_refused_since_the_last_control_is_undecided_if_the_next_one_fails() -> None:
    family = Letters()
    family.good_until = 60

    tally = run(family)

    assert tally.inconclusive
    assert (tally.stopped, tally.do) == ("the control failed", "see to it")
    assert 0 < tally.undecided <= CONTROL_EVERY
    assert len(family.sent) < 60 + CONTROL_EVERY


def test_nothing_is_tried_where_the_first_control_fails() -> None:
    family = Letters()
    family.good_until = 0

    tally = run(family)

    assert (family.sent, tally.tried, tally.inconclusive) == ([], 0, True)


def test_the_bound_on_requests_ends_it() -> None:
    family = Letters(lambda held: "a" in held)

    tally = run(family, most=100)

    assert len(family.sent) + family.controls <= 100
    assert "bound on requests" in tally.stopped
    assert not tally.inconclusive


def test_examples_run_out_without_a_fuss() -> None:
    family = Letters()
    family.kinds = family.kinds[:2]

    tally = run(family, examples=10_000)

    assert 30 <= tally.tried <= 5 + 5 + 25
    assert tally.stopped == ""


def test_a_failure_that_comes_and_goes_is_no_cause() -> None:
    seen: set[tuple[tuple[str, object], ...]] = set()

    def first_time(held: dict[str, object]) -> bool:
        is_new = tuple(held.items()) not in seen
        seen.add(tuple(held.items()))
        return is_new and held == {"a": 0}

    assert failing(first_time).causes == []


class Silent(Letters):
    """Nothing comes to some examples, the first times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times

    def attempt(self, example: Example) -> Trial:
        if values(example).get("a") == 0 and self._times:
            self._times -= 1
            raise Unanswered(Trial("undecided", "an answer", "none"))
        return super().attempt(example)


def test_an_example_without_an_answer_is_sent_again() -> None:
    family = Silent(1)

    assert run(family).causes == []


def test_an_example_that_never_gets_an_answer_is_a_cause() -> None:
    tally = run(Silent(10**6))

    assert found(tally) == [{"a": 0}]
    assert tally.causes[0].trial.got == "none"


def test_an_example_that_cannot_be_made_is_not_counted() -> None:
    class Barren(Letters):
        def attempt(self, example: Example) -> Trial:
            if "a" in values(example):
                raise Impossible
            return super().attempt(example)

    family = Barren()
    tally = run(family, examples=100)

    assert tally.tried == len(family.sent) == 100


def test_a_fault_of_ours_is_not_the_subjects() -> None:
    class Broken(Letters):
        def attempt(self, example: Example) -> Trial:
            raise KeyError(example)

    with pytest.raises(KeyError):
        run(Broken())


def test_an_example_is_tried_alone() -> None:
    family = Letters(lambda held: "a" in held)
    example = KINDS.example([Change("a", (3,)), Change("c", (1,))])

    tally = Campaign(family, Pace(None, 100), examples=0, seed=1).alone(example)

    assert [cause.example for cause in tally.causes] == [example]
    assert set(family.sent) == {example}


@pytest.mark.parametrize("after", [1, 40, 120])
def test_what_was_found_before_an_interruption_is_told(after: int) -> None:
    family = Letters(lambda held: held.get("b") in {2, 4})
    sent = family.attempt

    def interrupted(example: Example) -> Trial:
        if len(family.sent) >= after:
            raise KeyboardInterrupt
        return sent(example)

    family.attempt = interrupted  # type: ignore[method-assign]
    campaign = Campaign(family, Pace(None, 10**6), examples=300, seed=1)

    with pytest.raises(KeyboardInterrupt):
        campaign.run(draw, lessen)
    before = list(family.sent)
    tally = campaign.cut_short()

    assert family.sent == before
    assert tally.inconclusive
    assert tally.stopped == "it was interrupted"
    assert tally.accepted + tally.refused + tally.undecided == tally.tried
    assert {it.kind for cause in tally.causes for it in cause.example.changes} <= {"b"}
    assert bool(tally.causes) == (after > 1)
