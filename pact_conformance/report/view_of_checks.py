"""A check as the page shows it, with the exchanges that explain it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from pact_conformance.report.exchanges import Shown, found, show
from pact_conformance.report.flows import Event, Flow, event, flows
from pact_conformance.report.fuzzed import commands
from pact_conformance.report.text import shortened

Row: TypeAlias = Mapping[str, Any]

# A page stays fluid whatever a subject says, and however much of it was amiss.
LONGEST_TEXT = 4_000
MOST_IDS = 12

# The flows of a check are among so many exchanges; checks of a shared grant cite all of theirs.
MOST_OF_A_FLOW = 24
MOST_FLOWS = 3


@dataclass(frozen=True)
class Check:
    """One check with one case, or with several of which there is the same to say."""

    name: str
    cases: tuple[str, ...]
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
    """Those shown in full at this place."""
    elsewhere: tuple[str, ...] = ()
    """Exchanges that the page shows further up."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """How to try the example of a cause again."""
    unseen: tuple[str, ...] = ()
    """Exchanges that only the journal shows, the first few of them."""
    uncounted: int = 0
    """How many more there are."""
    flows: tuple[Flow, ...] = ()


class Exchanges:
    """Hands out each exchange once, in the order of reading."""

    EXPLAINED: ClassVar[frozenset[str]] = frozenset({"failed", "inconclusive", "warned"})
    """Verdicts whose exchanges are shown."""
    MOST: ClassVar[int] = 3
    """So many of one check."""
    MOST_CASES: ClassVar[int] = 6
    """A family of cases is explained by so many; expected and got are there for all."""
    MOST_OF_ALL: ClassVar[int] = 300
    """So many on the page."""

    def __init__(self, document: Mapping[str, Any], journal: Path) -> None:
        self._document = document
        self._journal = journal
        self._given: set[str] = set()
        self._events: dict[str, Event] = {}

    def of_family(self, row: Row, checks: Iterable[Row]) -> Iterator[Check]:
        """Yield what explains a requirement's verdict: cases with the same to say together."""
        room = self.MOST_CASES
        for cases in _alike(checks):
            yield self._together(row, cases, room)
            room = max(0, room - len(cases))

    def briefly(self, check: Row) -> Check:
        """Return a check that needs no explaining."""
        return self._check({**check, "exchanges": ()}, ())

    def finding(self, finding: Row) -> Check:
        """Return a run-level finding in the form of a check."""
        nothing = {"case": "", "reason": "", "warnings": (), "error": False, "counts": {}}
        check = {**nothing, **finding, "name": finding["id"].replace("-", " ")}
        return self._check(check, _telling(check, self.MOST))

    def flows(self, row: Row, check: Row) -> tuple[Flow, ...]:
        """Return the device flows that a check looked at."""
        assert self._shown is not None  # reading the journal finds the events as well
        ids = _of_a_flow(row, check)
        return flows(self._events[it] for it in ids if it in self._events)[:MOST_FLOWS]

    def _commands(self, example: str) -> Mapping[str, str]:
        given = self._document.get("settings", {}).get("given", {})
        return commands(example, given) if example else {}

    def _together(self, row: Row, cases: Sequence[Row], room: int) -> Check:
        """Return cases as one: the first is explained in full, and each of the others by one."""
        first, *others = cases
        lines = self.flows(row, first) if room else ()
        in_lines = [it.exchange for line in lines for it in line.events][-self.MOST :]
        telling = in_lines or _telling(first, self.MOST)
        told = self._check(first, telling if room else ())
        if not others:
            return replace(told, flows=lines)
        shown = [replace(it, case=first["case"]) for it in told.exchanges]
        for place, other in enumerate(others, start=1):
            one = self._check(other, _telling(other, 1) if place < room else ())
            shown += [replace(it, case=other["case"]) for it in one.exchanges]
        every = dict.fromkeys(it for case in cases for it in case["exchanges"])
        unseen = [it for it in every if it not in self._given]
        return replace(
            told,
            cases=tuple(it["case"] for it in cases),
            exchanges=tuple(shown),
            unseen=tuple(unseen[:MOST_IDS]),
            uncounted=max(0, len(unseen) - MOST_IDS),
            flows=lines,
        )

    @cached_property
    def _shown(self) -> Mapping[str, Shown]:
        """What the journal has of the exchanges that the page may need, cut to what is shown."""
        wanted = set(islice(self._wanted(), 4 * self.MOST_OF_ALL))
        in_flows = {it for row, check in self._checks() for it in _of_a_flow(row, check)}
        shown = {}
        for exchange in found(self._journal, wanted | in_flows):
            happened = event(exchange)
            if happened is not None:
                self._events[exchange.id] = happened
            if exchange.id in wanted or happened is not None:
                shown[exchange.id] = show(exchange)
        return shown

    def _wanted(self) -> Iterator[str]:
        for finding in self._document["findings"]:
            yield from _telling(finding, self.MOST)
        for _, check in self._checks():
            if check["verdict"] in self.EXPLAINED:
                yield from _telling(check, self.MOST)

    def _checks(self) -> Iterator[tuple[Row, Row]]:
        advised = self._document.get("hardening", {}).get("advice", ())
        for row in (*self._document["requirements"], *advised):
            for check in row["checks"]:
                yield row, check

    def _check(self, check: Row, telling: Sequence[str]) -> Check:
        fresh = [it for it in telling if it in self._shown and it not in self._given]
        fresh = fresh[: max(0, self.MOST_OF_ALL - len(self._given))]
        elsewhere = [it for it in telling if it in self._given]
        self._given.update(fresh)
        seen = {*fresh, *elsewhere}
        unseen = [it for it in check["exchanges"] if it not in seen]
        return Check(
            name=check["name"].replace("_", " "),
            cases=(check["case"],) if check["case"] else (),
            verdict=check["verdict"],
            expected=shortened(check["expected"], LONGEST_TEXT),
            got=shortened(check["got"], LONGEST_TEXT),
            reason=shortened(check["reason"], LONGEST_TEXT),
            do=shortened(check["do"], LONGEST_TEXT),
            warnings=tuple(shortened(it, LONGEST_TEXT) for it in check["warnings"]),
            error=check["error"],
            counts=_counts(check["counts"]),
            known=check.get("known", ""),
            commands=self._commands(check.get("example", "")),
            exchanges=tuple(self._shown[it] for it in fresh),
            elsewhere=tuple(elsewhere),
            unseen=tuple(unseen[:MOST_IDS]),
            uncounted=max(0, len(unseen) - MOST_IDS),
        )


