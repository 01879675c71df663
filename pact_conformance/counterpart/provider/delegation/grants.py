"""Grants: what a User has approved, for whom, and until when (§5.3, §5.4)."""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pact_conformance.counterpart.provider.table import Table


@dataclass
class Grant:
    """What one personal agent may do on one account of one Brand."""

    id: str
    """The `grant_id` of tokens and the `grantId` of receipts; opaque."""
    brand_id: str
    brand_user: str
    """The User's id at the Brand."""
    client_id: str
    """The issuer of the personal agent."""
    scopes: tuple[str, ...]
    granted_at: float
    expires_at: float
    revoked: bool = False

    def lasts(self, now: float) -> bool:
        """Say whether it is neither revoked nor expired."""
        return not self.revoked and now < self.expires_at


def mint_grant_id() -> str:
    """Return a new id of a grant, which says nothing to anybody (§5.4)."""
    return f"a2agrant_{secrets.token_urlsafe(16)}"


class Grants:
    """The grants of a Provider."""

    def __init__(self) -> None:
        self.mint: Callable[[], str] = mint_grant_id
        self._by_id: dict[str, Grant] = {}
        self._standing: dict[str, Grant] = {}

    def latest_first(self) -> Iterator[Grant]:
        """Return all grants, the latest first."""
        return reversed(self._by_id.values())

    def standing(self) -> list[Grant]:
        """Return the grants that are not revoked, the latest first.

        One that was revoked is never looked at again, so that a flow does not take longer for all
        those that have come and gone before it; to bring it back is to add it again.
        """
        for grant_id in [it.id for it in self._standing.values() if it.revoked]:
            del self._standing[grant_id]
        return list(reversed(self._standing.values()))

    def add(self, grant: Grant) -> None:
        """Keep a grant."""
        self._by_id[grant.id] = self._standing[grant.id] = grant

    def get(self, grant_id: str) -> Grant | None:
        """Return a grant by its id, whoever's it is."""
        return self._by_id.get(grant_id)


@dataclass(frozen=True)
class Wanted:
    """What a flow asks for, once it is known who has signed in."""

    brand_id: str
    brand_user: str
    client_id: str
    scopes: tuple[str, ...]
    now: float


Condition = Callable[[Grant, Wanted], bool]


def grant_is_of_this_brand(grant: Grant, wanted: Wanted) -> bool:
    """The grant was given at this Brand."""
    return grant.brand_id == wanted.brand_id


def grant_is_of_this_account(grant: Grant, wanted: Wanted) -> bool:
    """The grant was given by the account that has signed in."""
    return grant.brand_user == wanted.brand_user


def grant_is_of_this_agent(grant: Grant, wanted: Wanted) -> bool:
    """The grant was given to the personal agent that asks."""
    return grant.client_id == wanted.client_id


def grant_lasts(grant: Grant, wanted: Wanted) -> bool:
    """The grant is neither revoked nor expired."""
    return grant.lasts(wanted.now)


def grant_covers_every_scope(grant: Grant, wanted: Wanted) -> bool:
    """The grant has every scope that is asked for."""
    return set(wanted.scopes) <= set(grant.scopes)


def skipping() -> Table[Condition]:
    """Return what must hold of a grant for consent to be skipped (§5.3)."""
    return Table[Condition](
        grant_is_of_this_brand,
        grant_is_of_this_account,
        grant_is_of_this_agent,
        grant_lasts,
        grant_covers_every_scope,
    )
