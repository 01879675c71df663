"""What the page of a report shows, in the order in which a reader needs it.

It is made of `report.json`, so that a page can be written again from a report that lies on disk.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from pact_conformance.report import sections
from pact_conformance.report.lacks import Lack, lacks
from pact_conformance.report.view_of_checks import Check, Exchanges

Document: TypeAlias = Mapping[str, Any]
Pitfalls: TypeAlias = Mapping[str, str]
"""How subjects usually get a requirement wrong, by its id."""

# The order in which a reader is told; each verdict has a word and a sign besides its colour.
SIGNS: Mapping[str, str] = {
    "failed": "✗",
    "inconclusive": "?",
    "untested": "○",
    "warned": "!",
    "passed": "✓",
    "not applicable": "–",  # noqa: RUF001 - a dash is what is meant
    "not observable": "·",
}
PROFILE_SIGNS: Mapping[str, str] = {"conformant": "✓", "incomplete": "○", "not conformant": "✗"}


@dataclass(frozen=True)
class Entry:
    """A requirement and what decided it."""

    id: str
    section: str
    level: str
    role: str
    profile: str
    statement: str
    verdict: str
    sign: str
    reason: str
    do: str
    needs: tuple[str, ...]
    notes: tuple[str, ...]
    pitfalls: str
    telling: tuple[Check, ...]
    """The checks with the requirement's own verdict, if that verdict needs explaining."""
    others: tuple[Check, ...]


@dataclass(frozen=True)
class Section:
    """A row of the map: the requirements of one section."""

    number: str
    title: str
    entries: tuple[Entry, ...]

    @property
    def counts(self) -> str:
        """Say how many have which verdict, worst first."""
        return ", ".join(f"{count} {verdict}" for verdict, count in tally(self.entries).items())


@dataclass(frozen=True)
class ProfileVerdict:
    """A profile's verdict with the counts that it rests on."""

    title: str
    verdict: str
    sign: str
    counts: Mapping[str, int]
    undecided: int

    @property
    def total(self) -> int:
        """How many requirements it rests on."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Page:
    """Everything that the page shows, besides the document's own members."""

    profiles: tuple[ProfileVerdict, ...]
    findings: tuple[Check, ...]
    roles: Mapping[str, tuple[Section, ...]]
    by_verdict: Mapping[str, tuple[Entry, ...]]
    lacks: tuple[Lack, ...]
    by_id: Mapping[str, Entry]
    notes: Mapping[str, tuple[str, ...]]
    seconds: float


def view(document: Document, exchanges: Exchanges, pitfalls: Pitfalls) -> Page:
    """Arrange a document for its page."""
    findings = tuple(exchanges.finding(it) for it in document["findings"])
    entries = [_entry(it, exchanges, pitfalls) for it in in_order_of_reading(document)]
    places = {it["id"]: place for place, it in enumerate(document["requirements"])}
    by_verdict = {verdict: tuple(_with(entries, verdict)) for verdict in SIGNS}
    return Page(
        profiles=tuple(_profile(name, it) for name, it in document["profiles"].items()),
        findings=findings,
        roles=_roles(sorted(entries, key=lambda it: places[it.id])),
        by_verdict=by_verdict,
        lacks=lacks(document),
        by_id={entry.id: entry for entry in entries},
        notes=_notes(entries),
        seconds=duration(document),
    )


def in_order_of_reading(document: Document) -> list[Mapping[str, Any]]:
    """Return the requirements by verdict, so that an exchange is shown where it is first needed."""
    signs = tuple(SIGNS)
    return sorted(document["requirements"], key=lambda it: signs.index(it["verdict"]))


def tally(entries: Iterable[Entry]) -> Mapping[str, int]:
    """Count verdicts, in the order of reading."""
    verdicts = [entry.verdict for entry in entries]
    return {verdict: verdicts.count(verdict) for verdict in SIGNS if verdict in verdicts}


def duration(document: Document) -> float:
    """Return the seconds between start and end."""
    started, finished = (datetime.fromisoformat(document[it]) for it in ("started", "finished"))
    return (finished - started).total_seconds()


def _entry(row: Mapping[str, Any], exchanges: Exchanges, pitfalls: Pitfalls) -> Entry:
    verdict = row["verdict"]
    telling, others = _split(row["checks"], verdict)
    return Entry(
        id=row["id"],
        section=row["section"],
        level=row["level"],
        role=row["role"],
        profile=row["profile"],
        statement=row["statement"],
        verdict=verdict,
        sign=SIGNS[verdict],
        reason=row["reason"],
        do=row["do"],
        needs=tuple(row["needs"]),
        notes=tuple(dict.fromkeys(row["notes"])),
        pitfalls=pitfalls.get(row["id"], ""),
        telling=tuple(exchanges.of_family(telling)),
        others=tuple(exchanges.briefly(it) for it in others),
    )


def _split(
    checks: Sequence[Mapping[str, Any]], verdict: str
) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    explained = verdict in Exchanges.EXPLAINED
    telling = [it for it in checks if explained and it["verdict"] == verdict]
    return telling, [it for it in checks if it not in telling]


def _with(entries: Iterable[Entry], verdict: str) -> Iterator[Entry]:
    return (entry for entry in entries if entry.verdict == verdict)


def _roles(entries: Iterable[Entry]) -> Mapping[str, tuple[Section, ...]]:
    roles: dict[str, dict[str, list[Entry]]] = {}
    for entry in entries:
        roles.setdefault(entry.role, {}).setdefault(entry.section, []).append(entry)
    return {
        role: tuple(
            Section(number, sections.TITLES.get(number, ""), tuple(rows))
            for number, rows in by_section.items()
        )
        for role, by_section in roles.items()
    }


def _profile(name: str, profile: Mapping[str, Any]) -> ProfileVerdict:
    return ProfileVerdict(
        title=sections.profile(name),
        verdict=profile["verdict"],
        sign=PROFILE_SIGNS[profile["verdict"]],
        counts={it: profile["counts"][it] for it in SIGNS if profile["counts"].get(it)},
        undecided=len(profile["undecided"]),
    )


def _notes(entries: Iterable[Entry]) -> Mapping[str, tuple[str, ...]]:
    notes: dict[str, list[str]] = {}
    for entry in entries:
        for note in entry.notes:
            notes.setdefault(note, []).append(entry.id)
    return {note: tuple(dict.fromkeys(ids)) for note, ids in notes.items()}
