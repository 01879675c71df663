"""Fitting what there is to say onto a screen: the worst stays, the rest is counted."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """Items that belong together, the worst first; each is one or more lines."""

    items: tuple[str, ...]
    rest: Callable[[int], str]
    """Returns a line for so many items at the end that do not fit."""

    @property
    def height(self) -> int:
        """How many lines it takes in full."""
        return sum(item.count("\n") + 1 for item in self.items)


def fitted(blocks: Iterable[Block], room: int | None, width: int) -> list[str]:
    """Return the lines of blocks: whole if there is room, else cut.

    First every item is cut to a line; if that is not enough, each block gives up its last items.
    A block earlier in the list keeps more, and each keeps its first item and how many there are.

    Args:
        blocks: what matters most first.
        room: how many lines there are; None: as many as it takes.
        width: how long a line may be.
    """
    given = [it for it in blocks if it.items]
    if room is None or sum(it.height for it in given) <= room:
        return [line for block in given for item in block.items for line in item.splitlines()]
    short = [tuple(_first_line(item, width) for item in block.items) for block in given]
    if sum(map(len, short)) <= room:
        return [line for items in short for line in items]
    counts = _shares([len(items) for items in short], room)
    lines: list[str] = []
    for block, items, count in zip(given, short, counts, strict=True):
        lines += items[:count]
        if count < len(items):
            lines.append(block.rest(len(items) - count))
    return lines


def _first_line(item: str, width: int) -> str:
    first, newline, _ = item.partition("\n")
    if not newline and len(first) <= width:
        return first
    return f"{first[: width - 1].rstrip()}…"


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """Return how many items each block shows; what it does not show takes a line to say so."""
    counts = [1] * len(sizes)
    left = room - sum(1 + (size > 1) for size in sizes)
    for place, size in enumerate(sizes):
        if size == 1:
            continue
        # The last item takes the line that would have counted it.
        more = size - 1 if left >= size - 2 else max(0, min(left, size - 2))
        counts[place] += more
        left -= more - (counts[place] == size)
    return counts
