"""What is untested, grouped by what the tester can do about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pact_conformance.report.folding import NOT_SELECTED


@dataclass(frozen=True)
class Lack:
    """What keeps requirements from being decided."""

    do: str
    reason: str
    ids: tuple[str, ...]


def lacks(document: Mapping[str, Any]) -> tuple[Lack, ...]:
    """Return what to set first, then what was left out by choice, then what nobody can set."""
    groups: dict[tuple[str, str], list[str]] = {}
    for row in document["requirements"]:
        if row["verdict"] == "untested":
            groups.setdefault((row["do"], row["reason"]), []).append(row["id"])
    found = [Lack(do, reason, tuple(ids)) for (do, reason), ids in groups.items()]
    return tuple(sorted(found, key=_urgency))


def _urgency(lack: Lack) -> tuple[bool, bool, int]:
    return not lack.do, lack.reason == NOT_SELECTED, -len(lack.ids)
