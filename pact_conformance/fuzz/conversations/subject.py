"""What the steps of a conversation are taken with: a Provider, wherever it is."""

from collections.abc import Collection, Sequence
from typing import Protocol

from pact_conformance.fuzz.conversations.saying import Message, Seen, Token, User
from pact_conformance.fuzz.conversations.steps import Wanted


class Subject(Protocol):
    """A Provider, with its Brands, and the Users who talk to it."""

    @property
    def scopes(self) -> tuple[str, ...]:
        """One or two of the card's ids, which grants are for."""

    def user(self, who: str) -> User:
        """Return one of `steps.WHO`.

        Raises:
            Impossible: there is no such personal agent.
        """

    def brand(self, where: str) -> str:
        """Return the interface URL of one of `steps.WHERE`.

        Raises:
            Impossible: there is no such Brand.
        """

    def card_scopes(self, where: str) -> Collection[str]:
        """Return the scopes on the card of a Brand."""

    def send(self, message: Message, who: str, where: str) -> Seen:
        """Send a message.

        Raises:
            Inconclusive: nothing came that says anything of the Provider.
        """

    def grant(self, wanted: Wanted) -> Token:
        """Go through a device flow.

        Raises:
            Impossible: the User cannot be asked.
            Inconclusive: no token came of it.
        """

    def refresh(self, token: Token, asked: Collection[str] | None) -> tuple[Token | None, str]:
        """Refresh a token; return the new one, or None with what came.

        Raises:
            Impossible: there is no refresh token.
        """

    def revoke(self, token: Token) -> None:
        """Revoke the grant of a token."""

    def close(self, context: str, owner: User, brand: str) -> None:
        """Close a conversation."""

    def look(self, task: str, who: str, where: str) -> Seen:
        """Look a step-up up."""


class Present(Subject, Protocol):
    """One that serves example after example."""

    @property
    def offers(self) -> frozenset[str]:
        """What steps need that may be missing."""

    @property
    def who(self) -> Sequence[str]:
        """The Users that there are."""

    @property
    def where(self) -> Sequence[str]:
        """The Brands that there are."""

    @property
    def accounts(self) -> Sequence[str]:
        """The accounts that somebody can sign in with."""

    def begin(self, wanted: Collection[Wanted]) -> None:
        """Begin an example that takes these grants.

        Raises:
            Impossible: the User has been asked too often for that.
        """

    def end(self, tokens: Collection[Token]) -> None:
        """End an example, in which these tokens were got."""
