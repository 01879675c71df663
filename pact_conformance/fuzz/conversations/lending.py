"""Grants that serve several examples, where the User may be asked a few times only."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pact_conformance.fuzz.conversations.saying import Token
from pact_conformance.fuzz.conversations.steps import Wanted

# A token is lent while it is good for so many seconds more: an example takes some.
LEAST_LEFT = 60.0


@dataclass
class Lending:
    """What is lent, by what it is for.

    Args:
        now: the Provider's time, in epoch seconds.
    """

    now: Callable[[], float]
    _lent: dict[Wanted, tuple[Token, float]] = field(default_factory=dict)

    def find(self, wanted: Wanted) -> Token | None:
        """Return a token that is good for long enough, if there is one."""
        token, ends = self._lent.get(wanted, (None, 0.0))
        return token if ends - self.now() >= LEAST_LEFT else None

    def keep(self, wanted: Wanted, token: Token, ends: float) -> None:
        """Lend a token from now on, in place of others of its account and agent.

        A later approval may have taken the place of an earlier one.
        """
        self.forget(token)
        self._lent[wanted] = (token, ends)

    def forget(self, token: Token) -> None:
        """Lend nothing more of the account and agent of a token: something was done to a grant."""
        self._lent = {key: it for key, it in self._lent.items() if it[0].triple != token.triple}
