"""The steps that a conversation is made of, in words that reports and command lines share."""

from dataclasses import dataclass

from pact_conformance.fuzz.example import Change

WHO = ("Ann", "Ben", "Ann by another agent")
"""Users: two of one personal agent, and one of another agent with the same `sub` as the first."""

WHERE = ("the Brand", "the other Brand")
PLACES = ("A", "B", "C", "D")
"""What conversations are called; the first message to one opens it."""

NEW = "a new id"
IDS = (NEW, "m1", "m2", "m3", "m4", "m5", "m6")

QUESTION, ANOTHER = "a question", "another question"
FIRST, SECOND = "what takes the first scope", "what takes the second scope"
TEXTS = (QUESTION, ANOTHER, FIRST, SECOND)

NO_GRANT = "no grant"
GRANTS = ("grant 1", "grant 2", "grant 3", "grant 4")
UNDER = (NO_GRANT, *GRANTS)

ACCOUNTS = ("the first account", "the second account")
ONE, OTHER, BOTH = "the first scope", "the second scope", "both scopes"
ONE_OF_BOTH = "both scopes, and the first is approved"
SCOPES = (ONE, OTHER, BOTH, ONE_OF_BOTH)
THE_SAME = "what it has"
ASKED = (THE_SAME, ONE, OTHER, BOTH)


@dataclass(frozen=True)
class Said:
    """A message that was composed."""

    who: str
    where: str
    place: str
    id: str
    text: str = QUESTION
    under: str = NO_GRANT

    @property
    def change(self) -> Change:
        """The step."""
        return Change("say", (self.who, self.where, self.place, self.id, self.text, self.under))


@dataclass(frozen=True)
class Wanted:
    """A grant as a step names it."""

    who: str
    where: str
    account: str
    scopes: str

    def asked(self, known: tuple[str, ...]) -> tuple[str, ...]:
        """Return the scopes that are asked for, of one or two that there are."""
        return scopes_of(self.scopes, known)

    def approved(self, known: tuple[str, ...]) -> tuple[str, ...]:
        """Return the scopes that the User approves."""
        asked = self.asked(known)
        return asked[:1] if self.scopes == ONE_OF_BOTH else asked


def scopes_of(words: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the scopes that words of a step mean, of one or two that there are."""
    if words in {BOTH, ONE_OF_BOTH} or len(known) < 2:
        return known
    return {ONE: known[:1], OTHER: known[1:]}[words]
