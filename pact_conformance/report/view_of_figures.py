"""Small plots of a run: how long answers took, where the turns went, a device flow in time."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pact_conformance.report.flows import Flow

# A plot is so wide, whatever its size on the screen.
WIDTH = 1000

# So many conversations are told by name.
MOST_SPENDERS = 12


@dataclass(frozen=True)
class Times:
    """How long the answers of one operation took, in words and as places on the scale."""

    operation: str
    answers: int
    unanswered: int
    half: str
    most_of_them: str
    longest: str
    at: Mapping[str, float]
    """Where `least`, `p25`, `p50`, `p75`, `p95` and `most` lie on a line of `WIDTH`."""


@dataclass(frozen=True)
class Latency:
    """All operations on one scale, which grows tenfold from mark to mark."""

    marks: tuple[str, ...]
    rows: tuple[Times, ...]


@dataclass(frozen=True)
class Spender:
    """What cost turns, and its bar on a line of `WIDTH`."""

    name: str
    turns: int
    width: float


@dataclass(frozen=True)
class Turns:
    """What cost several turns, and what is not told by name: how many, and what they cost."""

    spenders: tuple[Spender, ...]
    others: int
    of_others: int


@dataclass(frozen=True)
class Shown:
    """A device flow, and whose it is."""

    requirement: str
    check: str
    flow: Flow


@dataclass(frozen=True)
class Figures:
    """The plots of a page; what there is nothing to show of is empty."""

    latency: Latency | None
    turns: Turns | None
    flows: tuple[Shown, ...]

    def __bool__(self) -> bool:
        return bool(self.latency or self.turns or self.flows)


def latency(rows: Sequence[Mapping[str, Any]]) -> Latency | None:
    """Place the times of a report on one scale; None where nothing was answered."""
    answered = [row for row in rows if row["answers"]]
    if not answered:
        return None
    first = math.floor(_power(min(row["seconds"]["least"] for row in answered)))
    last = max(math.ceil(_power(max(row["seconds"]["most"] for row in answered))), first + 1)
    scale = WIDTH / (last - first)
    return Latency(
        tuple(duration(10.0**power) for power in range(first, last + 1)),
        tuple(_times(row, first, scale) for row in answered),
    )


def _times(row: Mapping[str, Any], first: int, scale: float) -> Times:
    seconds = row["seconds"]
    return Times(
        operation=f"{row['operation']}, a turn" if row["turn"] else row["operation"],
        answers=row["answers"],
        unanswered=row["unanswered"],
        half=duration(seconds["p50"]),
        most_of_them=duration(seconds["p95"]),
        longest=duration(seconds["most"]),
        at={name: round((_power(it) - first) * scale, 1) for name, it in seconds.items()},
    )


def _power(seconds: float) -> float:
    return math.log10(max(seconds, 1e-4))


def duration(seconds: float) -> str:
    """Return seconds as people read them: `0.4 ms`, `12 ms`, `1.5 s`, `40 s`."""
    if seconds < 0.001:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 9.95 and seconds % 1 else f"{seconds:.0f} s"


def turns(ledger: Sequence[Mapping[str, Any]]) -> Turns | None:
    """Return what cost several turns, most first; None where nothing cost any."""
    spent = [(it["name"].replace("_", " "), it["turns"]) for it in ledger if it["turns"]]
    spent.sort(key=lambda it: -it[1])
    shown = [it for it in spent if it[1] > 1][:MOST_SPENDERS]
    rest = [it for _, it in spent[len(shown) :]]
    longest = max((it for _, it in shown), default=1)
    bars = (Spender(name, it, round(WIDTH * it / longest, 1)) for name, it in shown)
    return Turns(tuple(bars), len(rest), sum(rest)) if spent else None


def telling(flows: Iterable[Shown]) -> tuple[Shown, ...]:
    """Return the flow that shows most: with most polls, and of those the shortest list."""
    ordered = sorted(flows, key=lambda it: (-it.flow.polls, len(it.flow.events)))
    return tuple(ordered[:1])
