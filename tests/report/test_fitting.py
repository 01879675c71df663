"""A summary fits a screen however much there is to say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pact_conformance.report.fitting import Block, fitted

WIDTH = 40


def block(name: str, count: int, height: int = 1) -> Block:
    items = tuple(
        "\n".join([f"{name} {it}", *["more of it"] * (height - 1)]) for it in range(count)
    )
    return Block(items, lambda left: f"{name}: {left} more")


def test_what_fits_is_whole() -> None:
    assert fitted([block("failed", 2, 2), block("warned", 1)], 5, WIDTH) == [
        *("failed 0", "more of it", "failed 1", "more of it"),
        "warned 0",
    ]


def test_first_every_item_is_cut_to_a_line() -> None:
    lines = fitted([block("failed", 3, 2), block("warned", 1)], 5, WIDTH)

    assert lines == ["failed 0…", "failed 1…", "failed 2…", "warned 0"]


def test_then_the_last_of_each_are_counted_and_the_first_block_keeps_most() -> None:
    lines = fitted([block("failed", 100), block("untested", 30), block("warned", 1)], 14, WIDTH)

    assert lines == [
        *(f"failed {it}" for it in range(10)),
        "failed: 90 more",
        *("untested 0", "untested: 29 more"),
        "warned 0",
    ]


def test_a_line_that_counts_one_is_that_one() -> None:
    assert fitted([block("failed", 3), block("warned", 4)], 5, WIDTH) == [
        *("failed 0", "failed 1", "failed 2"),
        *("warned 0", "warned: 3 more"),
    ]


def test_without_a_bound_nothing_is_cut() -> None:
    assert len(fitted([block("failed", 100, 3)], None, WIDTH)) == 300


def test_a_long_line_is_cut_to_the_width() -> None:
    long = Block(("x" * 100, "y"), str)

    lines = fitted([long, block("warned", 3, 2)], 5, WIDTH)

    assert lines[0] == "x" * 39 + "…"


@given(
    st.lists(st.tuples(st.integers(0, 120), st.integers(1, 4)), max_size=7),
    st.integers(0, 60),
)
def test_it_never_takes_more_than_there_is_but_for_one_of_each_and_their_counts(
    sizes: list[tuple[int, int]], room: int
) -> None:
    blocks = [block(f"b{place}", *size) for place, size in enumerate(sizes)]

    lines = fitted(blocks, room, WIDTH)

    least = sum(1 + (count > 1) for count, _ in sizes if count)
    assert len(lines) <= max(room, least)
    for place, (count, _) in enumerate(sizes):
        of_it = [line for line in lines if line.startswith(f"b{place}")]
        told = sum(int(line.split()[1]) if line.endswith(" more") else 1 for line in of_it)
        assert told == count, "nothing is left out unsaid"


@pytest.mark.parametrize("room", range(30))
def test_more_room_never_shows_less(room: int) -> None:
    blocks = [block("failed", 9), block("untested", 5), block("warned", 2)]

    assert len(fitted(blocks, room, WIDTH)) <= len(fitted(blocks, room + 1, WIDTH))
