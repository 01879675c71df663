"""A family without a subject: examples are letters with numbers, and a rule says what fails."""

from collections.abc import Callable

from pact_conformance.fuzz.example import Change, Example
from pact_conformance.fuzz.family import Trial
from pact_conformance.fuzz.kind import Due, Kind, Kinds, OneOf
from pact_conformance.verdicts import Inconclusive

NUMBERS = OneOf((0, 1, 2, 3, 4))


def kind(name: str, due: Due = "refused") -> "Kind[list[str]]":
    return Kind(name, f"{name} {{0}}", due, f"3.2-{name}", list.append, (name,), (NUMBERS,))


KINDS: Kinds[list[str]] = Kinds(
    "letters", [kind("a"), kind("b"), kind("c", "accepted"), kind("d", "either"), kind("e")]
)


def values(example: Example) -> dict[str, object]:
    """The number of each letter."""
    return {it.kind: it.values[0] for it in example.changes}


class Letters:
    """The family; `fails` is asked about each example, and counts as an answer or raises."""

    name = "letters"
    kinds = tuple(KINDS.all.values())

    def __init__(self, fails: Callable[[dict[str, object]], bool] = lambda _: False) -> None:
        self._fails = fails
        self.warns: Callable[[dict[str, object]], bool] = lambda _: False
        self.sent: list[Example] = []
        self.controls = 0
        self.good_until = 10**9
        """So many requests are answered well, controls included."""

    def example(self, *changes: Change) -> Example:
        return KINDS.example(changes)

    def said(self, example: Example) -> str:
        return KINDS.said(example)

    def requirement(self, example: Example) -> str:
        blamed = KINDS.blamed(example)
        assert blamed is not None
        return blamed.requirement

    def control(self) -> None:
        self.controls += 1
        if len(self.sent) + self.controls > self.good_until:
            raise Inconclusive("the control failed", do="see to it")

    def attempt(self, example: Example) -> Trial:
        self.sent.append(example)
        held = values(example)
        if self._fails(held):
            return Trial("accepted", "401", "400", exchange=f"x-{len(self.sent)}")
        warning = "doubtful" if self.warns(held) else ""
        due = KINDS.due_to(example)
        return Trial("accepted" if due == "accepted" else "refused", warning=warning)
