"""Forgeries of delegation tokens and odd values of their header, as `fixtures` has them.

What is wrong with each, and what a Provider may make of it, are data (§5.5).
"""

import dataclasses
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from pact_conformance.assets import folder
from pact_conformance.tokens.delegation_forging import Materials, forge_delegation
from pact_conformance.tokens.forgery import Result, UnforgeableError

__all__ = [
    "DelegationForgery",
    "DelegationHeader",
    "Materials",
    "UnforgeableError",
    "forge_delegation",
    "load_forgeries",
    "load_headers",
]

_TOKEN = "{token}"  # noqa: S105 - where it goes


@dataclasses.dataclass(frozen=True)
class DelegationForgery:
    """A delegation token with exactly one thing wrong: a row of the data."""

    id: str
    comment: str
    """What is wrong and why it matters, or why it is fine."""
    requirement: tuple[str, ...]
    """The requirements that it shows."""
    result: Result
    field: str
    """The one thing it changes: `header.<name>`, `claims.<name>`, `signature`, `serialisation`, or
    `token` where another one stands in its place."""
    change: Mapping[str, Any] = dataclasses.field(hash=False)
    """How it is made."""
    needs: tuple[Literal["another-token", "receipt", "jku-server"], ...] = ()
    """What it takes beside a good token and the published keys."""
    beside: tuple[str, ...] = ()
    """What may have to change along."""


@dataclasses.dataclass(frozen=True)
class DelegationHeader:
    """Values of `X-A2A-User-Delegation` that hold no good token, or hold it in an unusual way."""

    id: str
    comment: str
    requirement: tuple[str, ...]
    """The requirements that it shows."""
    result: Result
    lines: tuple[str, ...]
    """A value for each header line; `values` fills the token in."""
    needs: tuple[Literal["token"], ...] = ()
    absent: bool = False
    """It may be taken for no header at all."""

    def values(self, token: str = "") -> tuple[str, ...]:
        """Return the value of each header line.

        Args:
            token: a good delegation token, for rows that need one.

        Raises:
            LookupError: it needs one, and none is given.
        """
        if self.needs and not token:
            raise LookupError(f"the header {self.id} needs a good delegation token")
        return tuple(line.replace(_TOKEN, token) for line in self.lines)


@cache
def load_forgeries(requirement: str | None = None) -> tuple[DelegationForgery, ...]:
    """Return all forgeries in their order, or those that show a requirement."""
    rows = [
        DelegationForgery(**{**row, **_tuples(row, "requirement", "needs", "beside")})
        for row in _rows("delegation_forgeries", "forgery")
    ]
    return tuple(it for it in rows if requirement is None or requirement in it.requirement)


@cache
def load_headers(requirement: str | None = None) -> tuple[DelegationHeader, ...]:
    """Return all values of the header in their order, or those that show a requirement."""
    rows = [
        DelegationHeader(**{**row, **_tuples(row, "requirement", "needs", "lines")})
        for row in _rows("delegation_headers", "header")
    ]
    return tuple(it for it in rows if requirement is None or requirement in it.requirement)


def _rows(file: str, name: str) -> list[dict[str, Any]]:
    text = (folder("fixtures") / f"{file}.toml").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)[name]
    return rows


def _tuples(row: Mapping[str, Any], *names: str) -> dict[str, tuple[Any, ...]]:
    return {name: tuple(row.get(name, ())) for name in names}
