"""The kinds of steps, and what an example of them is."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pact_conformance.fuzz.conversations.ideal import usual_course
from pact_conformance.fuzz.conversations.running import Course
from pact_conformance.fuzz.conversations.steps import (
    ACCOUNTS,
    ASKED,
    GRANTS,
    IDS,
    NEW,
    NO_GRANT,
    PLACES,
    SCOPES,
    TEXTS,
    UNDER,
    WHERE,
    WHO,
)
from pact_conformance.fuzz.example import Change, Example, NoExample
from pact_conformance.fuzz.kind import Due, Kind, Kinds, OneOf, unfitting

NAME = "conversations"


class Steps(Kinds[None]):
    """Kinds whose changes are steps: they stay in their order, and may repeat."""

    def example(self, changes: Iterable[Change]) -> Example:
        """Return the example of these steps."""
        return Example(self.family, tuple(changes))

    def of(self, example: Example) -> list[tuple[Kind[None], Change]]:
        """Return the steps of an example with their kinds.

        Raises:
            NoExample: a kind is unknown, or does not take these values.
        """
        if example.family != self.family:
            raise NoExample(f"{example.family!r} is not the family {self.family}")
        for change in example.changes:
            kind = self.all.get(change.kind)
            if kind is None or not kind.fits(change):
                raise NoExample(unfitting(self.family, "step", change, kind))
        return [(self.all[change.kind], change) for change in example.changes]

    def due_to(self, example: Example) -> Due:
        """Say whether the last step is served, at a Provider that does the usual thing."""
        return "accepted" if self._usual(example).accepted else "refused"

    def blamed(self, example: Example) -> Kind[None] | None:
        """Return the last step's kind, with the requirement that it is about."""
        if not example.changes:
            return None
        kind, _ = self.of(example)[-1]
        return replace(kind, requirement=self._usual(example).requirement or kind.requirement)

    def _usual(self, example: Example) -> Course:
        self.of(example)
        return usual_course(example.changes)

    def said(self, example: Example) -> str:
        """Tell an example step by step."""
        steps = [_told(kind, change) for kind, change in self.of(example)]
        return "; ".join(f"({number}) {step}" for number, step in enumerate(steps, 1)) or "nothing"


def _told(kind: Kind[None], change: Change) -> str:
    """Tell a step, but for what goes without saying."""
    told = kind.said(change)
    for usual in (f" at {WHERE[0]}", f" as {NEW}", f" under {NO_GRANT}"):
        told = told.replace(usual, "")
    return told


def _step(name: str, words: str, *takes: tuple[str, ...], needs: Iterable[str] = ()) -> Kind[None]:
    return Kind(
        name,
        words,
        due="either",
        requirement="4.2-reply",
        apply=_nothing,
        slots=(),
        takes=tuple(map(OneOf, takes)),
        needs=frozenset(needs),
    )


def _nothing(*_: Any) -> None:  # noqa: ANN401 - steps are gone through by `running`
    """Steps work on no draft."""


KINDS = Steps(
    NAME,
    (
        _step(
            "say",
            "{0} sends {4} to {2} at {1} as {3} under {5}",
            WHO,
            WHERE,
            PLACES,
            IDS,
            TEXTS,
            UNDER,
        ),
        _step(
            "grant",
            "{1} gets {0} from {3} at {2}: {4}",
            GRANTS,
            WHO,
            WHERE,
            ACCOUNTS,
            SCOPES,
            needs=("approver",),
        ),
        _step("refresh", "{0} is refreshed for {1}", GRANTS, ASKED, needs=("approver",)),
        _step("revoke", "{0} is revoked", GRANTS, needs=("approver", "hooks.revoke_grant")),
        _step("close", "{0} is closed", PLACES, needs=("hooks.close_conversation",)),
        _step(
            "look",
            "{0} looks at {1} for the step-up in {2}",
            WHO,
            WHERE,
            PLACES,
            needs=("approver",),
        ),
    ),
)
