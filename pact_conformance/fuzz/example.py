"""An example as data: a few named changes, in a form that a command line and a file can hold."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

Value: TypeAlias = str | int | float | bool | None
"""What a change is given: something that JSON and a shell can hold, and that can be compared."""


class NoExample(ValueError):  # noqa: N818 - it says what is the case
    """A text that names no example, told in one line."""


@dataclass(frozen=True)
class Change:
    """One named change with its values."""

    kind: str
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Example:
    """The changes that are made to something good, in the order of their kinds; none: the good."""

    family: str
    changes: tuple[Change, ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of the changes."""
        return frozenset(change.kind for change in self.changes)

    @property
    def text(self) -> str:
        """The example in one line of ASCII without a single quote: the shell takes it in them."""
        changes = [[change.kind, *change.values] for change in self.changes]
        text = json.dumps([self.family, *changes], separators=(",", ":"))
        return text.replace("'", "\\u0027")


def parse(text: str) -> Example:
    """Read an example back.

    Raises:
        NoExample: the text is none; whether its kinds exist only its family knows.
    """
    try:
        family, *changes = json.loads(text)
        made = tuple(Change(kind, tuple(values)) for kind, *values in changes)
    except (ValueError, TypeError, RecursionError) as error:
        raise NoExample(f"expected [family, [kind, value…]…], not {text!r}") from error
    named = [family, *(change.kind for change in made)]
    if not all(isinstance(name, str) for name in named) or not _are_values(made):
        raise NoExample(f"expected names, and values that are no arrays or objects, in {text!r}")
    return Example(family, made)


def _are_values(changes: Iterable[Change]) -> bool:
    values: Iterable[Any] = (value for change in changes for value in change.values)
    return all(isinstance(value, str | int | float | None) for value in values)
