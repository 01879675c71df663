"""What of the suite told of a subject: the checks, rules and findings that failed or warned."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

TELLING = ("failed", "warned")
"""The verdicts by which a flaw is caught, the worse one first."""


@dataclass(frozen=True)
class Catch:
    """A check, a rule or a finding, and what it told of a subject."""

    name: str
    kind: str
    """`check`, `rule` or `finding`, as in a report."""
    requirements: tuple[str, ...]
    verdict: str
    cases: tuple[str, ...] = ()
    """Those of a check's cases that told; empty where it has none."""

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "requirements": list(self.requirements),
            "verdict": self.verdict,
            "cases": list(self.cases),
        }


def catches(report: Mapping[str, Any]) -> tuple[Catch, ...]:
    """Return what told of the subject of a report, in the order of the report."""
    found: dict[str, Catch] = {}
    for row, check in _checks(report):
        if check["verdict"] not in TELLING:
            continue
        known = found.get(check["name"])
        one = Catch(check["name"], check["kind"], (row,), check["verdict"], _cases(check))
        found[check["name"]] = one if known is None else _both(known, one)
    return tuple(found.values())


def checks_of(report: Mapping[str, Any]) -> dict[str, Catch]:
    """Return every check and rule that a report knows, by its name, whatever came of it."""
    found: dict[str, Catch] = {}
    for row, check in _checks(report):
        if check["kind"] == "finding":
            continue
        kind = "rule" if check["kind"] == "rule" else "check"
        one = Catch(check["name"], kind, (row,), "")
        known = found.get(one.name)
        found[one.name] = one if known is None else _both(known, one)
    return found


def _checks(report: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for row in report["requirements"]:
        for check in row["checks"]:
            yield row["id"], check


def _cases(check: Mapping[str, Any]) -> tuple[str, ...]:
    return (check["case"],) if check["case"] else ()


def _both(one: Catch, other: Catch) -> Catch:
    worse = min(one.verdict, other.verdict, key=(*TELLING, "").index)
    return replace(
        one,
        requirements=tuple(dict.fromkeys(one.requirements + other.requirements)),
        verdict=worse,
        cases=tuple(dict.fromkeys(one.cases + other.cases)),
    )
