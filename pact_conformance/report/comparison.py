"""Two reports of one subject held against each other: what changed between them, and why.

A result is identified by requirement, check and case. What changed because the suite itself did is
told apart from what the subject did.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from pact_conformance.report.comparable import objections, same_edition

Document: TypeAlias = Mapping[str, Any]
Row: TypeAlias = Mapping[str, Any]

Kind = Literal["worse", "better", "newly tested", "no longer tested", "changed by the suite"]
KINDS: tuple[Kind, ...] = (
    "worse",
    "better",
    "newly tested",
    "no longer tested",
    "changed by the suite",
)

# The better the lower; what is not here judged nothing.
_RANK: Mapping[str, int] = MappingProxyType(
    {"passed": 0, "warned": 1, "inconclusive": 2, "failed": 3}
)
_BAD = frozenset({"failed", "inconclusive"})

# What of a requirement decides how it is judged.
_MEANING = ("level", "statement", "observed", "profile", "role")


@dataclass(frozen=True)
class Change:
    """A result that differs; a verdict is None where there is no such result."""

    kind: Kind
    requirement: str
    check: str
    """Empty where the requirement as a whole is meant."""
    case: str
    old: str | None
    new: str | None
    said: str
    """What the new result says of itself, or how the suite changed."""


@dataclass(frozen=True)
class Profile:
    """A profile's verdicts, None where it was not judged, and the changes of its own requirements.

    PACT Delegated comprises PACT Identity; a change is told once, where it belongs.
    """

    name: str
    old: str | None
    new: str | None
    changes: tuple[Change, ...]

    def of(self, kind: Kind) -> tuple[Change, ...]:
        """Return the changes of a kind."""
        return tuple(it for it in self.changes if it.kind == kind)


@dataclass(frozen=True)
class Comparison:
    """What changed from one report to another."""

    old: Document
    new: Document
    profiles: tuple[Profile, ...]
    objections: tuple[str, ...]
    """Why the two cannot be compared; empty if they can."""

    @property
    def counts(self) -> Mapping[Kind, int]:
        """How many results changed in which way."""
        return {kind: sum(len(it.of(kind)) for it in self.profiles) for kind in KINDS}

    @property
    def regressed(self) -> bool:
        """Whether something got worse."""
        return self.counts["worse"] > 0


@dataclass(frozen=True)
class _Between:
    """What two reports have in common, for results that only one of them has."""

    edition: bool
    """The same suite made both, so they have the same checks."""
    fuzzed: bool
    """Examples were tried both times."""

    def missing(self, present: Row | None, *, there: bool) -> str | None:
        """Return the verdict of a result that a report lacks; None if its suite has no such check.

        Args:
            present: the result of the other report.
            there: the report has results for the requirement.
        """
        kind = "check" if present is None else present["kind"]
        if kind == "finding" or (kind == "cause" and self.fuzzed):
            return "passed"  # such results are there only where something is amiss
        return "untested" if kind == "cause" or self.edition or not there else None


def compare(old: Document, new: Document) -> Comparison:
    """Hold two reports against each other, as `load.read` returns them."""
    names = [*new["profiles"], *(it for it in old["profiles"] if it not in new["profiles"])]
    changes = tuple(_changes(old, new))
    own = {it["id"]: _profile_of(it) for it in (*old["requirements"], *new["requirements"])}
    return Comparison(
        old,
        new,
        tuple(
            Profile(
                name,
                _verdict(old, name),
                _verdict(new, name),
                tuple(it for it in changes if own[it.requirement] == name),
            )
            for name in names
        ),
        objections(old, new),
    )


def _verdict(document: Document, profile: str) -> str | None:
    found = document["profiles"].get(profile)
    return None if found is None else str(found["verdict"])


def _profile_of(row: Row) -> str:
    name = str(row["profile"])
    return name if row["role"] == "provider" else f"agent-{name}"


def _changes(old: Document, new: Document) -> Iterator[Change]:
    fuzzed = "fuzzing" in old and "fuzzing" in new
    between = _Between(same_edition(old, new), fuzzed=fuzzed)
    before = {it["id"]: it for it in old["requirements"]}
    after = {it["id"]: it for it in new["requirements"]}
    for id_ in [*after, *(it for it in before if it not in after)]:
        if id_ in before and id_ in after:
            yield from _of_requirement(before[id_], after[id_], between)
        else:
            one, other = before.get(id_), after.get(id_)
            yield from _once(one, other, judged=_judged(old, new, one or other))


def _judged(old: Document, new: Document, row: Row | None) -> bool:
    """Say whether both runs judged the profile that a row belongs to."""
    name = "" if row is None else _profile_of(row)
    return name in old["profiles"] and name in new["profiles"]


def _once(before: Row | None, after: Row | None, *, judged: bool) -> Iterator[Change]:
    """Yield what became of a requirement that only one of the reports has."""
    old = before["verdict"] if before else None
    new = after["verdict"] if after else None
    id_ = (after or before or {})["id"]
    if judged:
        said = "a new requirement" if after else "no longer required"
        yield Change("changed by the suite", id_, "", "", old, new, said)
    elif (old or new) not in {"untested", "not observable"}:
        kind: Kind = "newly tested" if after else "no longer tested"
        said = f"the profile was {'not judged before' if after else 'no longer judged'}"
        yield Change(kind, id_, "", "", old, new, said)


def _of_requirement(before: Row, after: Row, between: _Between) -> Iterator[Change]:
    meaning = [it for it in _MEANING if before[it] != after[it]]
    if meaning:
        said = f"another {' and '.join(meaning)}"
        old, new = before["verdict"], after["verdict"]
        yield Change("changed by the suite", after["id"], "", "", old, new, said)
        return
    olds, news = _results(before), _results(after)
    for name, case in [*news, *(it for it in olds if it not in news)]:
        one, other = olds.get((name, case)), news.get((name, case))
        missing = between.missing(one or other, there=bool(olds and news))
        old = one["verdict"] if one else missing
        new = other["verdict"] if other else missing
        kind = _kind(old, new)
        if kind is not None:
            said = _said(other) if other else after["reason"]
            yield Change(kind, after["id"], name, case, old, new, said)


def _results(row: Row) -> dict[tuple[str, str], Row]:
    return {(it["name"], it["case"]): it for it in row["checks"]}


def _kind(old: str | None, new: str | None) -> Kind | None:
    """Say which way a result went; None if it is the same."""
    kind: Kind | None = None
    if old is None or new is None:
        kind = "changed by the suite"
    elif old in _RANK and new in _RANK:
        if _RANK[old] != _RANK[new]:
            kind = "worse" if _RANK[new] > _RANK[old] else "better"
    elif old == "not applicable" and new in _BAD:
        kind = "worse"
    elif new in _RANK or (old == "untested" and new != old):
        kind = "newly tested"
    elif old != new:
        kind = "no longer tested"
    return kind


def _said(check: Row) -> str:
    said = [f"expected {check['expected']}"] if check["expected"] else []
    said += [f"got {check['got']}"] if check["got"] else []
    said += [it for it in (*check["warnings"], check["reason"]) if it]
    return "; ".join(said)
