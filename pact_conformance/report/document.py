"""`report.json`: the published, versioned document that everything else is rendered from."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pact_conformance.catalogue import Catalogue
from pact_conformance.report.folding import NOT_SELECTED, Decided, Profile
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.versions import SCHEMA
from pact_conformance.report.writing import write_whole

SPEC = {"name": "PACT", "version": "1.0"}

_BEYOND_ASCII = re.compile(r"[^\n -~]")


def suite_version() -> str:
    """Return the installed version of this suite."""
    try:
        return version("pact-conformance")
    except PackageNotFoundError:
        return "unknown"


def suite(catalogue: Catalogue) -> dict[str, Any]:
    """Return what names this suite and the edition of its requirements."""
    return {
        "name": "pact-conformance",
        "version": suite_version(),
        "catalogue": {"version": catalogue.version, "digest": catalogue.digest},
    }


def timestamp(epoch: float) -> str:
    """Return a point in time, in seconds since 1970, in RFC 3339's form and UTC."""
    return datetime.fromtimestamp(epoch, UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Run:
    """What a report says of the run besides its verdicts."""

    started: float
    finished: float
    partial: bool
    subjects: tuple[dict[str, Any], ...]
    requests: int
    turns: int
    approvals: int = 0
    """How often the User has decided on a consent page."""
    logins: int = 0
    """How often the User has signed in at the Brand."""
    pictures: tuple[str, ...] = ()
    """Files beside the report that show the User's way, in order."""
    seconds_waited: float = 0.0
    findings: tuple[dict[str, Any], ...] = ()
    turn_ledger: Mapping[str, int] = field(default_factory=dict)
    """Turns by whose they were: a conversation's or a check's."""
    latency: Sequence[dict[str, Any]] = ()
    """How long the Provider took, by operation (see `latency`)."""
    settings: Mapping[str, Any] = field(default_factory=lambda: {"given": {}, "withheld": []})
    """What the tester set, without secrets (see `settings_told`)."""
    baseline: Sequence[dict[str, Any]] | None = None
    """What became of each known failure that the tester's baseline names; None without one."""
    seed: int = 1
    """Of the fuzzing."""


def build(
    catalogue: Catalogue,
    run: Run,
    decided: Sequence[Decided],
    profiles: Iterable[Profile],
    outcomes: Sequence[Outcome] = (),
    *,
    hardening: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the report as plain data, as `report.schema.json` describes it.

    Args:
        catalogue: what was judged.
        run: what there is to say of the run.
        decided: every requirement with its checks.
        profiles: their verdicts.
        outcomes: where the families of examples are found, which decide nothing.
        hardening: what the hardening pack found, which decides nothing either; None without it.
    """
    return {
        "schema": SCHEMA,
        "suite": suite(catalogue),
        "spec": SPEC,
        "subject": list(run.subjects),
        "started": timestamp(run.started),
        "finished": timestamp(run.finished),
        "partial": run.partial,
        "profiles": {it.key: _profile(it) for it in profiles},
        "settings": dict(run.settings),
        "findings": list(run.findings),
        "requirements": [_requirement(it) for it in decided],
        "turns": run.turns,
        "turn_ledger": [{"name": name, "turns": turns} for name, turns in run.turn_ledger.items()],
        "approvals": run.approvals,
        "logins": run.logins,
        "pictures": list(run.pictures),
        "requests": run.requests,
        "latency": list(run.latency),
        "journal": "journal.ndjson",
        **({} if run.baseline is None else {"baseline": list(run.baseline)}),
        **_fuzzing(run, outcomes),
        **({} if hardening is None else {"hardening": dict(hardening)}),
    }


def _fuzzing(run: Run, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return what each family of examples came to; nothing where nothing was fuzzed."""
    families = [it for it in outcomes if it.kind == "fuzz" and it.reason != NOT_SELECTED]
    if not families:
        return {}
    return {
        "fuzzing": {
            "seed": run.seed,
            "families": [
                {
                    **check(family),
                    "causes": [
                        {**check(it), "requirement": it.requirements[0]}
                        for it in outcomes
                        if it.kind == "cause" and it.name == family.name
                    ],
                }
                for family in families
            ],
        }
    }


def _profile(profile: Profile) -> dict[str, Any]:
    return {
        "verdict": profile.verdict,
        "counts": dict(profile.counts),
        "failed": list(profile.failed),
        "undecided": list(profile.undecided),
    }


def _requirement(decided: Decided) -> dict[str, Any]:
    row = decided.requirement
    return {
        "id": row.id,
        "section": row.section,
        "level": row.level,
        "role": row.role,
        "profile": row.profile,
        "statement": row.statement,
        "observed": row.observed,
        "verdict": decided.verdict if decided.counts else "not observable",
        "reason": decided.reason if decided.counts else row.reason,
        "do": decided.do,
        "needs": list(row.needs),
        "notes": [note for outcome in decided.outcomes for note in outcome.notes],
        "checks": [check(outcome) for outcome in decided.outcomes],
    }


def check(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as a report has it."""
    return {
        "name": outcome.name,
        "case": outcome.case,
        "kind": outcome.kind,
        "verdict": outcome.verdict,
        "expected": outcome.expected,
        "got": outcome.got,
        "reason": outcome.reason,
        "do": outcome.do,
        "warnings": list(outcome.warnings),
        "notes": list(outcome.notes),
        "exchanges": list(outcome.exchanges),
        "seconds": round(outcome.seconds, 4),
        "error": outcome.error,
        "counts": outcome.counts,
        **({"known": outcome.known} if outcome.known else {}),
        **({"example": outcome.example} if outcome.example else {}),
    }


def write(document: dict[str, Any], folder: Path, *, indent: int | None = 1) -> Path:
    """Write `report.json` into the folder, whole or not at all, and return its path.

    Without `indent` it is on one line, which takes a tenth of the time.
    """
    path = folder / "report.json"
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    write_whole(path, _BEYOND_ASCII.sub(_printable, text) + "\n")
    return path


def _printable(match: re.Match[str]) -> str:
    """Escape as JSON does what a subject could trick a terminal with, or no file can hold."""
    return match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1]
