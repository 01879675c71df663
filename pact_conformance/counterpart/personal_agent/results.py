"""What comes of what the agent was asked to do, as its caller is told."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Reply:
    """The Brand's agent has replied, or there is something good to tell."""

    text: str
    conversation: str | None


@dataclass(frozen=True)
class NeedsSignIn:
    """The User has to sign in with the Brand at `link` first (§5.3)."""

    link: str
    scopes: tuple[str, ...]
    conversation: str | None


@dataclass(frozen=True)
class GaveUp:
    """Nothing came of it."""

    reason: str
    conversation: str | None


Result = Reply | NeedsSignIn | GaveUp
