"""Who may act on which account (§5.3, §5.4): grants, what they cover, and which have ended.

A grant is given by an account of a Brand to a personal agent. Where the text leaves open whether a
grant still stands it is *doubtful*, and either answer is right: another approval of the same
account for the same agent may take the place of an earlier one, and who revokes one may mean all.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pact_conformance.fuzz.conversations.saying import Breach, Message, Token

Standing: TypeAlias = Literal["good", "doubtful", "bad"]

Grant: TypeAlias = tuple[tuple[str, str, str], str]
"""An account, an agent, a Brand, and the `grant_id`."""


def grant_of(token: Token) -> Grant:
    """Return the grant that a token is of."""
    return (token.triple, token.grant_id)


@dataclass
class Permissions:
    """The grants of a run."""

    approved: dict[Grant, frozenset[str]] = field(default_factory=dict)
    """What the User has approved of each, in one flow or several."""
    refreshable: dict[int, frozenset[str]] = field(default_factory=dict)
    """What the refresh token of a flow is surely good for: a refresh may have made it less."""
    superseded: set[int] = field(default_factory=set)
    """Flows whose grant another flow has extended: their refresh tokens may be gone with that."""
    ended: set[Grant] = field(default_factory=set)
    doubtful: set[Grant] = field(default_factory=set)
    accounts: dict[tuple[str, int], str] = field(default_factory=dict)
    """The `sub` of each account that has signed in at a Brand."""
    _grants: dict[int, Grant] = field(default_factory=dict)
    """The grant that each flow has come to."""

    def standing(self, token: Token, message: Message) -> tuple[Standing, str]:
        """Say whether a message may carry a token; and what is broken if a bad one passes (§5.5).

        That another User of the same agent sends it is not in §5.5's list of checks.
        """
        if token.brand != message.brand:
            return "bad", "5.5-aud"
        if token.holder.agent != message.user.agent:
            return "bad", "5.5-client-id"
        if grant_of(token) in self.ended:
            return "bad", "5.5-revoked"
        if grant_of(token) in self.doubtful or token.holder != message.user:
            return "doubtful", "5.5-served"
        return "good", "5.5-served"

    def grant(self, token: Token, account: int, asked: Collection[str]) -> Breach | None:
        """Take note of a token that a flow gave; say what is wrong about it.

        Args:
            token: as it came.
            account: which of the accounts has signed in.
            asked: what the User approved.
        """
        breach = self._breach_of_account(token, account) or _breach_of_scopes(token, asked)
        if breach is not None:
            return breach
        self.accounts[token.brand, account] = token.account
        grant = grant_of(token)
        self.doubtful |= {it for it in self.approved if it[0] == token.triple and it != grant}
        self.superseded |= {flow for flow, it in self._grants.items() if it == grant}
        self._grants[token.flow] = grant
        self.approved[grant] = self.approved.get(grant, frozenset()) | token.scopes
        self.refreshable[token.flow] = token.scopes
        if grant in self.ended:  # approved anew under its old id
            self.ended.discard(grant)
            self.doubtful.add(grant)
        return None

    def _breach_of_account(self, token: Token, account: int) -> Breach | None:
        known = self.accounts.get((token.brand, account))
        if known is not None and known != token.account:
            return Breach("5.4-sub", f"sub {known}, as before", token.account, "5.4-sub another")
        others = {sub for it, sub in self.accounts.items() if it == (token.brand, 1 - account)}
        if token.account in others:
            return Breach(
                "5.4-sub", "another sub for another account", "the same", "5.4-sub the same"
            )
        return None

    def revoke(self, token: Token) -> None:
        """Take note that a grant has been revoked."""
        grant = grant_of(token)
        self.ended.add(grant)
        self.doubtful |= {it for it in self.approved if it[0] == token.triple and it != grant}

    def refresh(
        self, before: Token, asked: Collection[str] | None, after: Token | None, got: str
    ) -> Breach | None:
        """Take note of what a refresh gave; say what is wrong about it (§5.4, RFC 6749 §6).

        Args:
            before: the token whose grant is refreshed.
            asked: the scopes that are asked for; None where none are named.
            after: the token that came; None where the refresh was refused.
            got: what came, for people.
        """
        grant = grant_of(before)
        approved = self.approved[grant]
        if after is None:
            return self._breach_of_refusal(before, asked, got)
        if grant in self.ended:
            return Breach(
                "5.4-refresh-revoked", "no token of a revoked grant", got, "5.4-refresh-revoked"
            )
        if not after.scopes <= approved:
            return Breach(
                "5.4-refresh-no-widening",
                f"at most {listed(approved)}, which the User approved",
                f"a token of {listed(after.scopes)}",
                "5.4-refresh-no-widening",
            )
        if grant_of(after) != grant:
            return Breach(
                "5.4-refresh",
                "a token of the same grant, user and client",
                "another",
                "5.4-refresh",
            )
        if asked is not None:
            self.refreshable[before.flow] &= frozenset(asked)
        return None

    def _breach_of_refusal(
        self, before: Token, asked: Collection[str] | None, got: str
    ) -> Breach | None:
        grant = grant_of(before)
        stands = grant not in self.ended | self.doubtful and before.flow not in self.superseded
        if stands and (asked is None or set(asked) <= self.refreshable[before.flow]):
            return Breach("5.4-refresh", "another token of the grant", got, "5.4-refresh refused")
        return None


def _breach_of_scopes(token: Token, asked: Collection[str]) -> Breach | None:
    """Return what is wrong about the scopes of a token.

    It may have more than was approved now: accounts may have granted them before.
    """
    if not set(asked) <= token.scopes:
        return Breach(
            "5.4-scope",
            f"a token of {listed(asked)}, which the User approved",
            f"one of {listed(token.scopes)}",
            "5.4-scope narrower",
        )
    return None


def listed(scopes: Collection[str]) -> str:
    """Return scopes as people read them."""
    return " ".join(sorted(scopes)) or "no scope"
