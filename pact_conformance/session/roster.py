"""Which checks a run has: those that it is going to try, and those that were not selected.

Every process collects the same; the controller of `-n` collects nothing and is told by a worker.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Self

import pytest

from pact_conformance.conversations import needed
from pact_conformance.session.collection import CITED


@dataclass(frozen=True)
class Entry:
    """A collected check."""

    node: str
    name: str
    case: str
    requirements: tuple[str, ...]
    talks: bool
    """It looks at a conversation with the Brand's agent."""
    fuzzes: bool = False
    """It tries many examples, and decides nothing by itself."""
    advice: str = ""
    """The advice beyond the specification that it measures; empty for a check of that."""


@dataclass(frozen=True)
class Roster:
    """The checks of a run in the order of collection."""

    selected: tuple[Entry, ...] = ()
    deselected: tuple[Entry, ...] = ()

    def to_text(self) -> str:
        """Return the roster as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read it back."""
        data: dict[str, Any] = json.loads(text)
        return cls(*(tuple(map(_entry, data[name])) for name in ("selected", "deselected")))


def _entry(data: dict[str, Any]) -> Entry:
    return Entry(**{**data, "requirements": tuple(data["requirements"])})


def roster(selected: Iterable[pytest.Item], deselected: Iterable[pytest.Item]) -> Roster:
    """Return the roster of these items; what cites nothing is no check."""
    return Roster(*(tuple(_entries(items)) for items in (selected, deselected)))


def _entries(items: Iterable[pytest.Item]) -> Iterable[Entry]:
    for item in items:
        if CITED in item.stash:
            cited = item.stash[CITED]
            yield Entry(
                node=item.nodeid,
                name=cited.name,
                case=cited.case,
                requirements=tuple(row.id for row in cited.requirements),
                talks=_talks(item),
                fuzzes=bool(cited.family),
                advice="" if cited.advice is None else cited.advice.id,
            )


def _talks(item: pytest.Item) -> bool:
    """Say whether an item looks at a conversation; what measures advice runs after all of them."""
    advises = item.stash[CITED].advice is not None
    return advises or bool(needed(getattr(item, "fixturenames", ()))) or _plays(item)


def _plays(item: pytest.Item) -> bool:
    """Say whether an item tries examples on a personal agent: that talks as much as any check."""
    is_of_agent = any(row.role == "personal-agent" for row in item.stash[CITED].requirements)
    return is_of_agent and "fuzzing" in getattr(item, "fixturenames", ())
