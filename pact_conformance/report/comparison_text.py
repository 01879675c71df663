"""A comparison for people: at the terminal, and as Markdown for a pull request."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pact_conformance.report import sections
from pact_conformance.report.baseline import spoken
from pact_conformance.report.comparison import KINDS, Change, Comparison, Kind, Profile
from pact_conformance.report.markdown import code
from pact_conformance.report.text import harmless, paragraph

Document: TypeAlias = Mapping[str, Any]

# Of each kind; the JSON has all.
MOST_ROWS = 20
MOST_CASES = 6
MOST_IDS = 8

_SIGNS: Mapping[Kind, str] = {
    "worse": "❌",
    "better": "✅",
    "newly tested": "🔎",
    "no longer tested": "⚪",
    "changed by the suite": "📖",
}


def text(comparison: Comparison) -> str:
    """Return the comparison as lines for a terminal."""
    return "\n".join(_lines(comparison)) + "\n"


def markdown(comparison: Comparison) -> str:
    """Return the comparison in GitHub's Markdown."""
    return "\n\n".join(_paragraphs(comparison)) + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    for which, document in (("old", comparison.old), ("new", comparison.new)):
        yield f"{which}  {harmless(_made(document))}"
    for objection in comparison.objections:
        yield paragraph("although", objection)
    for profile in comparison.profiles:
        yield f"{sections.profile(profile.name)}: {_course(profile.old, profile.new)}"
        for kind in KINDS:
            yield from _told_lines(kind, profile.of(kind))
    yield _summed(comparison)


def _told_lines(kind: Kind, changes: Sequence[Change]) -> Iterator[str]:
    if kind == "no longer tested":
        for reason, ids in _by_reason(changes).items():
            yield paragraph(_label(kind), f"{_ids(ids)}: {reason}")
        return
    rows = _rows(changes)
    for row in rows[:MOST_ROWS]:
        yield paragraph(_label(kind), _told(row))
    if rows[MOST_ROWS:]:
        yield paragraph("", f"… and {len(rows) - MOST_ROWS} more {kind}; see --format=json")


def _by_reason(changes: Sequence[Change]) -> Mapping[str, Sequence[str]]:
    """Return the requirements by why they are no longer tested: a selection leaves out hundreds."""
    reasons: dict[str, dict[str, None]] = {}
    for it in changes:
        reasons.setdefault(it.said or "no reason was given", {})[it.requirement] = None
    return {reason: list(ids) for reason, ids in reasons.items()}


def _ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - MOST_IDS} more" if len(ids) > MOST_IDS else ""
    return ", ".join(ids[:MOST_IDS]) + more


def _label(kind: Kind) -> str:
    return {
        "newly tested": "tested now",
        "no longer tested": "untested now",
        "changed by the suite": "by the suite",
    }.get(kind, kind)


def _made(document: Document) -> str:
    suite = document["suite"]
    return (
        f"{document['started'][:19].replace('T', ' ')} UTC, {suite['name']} {suite['version']}, "
        f"catalogue {suite['catalogue']['version']} ({suite['catalogue']['digest'][:12]})"
    )


def _course(old: str | None, new: str | None) -> str:
    was, now = old or "not judged", new or "not judged"
    return now if was == now else f"{was} → {now}"


def _rows(changes: Sequence[Change]) -> list[tuple[Change, ...]]:
    """Return the changes by requirement, check and verdicts: cases of one kind stand together."""
    rows: dict[tuple[str | None, ...], list[Change]] = {}
    for it in changes:
        rows.setdefault((it.requirement, it.check, it.old, it.new), []).append(it)
    return [tuple(row) for row in rows.values()]


def _told(row: Sequence[Change]) -> str:
    first = row[0]
    check = f": {spoken(first.check)}" if first.check else ""
    cases = _cases([it.case for it in row if it.case])
    said = f" ({first.said})" if first.said else ""
    return f"{first.requirement}{check}{f' [{cases}]' if cases else ''}: {_verdicts(first)}{said}"


def _cases(cases: Sequence[str]) -> str:
    more = f" and {len(cases) - MOST_CASES} more" if len(cases) > MOST_CASES else ""
    return ", ".join(cases[:MOST_CASES]) + more


def _verdicts(change: Change) -> str:
    return f"{change.old or 'not there'} → {change.new or 'not there'}"


def _summed(comparison: Comparison) -> str:
    counted = [f"{count} {kind}" for kind, count in comparison.counts.items() if count]
    return ", ".join(counted) or "nothing changed"


def _paragraphs(comparison: Comparison) -> Iterator[str]:
    yield "## What changed in PACT conformance"
    yield _course_table(comparison.profiles)
    for objection in comparison.objections:
        yield f"> Although {code(objection)}"
    for kind in KINDS:
        items = list(_items(kind, [it for each in comparison.profiles for it in each.of(kind)]))
        if items:
            more = [f"… and {len(items) - MOST_ROWS} more"] if items[MOST_ROWS:] else []
            listed = "\n".join(f"- {item}" for item in [*items[:MOST_ROWS], *more])
            heading = f"{_SIGNS[kind]} {kind.capitalize()} ({comparison.counts[kind]})"
            yield _folded(kind, heading, listed)
    if not any(comparison.counts.values()):
        yield "Nothing changed."
    yield f"<sub>{code(_made(comparison.old))} → {code(_made(comparison.new))}</sub>"


def _course_table(profiles: Sequence[Profile]) -> str:
    lines = ["| Profile | before | now |", "| --- | --- | --- |"]
    lines += [
        f"| {sections.profile(it.name)} | {it.old or 'not judged'} | **{it.new or 'not judged'}** |"
        for it in profiles
    ]
    return "\n".join(lines)


def _folded(kind: Kind, heading: str, items: str) -> str:
    if kind in {"worse", "better"}:
        return f"### {heading}\n\n{items}"
    return f"<details><summary>{heading}</summary>\n\n{items}\n\n</details>"


def _items(kind: Kind, changes: Sequence[Change]) -> Iterator[str]:
    if kind == "no longer tested":
        for reason, ids in _by_reason(changes).items():
            yield f"{_ids(ids)}: {code(reason)}"
    else:
        yield from map(_item, _rows(changes))


def _item(row: Sequence[Change]) -> str:
    first = row[0]
    check = f" {spoken(first.check)}" if first.check else ""
    cases = _cases([it.case for it in row if it.case])
    case = f" {code(cases)}" if cases else ""
    said = f": {code(first.said)}" if first.said else ""
    return f"**{first.requirement}**{check}{case}: {_verdicts(first)}{said}"
