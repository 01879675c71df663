"""The record of one check: plain data that travels on a test report from worker to controller."""

from dataclasses import asdict, dataclass, field
from typing import Any

from pact_conformance.verdicts import Verdict


@dataclass(frozen=True)
class Outcome:
    """What one check (with one case) found.

    Its identity is requirement id + `name` + `case`, never the node id of pytest, which differs
    between a checkout and a wheel.
    """

    name: str
    case: str
    requirements: tuple[str, ...]
    verdict: Verdict
    expected: str = ""
    got: str = ""
    reason: str = ""
    do: str = ""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    exchanges: tuple[str, ...] = ()
    seconds: float = 0.0
    kind: str = "check"
    """`check`, `rule`, `finding`; `fuzz` for a family of examples, `cause` for what it found;
    `advice` for what the hardening pack measures, which decides nothing."""
    error: bool = False
    """A fault of this suite: the verdict is inconclusive and the exit code says so."""
    counts: dict[str, int] = field(default_factory=dict)
    """Of a journal rule: how many exchanges it applied to, and how many broke it. Of a family of
    examples: how many were tried, accepted, refused, undecided. Of a cause: how many showed it."""
    example: str = ""
    """Of a cause: the least example that shows it, as `--pact-example` takes it."""
    known: str = ""
    """The reason that the tester's baseline gives, where the failure is known."""
    advice: str = ""
    """The id of the advice that it measures; such an outcome cites no requirement."""
    measures: tuple[dict[str, Any], ...] = ()
    """Numbers that were taken: `what`, `value` and `unit`."""

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Outcome":
        """Read it back."""
        lists = ("requirements", "warnings", "notes", "exchanges", "measures")
        return cls(**{**data, **{name: tuple(data[name]) for name in lists if name in data}})
