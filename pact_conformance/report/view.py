"""What the page of a report shows, in the order in which a reader needs it.

It is made of `report.json`, so that a page can be written again from a report that lies on disk.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from pact_conformance.report import sections
from pact_conformance.report.lacks import Lack, lacks
from pact_conformance.report.text import shortened
from pact_conformance.report.view_of_checks import LONGEST_TEXT, Check, Exchanges
from pact_conformance.report.view_of_figures import (
    Figures,
    Shown,
    latency,
    telling,
    turns,
)

if TYPE_CHECKING:
    from pact_conformance.report.view_of_hardening import Hardening

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

    @property
    def known(self) -> bool:
        """Whether the tester's baseline names all that is amiss."""
        return bool(self.telling) and all(check.known for check in self.telling)


@dataclass(frozen=True)
class Section:
    """A row of the map: the requirements of one section, by role."""

    number: str
    title: str
    entries: Mapping[str, tuple[Entry, ...]]

    def counts(self, role: str) -> str:
        """Say how many of a role have which verdict, worst first."""
        found = tally(self.entries[role]).items()
        return ", ".join(f"{count} {verdict}" for verdict, count in found) or "nothing"


@dataclass(frozen=True)
class ProfileVerdict:
    """A profile's verdict with the counts that it rests on."""

    key: str
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
class Subject:
    """What was under test in one role, and the verdicts of its profiles."""

    role: str
    name: str
    profiles: tuple[ProfileVerdict, ...]


@dataclass(frozen=True)
class Page:
    """Everything that the page shows, besides the document's own members."""

    subjects: tuple[Subject, ...]
    findings: tuple[Check, ...]
    roles: tuple[str, ...]
    sections: tuple[Section, ...]
    by_verdict: Mapping[str, tuple[Entry, ...]]
    lacks: tuple[Lack, ...]
    by_id: Mapping[str, Entry]
    notes: Mapping[str, tuple[str, ...]]
    figures: Figures
    seconds: float
    hardening: "Hardening | None" = None
    """None where the run did not have the pack."""

    @property
    def profiles(self) -> tuple[ProfileVerdict, ...]:
        """The verdicts of all subjects."""
        return tuple(profile for subject in self.subjects for profile in subject.profiles)


def view(document: Document, exchanges: Exchanges, pitfalls: Pitfalls) -> Page:
    """Arrange a document for its page."""
    findings = tuple(exchanges.finding(it) for it in document["findings"])
    entries = [_entry(it, exchanges, pitfalls) for it in in_order_of_reading(document)]
    places = {it["id"]: place for place, it in enumerate(document["requirements"])}
    by_verdict = {verdict: tuple(_with(entries, verdict)) for verdict in SIGNS}
    roles = tuple(dict.fromkeys(it["role"] for it in document["requirements"]))
    return Page(
        subjects=tuple(_subjects(document)),
        findings=findings,
        roles=roles,
        sections=tuple(_sections(sorted(entries, key=lambda it: places[it.id]), roles)),
        by_verdict=by_verdict,
        lacks=lacks(document),
        by_id={entry.id: entry for entry in entries},
        notes=_notes(entries),
        figures=_figures(document, exchanges),
        seconds=duration(document),
        hardening=_hardening(document, exchanges),
    )


def _hardening(document: Document, exchanges: Exchanges) -> "Hardening | None":
    if "hardening" not in document:
        return None
    # Few reports have it.
    from pact_conformance.report.view_of_hardening import hardening  # noqa: PLC0415

    return hardening(document["hardening"], exchanges)


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
    explaining, others = _split(row["checks"], verdict)
    return Entry(
        id=row["id"],
        section=row["section"],
        level=row["level"],
        role=row["role"],
        profile=row["profile"],
        statement=row["statement"],
        verdict=verdict,
        sign=SIGNS[verdict],
        reason=shortened(row["reason"], LONGEST_TEXT),
        do=shortened(row["do"], LONGEST_TEXT),
        needs=tuple(row["needs"]),
        notes=tuple(dict.fromkeys(shortened(it, LONGEST_TEXT) for it in row["notes"])),
        pitfalls=pitfalls.get(row["id"], ""),
        telling=tuple(exchanges.of_family(row, explaining)),
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


def _sections(entries: Sequence[Entry], roles: Sequence[str]) -> Iterator[Section]:
    numbers = sorted({it.section for it in entries}, key=_in_parts)
    for number in numbers:
        here = [it for it in entries if it.section == number]
        of_roles = {role: tuple(it for it in here if it.role == role) for role in roles}
        yield Section(number, sections.TITLES.get(number, ""), of_roles)


def _in_parts(number: str) -> list[int]:
    return [int(part) for part in number.split(".")]


def _subjects(document: Document) -> Iterator[Subject]:
    for subject in document["subject"]:
        role = subject["role"]
        keys = [it for it in document["profiles"] if _role_of(it) == role]
        name = subject.get("card", subject.get("issuer", ""))
        unnamed = "no Agent Card was found" if role == "provider" else ""
        profiles = tuple(_profile(it, document["profiles"][it]) for it in keys)
        yield Subject(role, shortened(name or unnamed, LONGEST_TEXT), profiles)


def _role_of(key: str) -> str:
    return "personal-agent" if key.startswith("agent-") else "provider"


def _profile(key: str, profile: Mapping[str, Any]) -> ProfileVerdict:
    return ProfileVerdict(
        key=key,
        title=sections.profile(key),
        verdict=profile["verdict"],
        sign=PROFILE_SIGNS[profile["verdict"]],
        counts={it: profile["counts"][it] for it in SIGNS if profile["counts"].get(it)},
        undecided=len(profile["undecided"]),
    )


def _figures(document: Document, exchanges: Exchanges) -> Figures:
    flows = (
        Shown(row["id"], check["name"].replace("_", " "), found)
        for row in document["requirements"]
        for check in row["checks"]
        for found in exchanges.flows(row, check)
    )
    return Figures(latency(document["latency"]), turns(document["turn_ledger"]), telling(flows))


def _notes(entries: Iterable[Entry]) -> Mapping[str, tuple[str, ...]]:
    notes: dict[str, list[str]] = {}
    for entry in entries:
        for note in entry.notes:
            notes.setdefault(note, []).append(entry.id)
    return {note: tuple(dict.fromkeys(ids)) for note, ids in notes.items()}
