"""What a campaign has found and counted."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Trial


@dataclass(frozen=True)
class Cause:
    """One thing that is amiss, by the least example that shows it."""

    example: Example
    words: str
    requirement: str
    trial: Trial
    seen: int = 1
    """How many of the examples that were tried show it."""

    def explains(self, example: Example, trial: Trial) -> bool:
        """Say whether an example that failed does so for this cause, as far as one can tell."""
        if self.trial.mark:
            return self.trial.mark == trial.mark
        return self.example.kinds <= example.kinds


@dataclass
class Tally:
    """The counts of a family, and its causes in the order in which they were found."""

    tried: int = 0
    accepted: int = 0
    refused: int = 0
    undecided: int = 0
    requests: int = 0
    """Controls and what shrinking took among them."""
    seconds: float = field(default=0.0, compare=False)
    causes: list[Cause] = field(default_factory=list)
    stopped: str = ""
    """Why not all was tried; empty if it was."""
    do: str = ""
    """What can be done about that."""
    inconclusive: bool = False
    """Whether that leaves the family without a verdict."""

    @property
    def counts(self) -> dict[str, int]:
        """The counts, by what they count."""
        return {
            "tried": self.tried,
            "accepted": self.accepted,
            "refused": self.refused,
            "undecided": self.undecided,
        }

    def see(self, counted: Mapping[Example, int]) -> None:
        """Enter how many examples showed each cause, by the one that it was made less of."""
        self.causes = [
            replace(cause, seen=max(1, counted.get(cause.example, 0))) for cause in self.causes
        ]
