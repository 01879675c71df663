"""Annotations for GitHub: workflow commands that show failures on the page of a job.

GitHub shows ten errors and ten warnings of a step, so the last of each kind counts the others. What
a subject says is escaped: it cannot begin a command of its own.
"""

from collections.abc import Iterator, Sequence

from pact_conformance.report import sections
from pact_conformance.report.cited import Document, Row
from pact_conformance.report.text import harmless

MOST = 10
LONGEST = 600

_KINDS = (("error", "failed"), ("error", "inconclusive"), ("warning", "warned"))


def lines(document: Document) -> Iterator[str]:
    """Yield the commands, one a line: errors before warnings, a requirement each."""
    for kind in ("error", "warning"):
        found = [
            _command(kind, row, verdict)
            for of, verdict in _KINDS
            if of == kind
            for row in document["requirements"]
            if row["verdict"] == verdict and not _is_known(row)
        ]
        yield from _fitting(kind, found)


def _fitting(kind: str, found: Sequence[str]) -> Iterator[str]:
    if len(found) <= MOST:
        yield from found
        return
    yield from found[: MOST - 1]
    rest = len(found) - MOST + 1
    title = _property(f"PACT: {rest} more requirements")
    yield f"::{kind} title={title}::{_data('the report of this run has them all')}"


def _command(kind: str, row: Row, verdict: str) -> str:
    title = f"PACT {row['id']} {verdict} ({row['level']}, §{row['section']}"
    title += ")" if row["role"] == "provider" else f", {sections.role(row['role'])})"
    return f"::{kind} title={_property(title)}::{_data(_cut(_told(row, verdict)))}"


def _told(row: Row, verdict: str) -> str:
    """Return the statement, and what the first check with the verdict says of it."""
    checks = [it for it in row["checks"] if it["verdict"] == verdict and not it.get("known")]
    said = [row["statement"]]
    if checks:
        first = checks[0]
        for label in ("expected", "got", "reason", "do"):
            said += [f"{label}: {first[label]}"] if first[label] else []
        said += [f"warning: {it}" for it in first["warnings"]]
        more = len(checks) - 1
        said += [f"and {more} more {'case' if more == 1 else 'cases'}"] if more else []
    return "\n".join(" ".join(it.split()) for it in said)


def _is_known(row: Row) -> bool:
    """Say whether the tester's baseline names every failure of it."""
    amiss = [it for it in row["checks"] if it["verdict"] == row["verdict"]]
    return bool(amiss) and all(it.get("known") for it in amiss)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _data(text: str) -> str:
    return harmless(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
