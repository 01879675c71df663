"""What is due to a message: the outcomes that the text allows, the usual one first."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal["new", "stored", "401", "INVALID_PARAMS", "UNSUPPORTED_OPERATION"]
"""An answer of its own; the stored reply; a refusal."""

Allowed: TypeAlias = Mapping[Outcome, str]
"""Outcomes, each with what a tester is warned of where it comes; mostly nothing."""

WORDS: Mapping[Outcome, str] = {
    "new": "a reply of its own",
    "stored": "the stored reply",
    "401": "401",
    "INVALID_PARAMS": "INVALID_PARAMS",
    "UNSUPPORTED_OPERATION": "UNSUPPORTED_OPERATION",
}


@dataclass(frozen=True)
class Due:
    """What is due to a message."""

    requirement: str
    """What a subject breaks that gives something else."""
    allowed: Allowed

    @property
    def usual(self) -> Outcome:
        """What most Providers do."""
        return next(iter(self.allowed))

    @property
    def words(self) -> str:
        """What is expected, for people."""
        return " or ".join(WORDS[it] for it in self.allowed)

    def or_also(self, allowed: Allowed) -> "Due":
        """Return what is due where the text leaves room for more; none of it is usual."""
        more = {it: why for it, why in allowed.items() if it not in self.allowed}
        return Due(self.requirement, {**self.allowed, **more})
