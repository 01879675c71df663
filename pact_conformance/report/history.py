"""The reports of a folder in the order of time: how each subject went, profile by profile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pact_conformance.report import comparable, load, sections
from pact_conformance.report.comparison import Kind, compare
from pact_conformance.report.html import NAME as PAGE

Document: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Course:
    """What changed since the report before, where the two can be compared."""

    worse: tuple[str, ...] = ()
    better: tuple[str, ...] = ()
    objections: tuple[str, ...] = ()
    """Why they cannot."""


@dataclass(frozen=True)
class Point:
    """A profile in one report."""

    at: str
    """When the run began, as the report has it."""
    verdict: str
    counts: Mapping[str, int]
    suite: str
    partial: bool
    page: str
    """Where the report's page is, below the folder; empty if there is none."""
    course: Course

    @property
    def total(self) -> int:
        """How many requirements it rests on."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class Series:
    """A profile of a subject over time."""

    profile: str
    subject: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class History:
    """The series of a folder, and what in it could not be read."""

    series: tuple[Series, ...]
    unreadable: tuple[str, ...]


def gather(folder: Path) -> History:
    """Read every `report.json` below a folder, and every report that lies in it.

    Raises:
        ReportUnreadable: there is none that can be read.
    """
    found: list[tuple[Path, Document]] = []
    unreadable: list[str] = []
    for path in sorted({*folder.rglob(load.NAME), *folder.glob("*.json")}):
        try:
            found.append((path, load.read(path)))
        except load.ReportUnreadable as error:
            if path.name == load.NAME:  # another file need not be one
                unreadable.append(str(error).splitlines()[0])
    if not found:
        why = f": {unreadable[0]}" if unreadable else ""
        raise load.ReportUnreadable(f"there is no report in {folder} that can be read{why}")
    found.sort(key=lambda it: it[1]["started"])
    return History(tuple(_series(found, folder)), tuple(unreadable))


def _series(found: Sequence[tuple[Path, Document]], folder: Path) -> list[Series]:
    points: dict[tuple[str, str], list[Point]] = {}
    before: dict[tuple[str, str], Document] = {}
    for path, document in found:
        for profile in document["profiles"]:
            role = "personal-agent" if profile.startswith("agent-") else "provider"
            key = profile, comparable.subject(document, role)
            course = _course(before.get(key), document, profile)
            points.setdefault(key, []).append(_point(document, profile, path, folder, course))
            if not document["partial"]:
                before[key] = document
    return [Series(profile, subject, tuple(it)) for (profile, subject), it in points.items()]


def _course(before: Document | None, document: Document, profile: str) -> Course:
    if before is None or document["partial"]:
        return Course()
    found = compare(before, document)
    if found.objections:
        return Course(objections=found.objections)
    own = [it for it in found.profiles if it.name == profile]

    def ids(kind: Kind) -> tuple[str, ...]:
        return tuple(dict.fromkeys(change.requirement for it in own for change in it.of(kind)))

    return Course(ids("worse"), ids("better"))


def _point(document: Document, profile: str, path: Path, folder: Path, course: Course) -> Point:
    found, suite = document["profiles"][profile], document["suite"]
    page = path.with_name(PAGE)
    return Point(
        at=document["started"],
        verdict=found["verdict"],
        counts=found["counts"],
        suite=f"{suite['version']}, catalogue {suite['catalogue']['version']}",
        partial=document["partial"],
        page=page.relative_to(folder).as_posix() if page.is_file() else "",
        course=course,
    )


def title(series: Series) -> str:
    """Return how people call a series."""
    return f"{sections.profile(series.profile)}: {series.subject or 'no subject was found'}"
