"""Runs of a matrix that nobody ran, and what is gathered of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pact_conformance.matrix.catches import Catch
from pact_conformance.matrix.forked import Ran
from pact_conformance.matrix.gathering import Gathering
from pact_conformance.matrix.judged import Judged
from pact_conformance.matrix.subjects import Kind, Subject

# A requirement that a rule decides, and one that a check does.
RULE, CHECKED = "6-table", "2.2-send"


def row(id_: str, verdict: str, checks: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """A requirement of a report, as far as the matrix looks at it."""
    return {"id": id_, "verdict": verdict, "checks": list(checks)}


def check(name: str, verdict: str, case: str = "", kind: str = "check") -> dict[str, Any]:
    """A check of a report, as far as the matrix looks at it."""
    return {"name": name, "case": case, "kind": kind, "verdict": verdict}


def report(*rows: Mapping[str, Any]) -> dict[str, Any]:
    return {"requirements": list(rows)}


def ran(kind: Kind, declared: set[str], tripped: Mapping[str, str], code: int = 1) -> Ran:
    """A run in which requirements ended so."""
    subject = Subject("it", kind, "identity", frozenset(declared))
    return Ran(subject, code, report(*(row(it, verdict) for it, verdict in tripped.items())), "")


def judged(name: str, kind: Kind = "flaw", **members: Any) -> Judged:  # noqa: ANN401 - any of them
    """A subject that declares and trips one requirement, by one check, unless otherwise said."""
    catch = Catch("a_check", "check", (CHECKED,), "failed")
    usual: dict[str, Any] = {
        "sections": None,
        "declared": frozenset({CHECKED}),
        "tripped": frozenset({CHECKED}),
        "problem": "",
        "caught_by": (catch,) if kind == "flaw" else (),
    }
    return Judged(name, kind, **{**usual, **members})


def gathering(rows: Sequence[Judged], folder: Path = Path("nowhere")) -> Gathering:
    """What was gathered of a matrix with one check and one rule."""
    known = {
        ("provider", "a_check"): Catch("a_check", "check", (CHECKED,), ""),
        ("provider", "a_rule"): Catch("a_rule", "rule", (RULE,), ""),
    }
    return Gathering(folder, lambda _: None, list(rows), dict(known))  # type: ignore[arg-type]
