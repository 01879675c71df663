"""An ordered table of named functions: how the rules of a section stand here, one row a rule."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, Self, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Table(Generic[F]):
    """Functions that run in order, each known by its name, so that one row can be exchanged."""

    def __init__(self, *functions: F) -> None:
        self._rows: dict[str, F] = {}
        for function in functions:
            name: str = function.__name__
            if name in self._rows:
                raise ValueError(f"two rows of the table are called {name}")
            self._rows[name] = function

    def __iter__(self) -> Iterator[F]:
        return iter(self._rows.values())

    def __getitem__(self, name: str) -> F:
        return self._rows[name]

    def names(self) -> tuple[str, ...]:
        """Return the names of the rows in order."""
        return tuple(self._rows)

    def replace(self, name: str, function: F) -> Self:
        """Put another function into the row `name`, which keeps its place and name."""
        self._rows[self._known(name)] = function
        return self

    def drop(self, name: str) -> Self:
        """Take the row `name` out."""
        del self._rows[self._known(name)]
        return self

    def add(self, function: F, *, before: str | None = None) -> Self:
        """Add a row, at the end or before another."""
        self._rows[function.__name__] = function
        return self if before is None else self.move(function.__name__, before=before)

    def move(self, name: str, *, before: str) -> Self:
        """Move the row `name` so that it stands just before another."""
        self._known(before)
        moved = self._rows.pop(self._known(name))
        rows: dict[str, F] = {}
        for row, function in self._rows.items():
            if row == before:
                rows[name] = moved
            rows[row] = function
        self._rows = rows
        return self

    def _known(self, name: str) -> str:
        if name not in self._rows:
            raise KeyError(f"no row {name}; there are {', '.join(self._rows)}")
        return name
