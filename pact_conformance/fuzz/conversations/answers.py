"""What an answer of its own must be, by itself (§4.2, §5.5, §5.6)."""

from collections.abc import Collection, Mapping
from typing import Any

from pact_conformance.fuzz.conversations.permissions import listed
from pact_conformance.fuzz.conversations.saying import Breach, Message, Seen, Token


class Answers:
    """Judges answers.

    Args:
        scopes: the ids on the card of each Brand, by its interface URL.
    """

    def __init__(self, scopes: Mapping[str, Collection[str]]) -> None:
        self._scopes = scopes

    def breach(self, message: Message, seen: Seen, *, plain: bool) -> Breach | None:
        """Return what is wrong about an answer that is in its context.

        Args:
            message: what was sent.
            seen: what came.
            plain: nothing in the conversation has been about an account.
        """
        card = frozenset(self._scopes[message.brand])
        if message.token is None:
            wrong = _without_token(seen, plain=plain or not card)
            return wrong or (_step_up(card, seen) if seen.what == "step-up" else None)
        if seen.what == "step-up":
            return _step_up(card - message.token.scopes, seen)
        return _receipt(message, message.token, seen)


def _step_up(may_lack: frozenset[str], seen: Seen) -> Breach | None:
    """Return what is wrong about a step-up: it is for scopes on the card that are not there yet."""
    if seen.missing and set(seen.missing) <= may_lack:
        return None
    return Breach(
        "5.5-step-up-scopes",
        f"a step-up for scopes that are lacking: {listed(may_lack)}",
        f"one for {listed(seen.missing)}",
        "5.5-step-up-scopes",
    )


def _without_token(seen: Seen, *, plain: bool) -> Breach | None:
    """Without a token there is no delegated power, and an ordinary message creates no task."""
    if seen.receipt is not None:
        expected = "no receipt without a delegation token"
        return Breach("5.5-no-token-no-power", expected, "a receipt", "5.5-no-token-no-power")
    if seen.what == "step-up" and plain:
        return Breach("4.2-no-task", "a Message", "a Task", "4.2-no-task")
    return None


def _receipt(message: Message, token: Token, seen: Seen) -> Breach | None:
    """Every reply under a delegation token has a receipt (§5.6), of this turn."""
    if seen.receipt is None:
        expected, got = "a receipt in the metadata of the reply", "a reply without one"
        return Breach("5.6-receipt", expected, got, "5.6-receipt")
    wanted: Mapping[str, Any] = {
        "5.6-grant-id": ("grantId", token.grant_id),
        "5.6-user": ("user", token.account),
        "5.6-pa": ("pa", message.user.agent),
        "5.6-brand": ("brand", message.brand),
    }
    for requirement, (member, value) in wanted.items():
        found = seen.receipt.get(member)
        if _bare(found) != _bare(value):
            return Breach(requirement, f"a receipt with {member} {value}", str(found), requirement)
    used = seen.receipt.get("scopesUsed")
    if isinstance(used, list) and all(it in token.scopes for it in used):
        return None
    return Breach(
        "5.6-scopes-used",
        f"a receipt with no other scopes than {listed(token.scopes)}",
        str(used),
        "5.6-scopes-used",
    )


def _bare(value: object) -> object:
    """Return a value without the slash at its end, about which other checks warn."""
    return value.rstrip("/") if isinstance(value, str) else value
