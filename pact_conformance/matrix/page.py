"""`matrix.html`: which check caught what, for people; made of `matrix.json` alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pact_conformance.report import page, sections
from pact_conformance.report.writing import write_whole

NAME = "matrix.html"

_TEMPLATE = Path(__file__).parent / "templates" / "matrix.html.j2"
_SIGNS = {"failed": "✗", "warned": "!"}

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Group:
    """Checks or flaws of one role and section."""

    key: str
    role: str
    title: str
    rows: tuple[Row, ...]


def write(document: Mapping[str, Any], folder: Path) -> Path:
    """Write `matrix.html` into a folder, and return its path.

    Raises:
        OSError: the folder cannot be written.
    """
    path = folder / NAME
    write_whole(path, render(document))
    return path


def render(document: Mapping[str, Any]) -> str:
    """Return the page as text.

    Args:
        document: as `document.build` made it, or as it was read from `matrix.json`.
    """
    style = page.asset(page.TEMPLATES / "report.css", _TEMPLATE.with_name("matrix.css"))
    script = page.asset(page.TEMPLATES / "report.js")
    subjects = document["subjects"]
    flaws = _of(subjects, "flaw")
    return page.template(_TEMPLATE).render(
        document=document,
        checks=_groups(document["checks"], "requirements"),
        flaws=_groups(flaws, "declared"),
        variants=_of(subjects, "variant"),
        pairs=_of(subjects, "pair"),
        honest=_of(subjects, "honest"),
        told={it["name"]: it["description"] for it in flaws},
        whole=sum(it["sections"] is None for it in subjects),
        minutes=_minutes(document),
        signs=_SIGNS,
        role_title=sections.role,
        key=_key,
        policy=page.policy(style, script),
        style=style,
        script=script,
    )


def _of(subjects: Iterable[Row], kind: str) -> list[Row]:
    return [it for it in subjects if it["kind"] == kind]


def _groups(rows: Iterable[Row], ids: str) -> list[Group]:
    """Group rows by role and by the section of the first of their requirements, in its order."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        section = min((it.partition("-")[0] for it in row[ids]), key=_order, default="")
        found.setdefault((row["role"], section), []).append(row)
    ordered = sorted(found, key=lambda it: (it[0] != "provider", _order(it[1])))
    return [
        Group(f"{role}-{section}", role, sections.title(section), tuple(found[role, section]))
        for role, section in ordered
    ]


def _order(section: str) -> list[int]:
    return [int(it) for it in section.split(".") if it.isdecimal()]


def _key(role: str, name: str) -> str:
    """Return the anchor of a check: two roles may have one of the same name."""
    return f"c-{role}-{name}"


def _minutes(document: Mapping[str, Any]) -> str:
    started, finished = (datetime.fromisoformat(document[it]) for it in ("started", "finished"))
    minutes, seconds = divmod(round((finished - started).total_seconds()), 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
