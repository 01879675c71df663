"""The delegation token on a request (§5.5): the header's lines, and what the journal says of it."""

from collections.abc import Sequence

from pact_conformance.journal.client import TokenLike
from pact_conformance.journal.exchange import Credentials

HEADER = "X-A2A-User-Delegation"
"""Where a delegation token goes, beside the personal-agent JWT."""

Delegated = str | TokenLike | None
"""A delegation token: its text as the Provider issued it, or one with a label, maybe a forgery."""

RawHeader = str | Sequence[str] | None
"""A value of the header as it is, or several of them, a line for each."""


def delegation_lines(
    delegation: Delegated, raw: RawHeader
) -> tuple[list[tuple[str, str]], Credentials]:
    """Return the header's lines, and what is on them: `other` is what only the check knows.

    Raises:
        ValueError: both a token and a value are given.
    """
    if raw is not None:
        if delegation is not None:
            raise ValueError("a delegation token and a value of its header exclude each other")
        values = [raw] if isinstance(raw, str) else list(raw)
        return [(HEADER, value) for value in values], "other"
    if delegation is None:
        return [], "none"
    text = delegation if isinstance(delegation, str) else delegation.text
    worth: Credentials = "forged" if getattr(delegation, "forgery", None) else "good"
    return [(HEADER, f"Bearer {text}")], worth
