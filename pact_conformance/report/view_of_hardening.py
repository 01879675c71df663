"""What the page shows of the hardening pack: what is not followed first, and every number."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pact_conformance.report.hardening import amiss, in_order
from pact_conformance.report.text import measured, shortened
from pact_conformance.report.view_of_checks import LONGEST_TEXT, Check, Exchanges

Row: TypeAlias = Mapping[str, Any]

EXPLAINED = frozenset({"failed", "warned", "inconclusive"})
"""Verdicts that are told in full."""


@dataclass(frozen=True)
class Advised:
    """One piece of advice and what came of it."""

    id: str
    role: str
    profile: str
    title: str
    statement: str
    why: str
    sources: tuple[str, ...]
    needs: tuple[str, ...]
    verdict: str
    reason: str
    do: str
    notes: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...]
    """The case, if there are several, and what was measured."""
    telling: tuple[Check, ...]
    """The checks with the verdict, where it needs explaining."""

    @property
    def explained(self) -> bool:
        """Whether it is told in full."""
        return self.verdict in EXPLAINED


@dataclass(frozen=True)
class Hardening:
    """The whole pack."""

    advised: tuple[Advised, ...]
    counts: Mapping[str, int]


def hardening(found: Row, exchanges: Exchanges) -> Hardening:
    """Arrange what a report holds of the pack."""
    advised = tuple(_advised(row, exchanges) for row in in_order(found))
    return Hardening(advised, found["counts"])


def _advised(row: Row, exchanges: Exchanges) -> Advised:
    telling = exchanges.of_family(row, amiss(row)) if row["verdict"] in EXPLAINED else ()
    return Advised(
        **{name: row[name] for name in ("id", "role", "profile", "title", "statement", "why")},
        sources=tuple(row["sources"]),
        needs=tuple(row["needs"]),
        verdict=row["verdict"],
        reason=shortened(row["reason"], LONGEST_TEXT),
        do=shortened(row["do"], LONGEST_TEXT),
        notes=tuple(shortened(it, LONGEST_TEXT) for it in row["notes"]),
        numbers=tuple(_numbers(row)),
        telling=tuple(telling),
    )


def _numbers(row: Row) -> Iterator[tuple[str, str]]:
    for check in row["checks"]:
        for line in measured(check["measures"]):
            yield check["case"], line