# Cases of a check are told together where all of this is the same.
_SAID = ("name", "kind", "expected", "got", "reason", "do", "error", "known", "example")


def _alike(checks: Iterable[Row]) -> list[list[Row]]:
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for check in checks:
        same = (*(check.get(it) for it in _SAID), tuple(check["warnings"]))
        groups.setdefault(same, []).append(check)
    return list(groups.values())


def _telling(check: Row, count: int) -> list[str]:
    """Return the exchanges that tell most: a rule's worst come first, a check decides last.

    Of a personal agent what it sent tells more than what it was asked to do.
    """
    made = list(check["exchanges"])
    made = [it for it in made if it.startswith("stage-")] or made
    return made[:count] if check.get("kind") == "rule" else made[max(0, len(made) - count) :]


def _of_a_flow(row: Row, check: Row) -> list[str]:
    """Return the exchanges among which a device flow may be."""
    ids = list(check["exchanges"])
    is_about_flows = row.get("section", "").startswith("5") and 2 < len(ids) <= MOST_OF_A_FLOW
    return ids if is_about_flows else []


def _counts(counts: Mapping[str, int]) -> str:
    """Say of a rule how many exchanges broke it, of those that it applied to."""
    if counts.keys() >= {"applied", "found"}:
        return f"{counts['found']} of {counts['applied']} exchanges" if counts["applied"] else ""
    return ", ".join(f"{count} {name}" for name, count in counts.items())
