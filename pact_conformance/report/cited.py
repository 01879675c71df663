"""The checks of a report, each once, with every requirement that it decides."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pact_conformance.report.outcome import Outcome

Document: TypeAlias = Mapping[str, Any]
Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Cited:
    """A check with one case, a rule or a finding, and the rows of what it cites."""

    check: Row
    rows: tuple[Row, ...]

    @property
    def outcome(self) -> Outcome:
        """What it found, as it was before it was written down."""
        known = {
            name: self.check[name] for name in Outcome.__dataclass_fields__ if name in self.check
        }
        return Outcome.from_json({**known, "requirements": [row["id"] for row in self.rows]})

    @property
    def title(self) -> str:
        """Its name as a sentence, with its case."""
        name = self.check["name"].replace("_", " ")
        return f"{name} [{self.check['case']}]" if self.check["case"] else name


def cited(document: Document) -> tuple[Cited, ...]:
    """Return the checks of a report in its order.

    A requirement for which nothing was tried has none: see `untried`.
    """
    checks: dict[tuple[str, str, str], Row] = {}
    rows: dict[tuple[str, str, str], list[Row]] = {}
    for row in document["requirements"]:
        for check in row["checks"]:
            identity = (check["kind"], check["name"], check["case"])
            checks.setdefault(identity, check)
            rows.setdefault(identity, []).append(row)
    return tuple(Cited(check, tuple(rows[it])) for it, check in checks.items())


def untried(document: Document) -> tuple[Row, ...]:
    """Return the requirements that count and for which nothing was tried."""
    return tuple(
        row
        for row in document["requirements"]
        if not row["checks"] and row["verdict"] != "not observable"
    )
