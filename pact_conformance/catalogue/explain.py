"""The catalogue as text for a terminal."""

import textwrap
from collections.abc import Iterable

from pact_conformance.catalogue.requirement import Requirement

_WIDTH = 88
_OBSERVED = {
    "outside": "over the protocol alone",
    "given": "with something that the tester gives",
    "not": "not from outside",
}
_HEADINGS = ("id", "level", "role", "profile", "observed")


def listing(requirements: Iterable[Requirement]) -> str:
    """Return an aligned table, one line for each requirement."""
    rows = [_HEADINGS, *(_row(requirement) for requirement in requirements)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def explanation(requirement: Requirement) -> str:
    """Return what a requirement says, how it is tried, and how subjects usually get it wrong."""
    facts = (
        requirement.level,
        f"section {requirement.section}",
        requirement.role,
        requirement.profile,
    )
    parts = [
        f"{requirement.id}\n{' · '.join(facts)}",
        wrapped(requirement.statement),
        _told("Observed", _how(requirement)),
        _told("The tester gives", ", ".join(requirement.needs)),
        _told("What is sent", requirement.sent),
        _told("What is expected", requirement.expected),
        _told("How subjects usually get it wrong", requirement.pitfalls),
        _told("Why it is not observed", requirement.reason),
    ]
    return "\n\n".join(part for part in parts if part)


def _row(requirement: Requirement) -> tuple[str, str, str, str, str]:
    notes: list[str] = [requirement.observed]
    if requirement.needs:
        notes.append(", ".join(requirement.needs))
    if requirement.rule:
        notes.append("over every exchange")
    if requirement.planned:
        notes.append("planned")
    return (
        requirement.id,
        requirement.level,
        requirement.role,
        requirement.profile,
        " · ".join(notes),
    )


def _how(requirement: Requirement) -> str:
    how = _OBSERVED[requirement.observed]
    if requirement.rule:
        how += ", over every exchange of the run"
    if requirement.planned:
        how += "; planned, no check is written yet"
    return how + "."


def _told(heading: str, text: str) -> str:
    return f"{heading}:\n{wrapped(text, indent='  ')}" if text else ""


def wrapped(text: str, *, indent: str = "") -> str:
    """Return a text in lines as wide as a terminal likes them, each behind an indent."""
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
