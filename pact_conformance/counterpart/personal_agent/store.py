"""What the agent knows for good: it outlives a restart."""

from collections.abc import Hashable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from pact_conformance.counterpart.personal_agent.keys import SigningKey
from pact_conformance.wire.card import Card, Interface
from pact_conformance.wire.messages import new_id


@dataclass(frozen=True)
class User:
    """A person whom the agent speaks for; only the id is needed."""

    id: str
    name: str = field(default="", repr=False)
    email: str = field(default="", repr=False)
    phone: str = field(default="", repr=False)


@dataclass(frozen=True)
class Brand:
    """A Brand as its card describes it, and what was agreed with its Provider."""

    handle: str
    """What callers know it by."""
    source: str
    """The URL at which its card was looked for, before any redirect."""
    card: Card = field(repr=False)
    interface: Interface
    audience: str
    """What the Provider assigned to the agent (§3.1)."""


@dataclass(frozen=True)
class Relation:
    """A User at a Brand: conversations and grants are theirs alone."""

    brand: Brand
    user: User

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from every other."""
        return self.brand.handle, self.user.id


@dataclass
class Conversation:
    """A conversation of a User with a Brand's agent (§4.2)."""

    handle: str
    context_id: str | None = None
    """None until the Provider has minted one, and again when the conversation was closed."""


@dataclass(frozen=True)
class Grant:
    """What a token response has brought (§5.3)."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    scopes: tuple[str, ...]
    """What the User approved."""
    expires_at: float | None
    """By the Brand's clock; None where the response does not say."""
    lifetime: float | None


@dataclass(frozen=True)
class Waiting:
    """What the User has said and the agent could not send yet."""

    conversation: Conversation
    text: str = field(repr=False)
    missing: tuple[str, ...] = ()
    """The scopes that the Brand has asked for; empty: whatever is granted will do."""


@dataclass
class SignIn:
    """A device flow that has begun (RFC 8628)."""

    device_code: str = field(repr=False)
    link: str = field(repr=False)
    scopes: tuple[str, ...]
    """What was requested."""
    interval: float
    next_poll: float
    expires_at: float
    waiting: Waiting | None = None


@dataclass(frozen=True)
class KeptReceipt:
    """A receipt, and whether it was found good; None: its keys could not be had (§5.6)."""

    jws: str
    claims: Any
    verified: bool | None
    why: str = ""
    """What is wrong with it."""


@dataclass
class Store:
    """Everything that is kept, in memory."""

    keys: list[SigningKey] = field(default_factory=list)
    """The first signs; all are published."""
    subs: dict[Hashable, str] = field(default_factory=dict)
    brands: dict[str, Brand] = field(default_factory=dict)
    conversations: dict[Hashable, Conversation] = field(default_factory=dict)
    grants: dict[Hashable, Grant] = field(default_factory=dict)
    sign_ins: dict[Hashable, SignIn] = field(default_factory=dict)
    receipts: dict[Hashable, list[KeptReceipt]] = field(default_factory=dict)
    pauses: dict[Hashable, float] = field(default_factory=dict)
    """Until when a Brand wants nothing of a User (§6)."""
    said: dict[Hashable, str] = field(default_factory=dict, repr=False)
    """What a User has said to a Brand last."""
    _handles: dict[tuple[str, str], str] = field(default_factory=dict)

    def brand_of(self, source: str, audience: str) -> str:
        """Return the handle of the Brand whose card is looked for at a URL, known or new."""
        return self._handles.setdefault((source, audience), new_id("brand"))

    def forget(self, user: str | None) -> None:
        """Forget conversations, grants and receipts of a User, or of all.

        The `sub` stays: the same User has the same one for ever (§3.2).
        """
        for kept in (self.conversations, self.grants, self.sign_ins, self.receipts, self.said):
            _drop(kept, user)


def _drop(kept: MutableMapping[Hashable, Any], user: str | None) -> None:
    for key in list(kept):
        if user is None or (isinstance(key, tuple) and user in key):
            del kept[key]


def user_of(asked: Mapping[str, Any]) -> User:
    """Return the User that a caller describes.

    Raises:
        ValueError: there is no id.
    """
    user_id = asked.get("id")
    if not isinstance(user_id, str) or not user_id:
        raise ValueError("a user has an id")
    texts = {name: str(asked.get(name) or "") for name in ("name", "email", "phone")}
    return User(id=user_id, **texts)
