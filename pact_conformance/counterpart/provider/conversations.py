"""Conversations: who owns a context, what has been said in it, and whether it is closed (§4.2)."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

Owner = Hashable
"""What a context belongs to: by §4.2 the triple of personal agent, `sub` and Brand."""

RUNNING = object()


@dataclass
class Conversation:
    """One context and the replies in it, by the `messageId` that they answer."""

    id: str
    owner: Owner
    closed_at: float | None = None
    """When it was closed, on the Brand's clock; None while it is open."""
    replies: dict[str, Any] = field(default_factory=dict)
    ran_as: dict[str, str] = field(default_factory=dict)
    """The Brand user as whom each message under delegation ran, or runs, by `messageId` (§5.5)."""

    @property
    def brand_user(self) -> str | None:
        """The Brand user as whom it has run; None while it has run under §3 alone (§5.5)."""
        return next(iter(self.ran_as.values()), None)

    @property
    def is_new(self) -> bool:
        """Whether no message has been accepted in it yet."""
        return not self.replies

    @property
    def closed(self) -> bool:
        """Whether it takes no further messages."""
        return self.closed_at is not None

    def begin(self, message_id: str, brand_user: str | None = None) -> None:
        """Note that the Brand's agent runs for a message, and as which Brand user."""
        self.replies[message_id] = RUNNING
        if brand_user is not None:
            self.ran_as[message_id] = brand_user

    def finish(self, message_id: str, reply: object) -> None:
        """Store the reply to a message, for repeats of it (§4.3)."""
        self.replies[message_id] = reply

    def close(self, now: float) -> None:
        """Take no further messages (§4.2)."""
        if self.closed_at is None:
            self.closed_at = now

    def forget(self, message_id: str) -> None:
        """Drop a message whose run failed, so that the same id may be tried again."""
        self.replies.pop(message_id, None)
        self.ran_as.pop(message_id, None)


class Conversations:
    """The conversations of a Provider, in memory."""

    def __init__(self) -> None:
        self._by_id: dict[str, Conversation] = {}

    def add(self, conversation: Conversation) -> None:
        """Keep a conversation."""
        self._by_id[conversation.id] = conversation

    def discard(self, conversation: Conversation) -> None:
        """Drop a conversation that nobody was told about."""
        self._by_id.pop(conversation.id, None)

    def get(self, context_id: str) -> Conversation | None:
        """Return a conversation by its id, whoever owns it."""
        return self._by_id.get(context_id)
