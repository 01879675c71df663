"""A check as the page shows it, with the exchanges that explain it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from pact_conformance.journal.exchange import Exchange
from pact_conformance.report.exchanges import Shown, pick, show


@dataclass(frozen=True)
class Check:
    """One check with one case; `exchanges` are those shown in full at this place."""

    name: str
    case: str
    verdict: str
    expected: str
    got: str
    reason: str
    do: str
    warnings: tuple[str, ...]
    error: bool
    counts: str
    known: str
    exchanges: tuple[Shown, ...] = ()
    elsewhere: tuple[str, ...] = ()
    """Exchanges that the page shows further up."""
    unseen: tuple[str, ...] = ()
    """Exchanges that only the journal shows."""


class Exchanges:
    """Hands out each exchange once, in the order of reading."""

    EXPLAINED: ClassVar[frozenset[str]] = frozenset({"failed", "inconclusive", "warned"})
    """Verdicts whose exchanges are shown."""
    MOST: ClassVar[int] = 3
    """So many of one check."""
    MOST_CASES: ClassVar[int] = 6
    """A family of cases is explained by so many; expected and got are there for all."""

    def __init__(self, document: Mapping[str, Any], journal: Path) -> None:
        self._document = document
        self._journal = journal
        self._given: set[str] = set()

    def of_family(self, checks: Iterable[Mapping[str, Any]]) -> Iterator[Check]:
        """Yield the checks that explain a requirement's verdict."""
        for place, check in enumerate(checks):
            yield self._check(check, self.MOST if place < self.MOST_CASES else 0)

    def briefly(self, check: Mapping[str, Any]) -> Check:
        """Return a check that needs no explaining."""
        return self._check({**check, "exchanges": ()}, 0)

    def finding(self, finding: Mapping[str, Any]) -> Check:
        """Return a run-level finding in the form of a check."""
        nothing = {"case": "", "reason": "", "warnings": (), "error": False, "counts": {}}
        return self._check(
            {**nothing, **finding, "name": finding["id"].replace("-", " ")}, self.MOST
        )

    @cached_property
    def _found(self) -> Mapping[str, Exchange]:
        return pick(self._journal, self._wanted())

    def _wanted(self) -> Iterator[str]:
        for finding in self._document["findings"]:
            yield from self._telling(finding, self.MOST)
        for row in self._document["requirements"]:
            for check in row["checks"]:
                if check["verdict"] in self.EXPLAINED:
                    yield from self._telling(check, self.MOST)

    @staticmethod
    def _telling(check: Mapping[str, Any], count: int) -> list[str]:
        """Return the exchanges that tell most: a rule's worst come first, a check decides last."""
        made = list(check["exchanges"])
        return made[:count] if check.get("kind") == "rule" else made[max(0, len(made) - count) :]

    def _check(self, check: Mapping[str, Any], count: int) -> Check:
        telling = self._telling(check, count)
        fresh = [it for it in telling if it in self._found and it not in self._given]
        elsewhere = [it for it in telling if it in self._given]
        self._given.update(fresh)
        return Check(
            name=check["name"].replace("_", " "),
            case=check["case"],
            verdict=check["verdict"],
            expected=check["expected"],
            got=check["got"],
            reason=check["reason"],
            do=check["do"],
            warnings=tuple(check["warnings"]),
            error=check["error"],
            counts=_counts(check["counts"]),
            known=check.get("known", ""),
            exchanges=tuple(show(self._found[it]) for it in fresh),
            elsewhere=tuple(elsewhere),
            unseen=tuple(it for it in check["exchanges"] if it not in {*fresh, *elsewhere}),
        )


def _counts(counts: Mapping[str, int]) -> str:
    """Say of a rule how many exchanges broke it, of those that it applied to."""
    if counts.keys() >= {"applied", "found"}:
        return f"{counts['found']} of {counts['applied']} exchanges" if counts["applied"] else ""
    return ", ".join(f"{count} {name}" for name, count in counts.items())
