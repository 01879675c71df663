"""Turns that were bought by messages which should have been refused, by their families."""

from collections import Counter

from pact_conformance.journal.answer import Answer
from pact_conformance.subject.probe import bought_a_turn
from pact_conformance.verdicts import Untested

ENOUGH = 3
"""A family of messages that should be refused stops after so many became turns."""


class BoughtTurns:
    """Counts them, and spares what comes after enough of them: each further case costs a turn."""

    def __init__(self) -> None:
        self._of: Counter[str] = Counter()

    def count(self, family: str, answer: Answer) -> None:
        """Note it if a message which should be refused became a turn."""
        if bought_a_turn(answer):
            self._of[family] += 1

    def spare(self, family: str) -> None:
        """End a check whose family has shown its failure.

        Raises:
            Untested: so many cases of the family were served already.
        """
        if self._of[family] >= ENOUGH:
            raise Untested(
                f"spared: {self._of[family]} cases of {family} were served already, and each "
                "costs a turn",
                do="mend those first",
            )
