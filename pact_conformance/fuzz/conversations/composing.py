"""Composes conversations out of numbers that are drawn: steps that have to do with each other.

Steps drawn one by one would mostly be about nothing. So each is a move in what was composed before:
a message is said again, a conversation is gone on with by somebody else, a grant is revoked that
was used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pact_conformance.fuzz.conversations.steps import (
    ACCOUNTS,
    ASKED,
    GRANTS,
    IDS,
    NEW,
    NO_GRANT,
    ONE,
    PLACES,
    SCOPES,
    TEXTS,
    WHERE,
    WHO,
    Said,
)
from pact_conformance.fuzz.example import Change
from pact_conformance.fuzz.family import Choose

T = TypeVar("T")

LEAST, MOST = 2, 11
"""How many steps a conversation has."""

MORE = 2
"""How many more it has with grants, which have to be got first."""


@dataclass(frozen=True)
class Offer:
    """What there is to compose with."""

    kinds: frozenset[str]
    who: Sequence[str] = WHO
    where: Sequence[str] = WHERE
    accounts: Sequence[str] = ACCOUNTS
    texts: Sequence[str] = TEXTS
    scopes: Sequence[str] = SCOPES


@dataclass
class Composer:
    """Composes one example."""

    choose: Choose
    offer: Offer
    steps: list[Change] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    grants: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Who got each, and where."""
    place_at_hand: str = ""
    """The conversation that something was done to just now."""
    grant_at_hand: str = ""

    def compose(self) -> list[Change]:
        """Return the steps."""
        delegated = "grant" in self.offer.kinds and self.choose(2) > 0
        moves = self._moves(delegated=delegated)
        if delegated and self.choose(3):
            self._grant()
        more = MORE if delegated else 0
        count = (
            LEAST + more + self.choose((MOST - LEAST) // 2) + self.choose((MOST - LEAST + 1) // 2)
        )
        while len(self.steps) < count:
            moves[self.choose(len(moves) - 1)]()
        return self.steps

    def _moves(self, *, delegated: bool) -> list[Callable[[], None]]:
        moves = [self._go_on] * 5 + [self._repeat] * 4 + [self._open] * 2 + [self._intrude] * 2
        more = {"close": [self._close] * 2}
        if delegated:
            more |= {
                "grant": [self._grant] * 3,
                "refresh": [self._refresh] * 2,
                "revoke": [self._revoke] * 2,
                "look": [self._look],
            }
        return moves + [
            move for kind, each in more.items() if kind in self.offer.kinds for move in each
        ]

    def _one(self, values: Sequence[T]) -> T:
        return values[self.choose(len(values) - 1)]

    def _mostly(self, values: Sequence[T], of: int = 3) -> T:
        """Return the first, and once in so many times any."""
        return values[0] if self.choose(of - 1) < of - 1 else self._one(values)

    def _say(self, said: Said) -> None:
        self.said.append(said)
        self.steps.append(said.change)

    def _id(self) -> str:
        """Return an id that was not used; once in a while one that was."""
        used = {it.id for it in self.said}
        if used and self.choose(4) == 4:
            return self._one(sorted(used))
        return next((it for it in IDS[1:] if it not in used), NEW)

    def _under(self, who: str, where: str) -> str:
        """Return a grant that was got here by this User, mostly, if there is one."""
        own = [name for name, owner in self.grants.items() if owner == (who, where)]
        if self.grant_at_hand in own and self.choose(2):
            return self.grant_at_hand
        if own and self.choose(3):
            return self._one(own)
        if self.grants and self.choose(5) == 5:
            return self._one(list(self.grants))
        return NO_GRANT

    def _text(self) -> str:
        return self._mostly(self.offer.texts, 2)

    def _open(self) -> None:
        free = [it for it in PLACES if it not in {said.place for said in self.said}]
        who, where = self._mostly(self.offer.who), self._mostly(self.offer.where, 5)
        under = self._under(who, where)
        self._say(Said(who, where, (free or PLACES)[0], self._id(), self._text(), under))

    def _go_on(self) -> None:
        if not self.said:
            self._open()
            return
        opened = self._opened()
        under = self._under(opened.who, opened.where)
        self._say(Said(opened.who, opened.where, opened.place, self._id(), self._text(), under))

    def _opened(self) -> Said:
        """Return the message that opened one of the conversations."""
        opened = {it.place: it for it in reversed(self.said)}
        if self.place_at_hand and self.choose(2):
            return opened[self.place_at_hand]
        return self._one(list(opened.values()))

    def _repeat(self) -> None:
        """Say something again: as it was, or with one thing changed."""
        if not self.said:
            self._open()
            return
        here = [it for it in self.said if it.place == self.place_at_hand]
        it = self._one(here if here and self.choose(1) else self.said)
        what = self.choose(6)
        who, where, text, under = it.who, it.where, it.text, it.under
        if what in {2, 3}:
            who, where = self._somebody_else(it)
            under = it.under if what == 3 else NO_GRANT
        elif what == 4:
            text = self._one(self.offer.texts)
        elif what == 5:
            under = self._one([NO_GRANT, *self.grants])
        elif what == 6:
            who, where = self._somebody_else(it)
            under = self._under(who, where)
        self._say(Said(who, where, it.place, it.id, text, under))

    def _intrude(self) -> None:
        """Go on with what somebody else has begun."""
        if not self.said:
            self._open()
            return
        it = self._opened()
        who, where = self._somebody_else(it)
        holders = [owner for owner in self.grants.values() if owner != (it.who, it.where)]
        if holders and self.choose(1):
            who, where = self._one(holders)
        self._say(Said(who, where, it.place, self._id(), self._text(), self._under(who, where)))

    def _somebody_else(self, it: Said) -> tuple[str, str]:
        others = [(who, it.where) for who in self.offer.who if who != it.who]
        others += [(it.who, where) for where in self.offer.where if where != it.where]
        return self._one(others) if others else (it.who, it.where)

    def _grant(self) -> None:
        name = next((it for it in GRANTS if it not in self.grants), GRANTS[-1])
        who, where = self._mostly(self.offer.who, 2), self._mostly(self.offer.where, 6)
        if self.grants and self.choose(1):
            who, where = self._one(list(self.grants.values()))  # of another account, say
        self.grants[name] = (who, where)
        self.grant_at_hand = name
        values = (name, who, where, self._one(self.offer.accounts), self._one(self.offer.scopes))
        self.steps.append(Change("grant", values))

    def _refresh(self) -> None:
        if self.grants:
            asked = self._one([it for it in ASKED if len(self.offer.scopes) > 1 or it != ONE])
            self.grant_at_hand = self._one(list(self.grants))
            self.steps.append(Change("refresh", (self.grant_at_hand, asked)))
        else:
            self._grant()

    def _revoke(self) -> None:
        if self.grants:
            self.grant_at_hand = self._one(list(self.grants))
            self.steps.append(Change("revoke", (self.grant_at_hand,)))
        else:
            self._grant()

    def _close(self) -> None:
        if self.said:
            self.place_at_hand = self._opened().place
            self.steps.append(Change("close", (self.place_at_hand,)))
        else:
            self._open()

    def _look(self) -> None:
        if self.said:
            it = self._opened()
            who, where = (it.who, it.where) if self.choose(1) else self._somebody_else(it)
            self.steps.append(Change("look", (who, where, it.place)))
        else:
            self._open()
