"""What a family of examples is to a campaign."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from pact_conformance.fuzz.example import Change, Example
from pact_conformance.fuzz.kind import Kind

Fate: TypeAlias = Literal["accepted", "refused", "undecided"]
"""What became of an example: undecided is what shows neither, a rate limit for instance."""


@dataclass(frozen=True)
class Trial:
    """What came of one example."""

    fate: Fate
    expected: str = ""
    """What was due, where something else came."""
    got: str = ""
    """What came instead."""
    warning: str = ""
    """What a reading of the specification that surprises others is told."""
    exchange: str = ""
    """The id of the exchange that shows it."""
    beside: tuple[str, ...] = ()
    """The ids of others that belong to it, where one alone does not tell it."""
    requirement: str = ""
    """What is broken, where only the answer shows it; otherwise the family says so."""
    mark: str = ""
    """Tells what came apart from other failures; where it is empty the changes do."""

    @property
    def failed(self) -> bool:
        """Whether something else came than what was due."""
        return bool(self.expected)


class Impossible(Exception):  # noqa: N818 - it says what is the case
    """An example cannot be made for this subject: its change would change nothing."""


class Unlucky(Impossible):
    """An example cannot be made this time; another time it may."""


class Exhausted(Exception):  # noqa: N818 - it says what is the case
    """Nothing more may be spent of what the tester allows: no verdict on the subject."""

    def __init__(self, reason: str, *, do: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.do = do


class Unanswered(Exception):  # noqa: N818 - it says what is the case
    """No answer came to an example; `trial` is what it counts as if none comes again."""

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial.got)
        self.trial = trial


class Family(Protocol):
    """A family, ready to be tried on the subject of a run."""

    @property
    def name(self) -> str:
        """What command lines and files call it."""

    @property
    def kinds(self) -> Sequence[Kind[Any]]:
        """The kinds whose needs are met, the simplest first."""

    def example(self, *changes: Any) -> Example:  # noqa: ANN401 - `Change`s
        """Return the example of some changes; of two that touch one thing the first stays."""

    def said(self, example: Example) -> str:
        """Say in words what an example is."""

    def requirement(self, example: Example) -> str:
        """Return the requirement that a subject breaks which fails at an example."""

    def attempt(self, example: Example) -> Trial:
        """Make an example, send it, and judge what comes.

        Raises:
            Impossible: of this subject it cannot be made.
            Unanswered: nothing came.
            Exhausted: it would cost more than may be spent.
        """

    def control(self) -> None:
        """See that what is good gets through.

        Raises:
            Inconclusive: it does not; nothing refused since the last time proves anything.
        """


Choose: TypeAlias = Callable[[int], int]
"""Draws a whole number from 0 to one, both included; smaller ones make less of an example."""


@runtime_checkable
class Composing(Family, Protocol):
    """A family that composes its examples itself, for their changes have to do with each other."""

    def compose(self, choose: Choose) -> Sequence[Change]:
        """Return the changes of an example."""
