"""How kinds are entered, in a line or two each."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from pact_conformance.fuzz.kind import Due, Kind, OneOf, Parameter

Apply: TypeAlias = Callable[..., None]
"""Changes a draft; called with it and with the values of a change."""


def kind(
    id_: str,
    words: str,
    due: Due | Callable[..., Due],
    requirement: str,
    apply: Apply,
    *slots: str,
    takes: Iterable[Parameter] = (),
    needs: Iterable[str] = (),
) -> Kind[Any]:
    """Return a kind of changes."""
    return Kind(id_, words, due, requirement, apply, slots, tuple(takes), frozenset(needs))


def named(table: Mapping[str, Any]) -> OneOf:
    """Return what takes one of the names of a table."""
    return OneOf(tuple(table))
