"""A kind of change: its name, what it takes, what it does, and what becomes due because of it."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from pact_conformance.fuzz.example import Change, Example, NoExample, Value
from pact_conformance.tokens.forgery import Result

Due: TypeAlias = Result
"""What a conforming subject makes of something."""

Draft = TypeVar("Draft")
"""What a family's changes work on: a token, a request, a form …"""


@dataclass(frozen=True)
class OneOf:
    """A value out of a list, the simplest first: a failure is shrunk towards it."""

    values: Sequence[Value]


@dataclass(frozen=True)
class Whole:
    """A whole number between two, both included; a failure is shrunk towards the first."""

    least: int
    most: int


Parameter: TypeAlias = OneOf | Whole


@dataclass(frozen=True)
class Kind(Generic[Draft]):
    """One named change."""

    id: str
    """Stable: examples that were kept refer to it."""
    words: str
    """What it does, for people; `{0}` stands for the first value."""
    due: Due | Callable[..., Due]
    """What is due to the draft with this change alone; where it depends on the values, of them."""
    requirement: str
    """The requirement that a subject breaks which gives something else than what is due."""
    apply: Callable[..., None]
    """Is called with the draft and the values."""
    slots: tuple[str, ...]
    """What it changes: an example has no two changes of one thing."""
    takes: tuple[Parameter, ...] = ()
    needs: frozenset[str] = field(default_factory=frozenset)
    """What has to be there; each family has words of its own."""

    def due_to(self, change: Change) -> Due:
        """Return what is due because of a change of this kind."""
        return self.due(*change.values) if callable(self.due) else self.due

    def said(self, change: Change) -> str:
        """Say what a change of this kind does."""
        return self.words.format(*map(_shown, change.values))

    def fits(self, change: Change) -> bool:
        """Say whether the kind takes these values."""
        return len(change.values) == len(self.takes) and all(
            _takes(parameter, value)
            for parameter, value in zip(self.takes, change.values, strict=True)
        )


def unfitting(family: str, what: str, change: Change, kind: Kind[Any] | None) -> str:
    """Say in one line why a family has no such change, or no such step."""
    if kind is None:
        return f"{family} has no {what} {change.kind!r}"
    values = json.dumps(change.values)
    return f"{change.kind} of {family} takes other values than {values}: {_wanted(kind)}"


def _wanted(kind: Kind[Any]) -> str:
    if not kind.takes:
        return "none"
    shown = [json.dumps(it.values[0]) for it in kind.takes if isinstance(it, OneOf)]
    return f"{len(kind.takes)}, such as {', '.join(shown)}" if shown else f"{len(kind.takes)}"


class Kinds(Generic[Draft]):
    """The kinds of a family, by their ids and in their order."""

    def __init__(self, family: str, kinds: Iterable[Kind[Draft]]) -> None:
        self.family = family
        self.all: dict[str, Kind[Draft]] = {}
        for kind in kinds:
            if kind.id in self.all:
                raise ValueError(f"{family} has two kinds called {kind.id}")
            self.all[kind.id] = kind
        self._places = {id_: place for place, id_ in enumerate(self.all)}

    def example(self, changes: Iterable[Change]) -> Example:
        """Return the example of these changes; of two that touch one thing the first stays."""
        kept: list[Change] = []
        touched: set[str] = set()
        for change in changes:
            slots = self.all[change.kind].slots
            if touched.isdisjoint(slots):
                touched.update(slots)
                kept.append(change)
        return Example(self.family, tuple(sorted(kept, key=lambda it: self._places[it.kind])))

    def of(self, example: Example) -> list[tuple[Kind[Draft], Change]]:
        """Return the changes of an example with their kinds.

        Raises:
            NoExample: a kind is unknown, does not take these values, or two touch one thing.
        """
        if example.family != self.family:
            raise NoExample(f"{example.family!r} is not the family {self.family}")
        for change in example.changes:
            kind = self.all.get(change.kind)
            if kind is None or not kind.fits(change):
                raise NoExample(unfitting(self.family, "change", change, kind))
        if len(self.example(example.changes).changes) < len(example.changes):
            raise NoExample(f"two changes of one thing in {example.text}")
        return [(self.all[change.kind], change) for change in example.changes]

    def said(self, example: Example) -> str:
        """Say in words what an example is."""
        return (
            ", ".join(kind.said(change) for kind, change in self.of(example)) or "nothing changed"
        )

    def due_to(self, example: Example) -> Due:
        """Return what is due to an example: see `combined`."""
        return combined(kind.due_to(change) for kind, change in self.of(example))

    def blamed(self, example: Example) -> Kind[Draft] | None:
        """Return the kind whose requirement an example shows: the one that decides what is due."""
        due = self.due_to(example)
        for kind, change in self.of(example):
            if kind.due_to(change) == due:
                return kind
        return next(iter(kind for kind, _ in self.of(example)), None)


# A longer value is cut where people read of it.
_MOST = 100

_GRAVEST: Mapping[Due, int] = {
    "refused": 0,
    "either": 1,
    "warn-if-accepted": 2,
    "warn-if-refused": 3,
    "accepted": 4,
}


def combined(dues: Iterable[Due]) -> Due:
    """Return what is due to changes of several things together.

    One that has to be refused decides; what may go either way frees the rest. Two warnings that
    point to different ways cancel each other.
    """
    found = set(dues)
    if {"warn-if-accepted", "warn-if-refused"} <= found and "refused" not in found:
        return "either"
    return min(found, key=_GRAVEST.__getitem__, default="accepted")


def _takes(parameter: Parameter, value: Value) -> bool:
    if isinstance(parameter, Whole):
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and parameter.least <= int(value or 0) <= parameter.most
    return any(value == known and type(value) is type(known) for known in parameter.values)


def _shown(value: Any) -> str:  # noqa: ANN401 - of a change
    """Return a value for people: in signs that can be seen, and no more of it than is read."""
    if not isinstance(value, str):
        return repr(value)
    seen = (
        it if it.isprintable() else it.encode("unicode_escape").decode() for it in value[:_MOST]
    )
    rest = f"… of {len(value)} characters" if len(value) > _MOST else ""
    return "".join(seen) + rest
