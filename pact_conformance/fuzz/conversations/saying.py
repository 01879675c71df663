"""What the model reasons about: Users, messages, and what came of them as the protocol shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True)
class User:
    """The pair (personal agent, `sub`) (§3.2)."""

    agent: str
    """The issuer."""
    sub: str


@dataclass(frozen=True)
class Token:
    """A delegation token by its claims (§5.4)."""

    grant_id: str
    holder: User
    """For whom the personal agent got it."""
    brand: str
    """The interface URL."""
    account: str
    """The User's id at the Brand, its `sub`."""
    scopes: frozenset[str]
    flow: int = 0
    """The device flow that it goes back to, by which whoever got it finds it again."""

    @property
    def triple(self) -> tuple[str, str, str]:
        """Whose account it opens to which personal agent: what approvals are given for."""
        return (self.brand, self.holder.agent, self.account)


@dataclass(frozen=True)
class Message:
    """A message as it is sent."""

    user: User
    brand: str
    """The interface URL that it is sent to."""
    context: str | None
    """Its `contextId`; None where it has none."""
    id: str
    text: str
    """Which of the texts it has."""
    token: Token | None = None
    asks: bool = False
    """Whether what it asks for may take a scope, by the Brand's own lights."""


What: TypeAlias = Literal["reply", "step-up", "refused", "401", "none", "odd"]
"""`none`: there is no such operation."""


@dataclass(frozen=True)
class Seen:
    """An answer to a message, as far as the protocol shows it: never in which words."""

    what: What
    shown: str
    """For people."""
    reason: str = ""
    """Of an A2A error."""
    context: str = ""
    value: Any = field(default=None, hash=False)
    """The whole JSON value but for the signature of its receipt, which may be made anew."""
    jws: str = ""
    receipt: Mapping[str, Any] | None = field(default=None, hash=False)
    """The claims of the receipt; None where there is none."""
    missing: tuple[str, ...] = ()
    """The scopes that a step-up names."""
    task: str = ""
    """The id of a step-up."""


@dataclass(frozen=True)
class Breach:
    """Something came that is not due."""

    requirement: str
    expected: str
    got: str
    mark: str
    """Tells one cause from another: what was due and what came instead."""
