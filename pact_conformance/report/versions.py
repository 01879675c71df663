"""The versions of `report.json`: this suite writes the last, and reads the last two.

A version gets a number where a reader of the one before would misunderstand or miss something. What
an older report does not have is filled in with what says so; nothing is made up.
"""

from collections.abc import Callable, Mapping
from typing import Any

_BASE = "https://pact-conformance.dev/schemas/report/"

SCHEMA = f"{_BASE}2"
"""The version that is written."""

SCHEMAS: Mapping[str, str] = {SCHEMA: "report", f"{_BASE}1": "report-1"}
"""What describes each version that is read: the stem of a file in `schemas/`."""


def upgraded(document: dict[str, Any]) -> dict[str, Any]:
    """Return a report in the form of the last version.

    Args:
        document: a report of a version in `SCHEMAS` that obeys its schema.
    """
    while document["schema"] != SCHEMA:
        document = _STEPS[document["schema"]](document)
    return document


def _from_1(document: dict[str, Any]) -> dict[str, Any]:
    """Version 2 always tells the latency, the turns' purposes, logins and pictures."""
    unsaid = {"turn_ledger": [], "logins": 0, "pictures": [], "latency": []}
    return {**unsaid, **document, "schema": SCHEMA}


_STEPS: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {f"{_BASE}1": _from_1}
