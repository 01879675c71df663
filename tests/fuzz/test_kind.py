import pytest

from pact_conformance.fuzz.example import Change, Example, NoExample
from pact_conformance.fuzz.kind import Due, Kind, OneOf, combined

from .letters import KINDS


@pytest.mark.parametrize(
    ("dues", "due"),
    [
        ([], "accepted"),
        (["accepted"], "accepted"),
        (["accepted", "refused"], "refused"),
        (["either", "refused", "warn-if-accepted"], "refused"),
        (["accepted", "either"], "either"),
        (["either", "warn-if-accepted"], "either"),
        (["accepted", "warn-if-accepted"], "warn-if-accepted"),
        (["accepted", "warn-if-refused"], "warn-if-refused"),
        (["warn-if-accepted", "warn-if-refused"], "either"),
    ],
)
def test_what_is_due_to_several_changes(dues: list[Due], due: Due) -> None:
    assert combined(dues) == due
    assert combined(reversed(dues)) == due


def test_of_two_changes_of_one_thing_the_first_stays() -> None:
    example = KINDS.example([Change("b", (1,)), Change("a", (2,)), Change("b", (3,))])

    assert example.changes == (Change("a", (2,)), Change("b", (1,)))


def test_an_example_is_the_same_in_any_order_of_its_changes() -> None:
    changes = [Change("d", (0,)), Change("a", (2,)), Change("c", (4,))]

    assert KINDS.example(changes) == KINDS.example(reversed(changes))


@pytest.mark.parametrize(
    "changes",
    [
        [Change("z", (0,))],
        [Change("a")],
        [Change("a", (5,))],
        [Change("a", (True,))],
        [Change("a", ("0",))],
        [Change("a", (0, 1))],
        [Change("a", (0,)), Change("a", (1,))],
    ],
)
def test_an_example_that_the_family_does_not_have_is_told(changes: list[Change]) -> None:
    with pytest.raises(NoExample):
        KINDS.of(Example("letters", tuple(changes)))


def test_the_change_that_decides_is_blamed() -> None:
    blamed = KINDS.blamed(KINDS.example([Change("c", (0,)), Change("e", (0,))]))

    assert blamed is not None
    assert blamed.id == "e"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("caf\u00e9", "caf\u00e9"),
        ("a\r\nb", "a\\r\\nb"),
        ("\0\ud800\u202e", "\\x00\\ud800\\u202e"),
        ("a" * 3000, f"{'a' * 100}\u2026 of 3000 characters"),
    ],
)
def test_a_value_is_said_in_signs_that_can_be_seen(value: str, said: str) -> None:
    told: Kind[list[str]] = Kind(
        "odd", "the value {0}", "either", "3.2-alg", list.append, ("odd",), (OneOf([value]),)
    )

    assert told.said(Change("odd", (value,))) == f"the value {said}"
