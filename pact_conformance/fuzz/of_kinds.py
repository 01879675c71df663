"""What every family does alike, by its table of kinds."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pact_conformance.fuzz.example import Change, Example
from pact_conformance.fuzz.kind import Kind, Kinds


class OfKinds:
    """A family whose examples are told and blamed by their kinds."""

    known: ClassVar[Kinds[Any]]
    """Every kind that an example of it may have."""
    good: ClassVar[str]
    """The requirement that a subject breaks which fails where nothing was changed."""
    kinds: Sequence[Kind[Any]]
    """The kinds whose needs are met, the simplest first."""

    @property
    def name(self) -> str:
        """What command lines and files call it."""
        return self.known.family

    def example(self, *changes: Change) -> Example:
        """Return the example of some changes; of two that touch one thing the first stays."""
        return self.known.example(changes)

    def said(self, example: Example) -> str:
        """Say in words what an example is.

        Raises:
            NoExample: it is none of this family.
        """
        return self.known.said(example)

    def requirement(self, example: Example) -> str:
        """Return the requirement that a subject breaks which fails at an example."""
        kind = self.known.blamed(example)
        return self.good if kind is None else kind.requirement
