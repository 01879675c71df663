"""A comparison for machines, as `comparison.schema.json` describes it."""

from collections.abc import Mapping
from typing import Any

from pact_conformance.report.comparison import Comparison

SCHEMA = "https://pact-conformance.dev/schemas/comparison/1"


def to_json(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as plain data."""
    return {
        "schema": SCHEMA,
        "old": _about(comparison.old),
        "new": _about(comparison.new),
        "objections": list(comparison.objections),
        "regressed": comparison.regressed,
        "counts": dict(comparison.counts),
        "profiles": [
            {
                "name": it.name,
                "old": it.old,
                "new": it.new,
                "changes": [vars(change) for change in it.changes],
            }
            for it in comparison.profiles
        ],
    }


def _about(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: document[name] for name in ("suite", "spec", "subject", "started", "partial")}
