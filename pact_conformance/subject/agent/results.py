"""What a personal agent under test is told about a User, and what it says came of a call.

    Reply, NeedsSignIn, GaveUp   how a turn ended, as the agent says
    Held                         what it holds for a User at a Brand
    Broke                        the call itself failed: nothing is known of the agent

What these hold stays in memory: links and receipts are whole, and not shown by `repr`.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from pact_conformance.verdicts import Inconclusive


class Broke(Inconclusive):
    """The agent, or what adapts it, did not answer a call as the contract says.

    `crashed` says that it ended or let an exception out, and `late` that it was slow; else what it
    said was unclear.
    """

    def __init__(
        self, reason: str, *, do: str = "", crashed: bool = False, late: bool = False
    ) -> None:
        super().__init__(reason, do=do)
        self.crashed = crashed
        self.late = late


class Refused(Broke):
    """The agent, or its HTTP server, says in so many words that it does not do what is asked."""


@dataclass(frozen=True)
class User:
    """A person whom the agent speaks for; what is empty is not known."""

    id: str
    """The agent's own id of them, the same in every call."""
    name: str = field(default="", repr=False)
    email: str = field(default="", repr=False)
    phone: str = field(default="", repr=False)

    def told(self) -> dict[str, str]:
        """Return the contract's object."""
        parts = {"id": self.id, "name": self.name, "email": self.email, "phone": self.phone}
        return {name: value for name, value in parts.items() if value}


@dataclass(frozen=True)
class Reply:
    """The Brand's agent has replied."""

    text: str
    conversation: str | None = None
    """The agent's handle of it, with which the next turn goes on; None: it gives none."""


@dataclass(frozen=True)
class NeedsSignIn:
    """The User has to follow a link before it goes on (§5.3, §5.5)."""

    link: str = field(repr=False)
    scopes: tuple[str, ...] | None = None
    """What is to be approved; None: the agent does not say."""
    conversation: str | None = None


@dataclass(frozen=True)
class GaveUp:
    """The agent tells the User that it cannot do it."""

    reason: str
    conversation: str | None = None


Result: TypeAlias = Reply | NeedsSignIn | GaveUp


@dataclass(frozen=True)
class KeptReceipt:
    """A receipt that the agent has kept (§5.6)."""

    jws: str = field(repr=False)
    verified: bool | None = None
    """Whether the agent could verify it; None: it has not tried, or could not tell."""


@dataclass(frozen=True)
class Held:
    """What the agent holds for a User at a Brand."""

    scopes: tuple[str, ...] = ()
    """Of the grant; empty where there is none."""
    receipts: tuple[KeptReceipt, ...] | None = None
    """Oldest first; None: it is not said."""
