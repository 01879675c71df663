"""`matrix.json`: which check caught what, as `matrix.schema.json` describes it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pact_conformance.catalogue import Catalogue
from pact_conformance.counterpart import flaws, variants
from pact_conformance.matrix.catches import Catch
from pact_conformance.matrix.findings import ROLES, caught, excuses, findings, ran_all_flaws
from pact_conformance.matrix.gathering import Gathering, Key
from pact_conformance.matrix.judged import Judged
from pact_conformance.matrix.subjects import HONEST
from pact_conformance.report.document import SPEC, suite, timestamp
from pact_conformance.report.writing import write_whole

SCHEMA = "https://pact-conformance.dev/schemas/matrix/1"
NAME = "matrix.json"

_KINDS = ("honest", "flaw", "variant", "pair")
_PLACES = {name: place for place, name in enumerate((*HONEST, *flaws.ALL, *variants.ALL))}


@dataclass(frozen=True)
class Course:
    """How the matrix was run."""

    started: float
    """Seconds since 1970."""
    finished: float
    told: str
    """Who was held against what, in a line."""
    partial: bool = False
    """Whether it was ended before everybody had had a turn."""


def build(catalogue: Catalogue, gathered: Gathering, course: Course) -> dict[str, Any]:
    """Return the matrix as plain data."""
    rows = sorted(gathered.rows, key=_place)
    by_check = caught(rows)
    checks = dict(gathered.checks)
    for row in rows:
        for catch in row.caught_by if row.kind == "flaw" else ():
            checks.setdefault((row.role, catch.name), catch)
    excused = excuses(rows, checks)
    listed = [
        {**_check(it, check), "caught": by_check.get(it, []), "excuse": excused.get(it, "")}
        for it, check in checks.items()
    ]
    places = {it: place for place, it in enumerate(catalogue.requirements)}
    listed.sort(key=lambda it: (ROLES.index(it["role"]), places[it["requirements"][0]], it["name"]))
    subjects = [row.to_json() for row in rows]
    return {
        "schema": SCHEMA,
        "suite": suite(catalogue),
        "spec": SPEC,
        "started": timestamp(course.started),
        "finished": timestamp(course.finished),
        "cpu_seconds": round(sum(row.seconds for row in rows), 1),
        "told": course.told,
        "partial": course.partial,
        "every_flaw_of": list(ran_all_flaws(rows)),
        "counts": {role: _counts(role, subjects, listed) for role in ROLES},
        "findings": findings(rows, gathered.checks),
        "subjects": subjects,
        "checks": listed,
    }


def write(document: Mapping[str, Any], folder: Path) -> Path:
    """Write `matrix.json` into a folder, whole or not at all, and return its path.

    Raises:
        OSError: the folder cannot be written.
    """
    path = folder / NAME
    write_whole(path, json.dumps(document, indent=1) + "\n")
    return path


def _place(row: Judged) -> tuple[int, int, str]:
    """Put subjects into an order that does not depend on which run ended first."""
    return _KINDS.index(row.kind), _PLACES.get(row.name, 0), row.name


def _check(key: Key, check: Catch) -> dict[str, Any]:
    return {
        "name": check.name,
        "kind": check.kind,
        "role": key[0],
        "requirements": list(check.requirements),
    }


def _counts(
    role: str, subjects: list[dict[str, Any]], checks: list[dict[str, Any]]
) -> dict[str, int]:
    of = [it for it in subjects if it["role"] == role]
    kinds = [it["kind"] for it in (*of, *checks) if it["role"] == role]
    broken = {id_ for it in of if it["kind"] == "flaw" for id_ in it["tripped"]}
    return {
        **{f"{kind}s": kinds.count(kind) for kind in ("flaw", "variant", "pair", "check", "rule")},
        "requirements": len(broken),
    }
