"""The requests of `message:send` (§4.1) as JSON objects."""

import secrets
from typing import Any


def new_id(prefix: str = "m") -> str:
    """Return an id that no other run has used.

    `messageId` must be unique within its context (§4.1). A globally unique one is that without
    knowing the context; at 128 random bits it stays short of the 64 characters that some cap at,
    for a prefix of up to 31.
    """
    return f"{prefix}-{secrets.token_hex(16)}"


def user_message(
    text: str,
    *,
    message_id: str | None = None,
    context_id: str | None = None,
    **members: object,
) -> dict[str, Any]:
    """Return the Message that a User's agent sends: one text part, `ROLE_USER` (§4.1).

    Without `context_id` the message starts a conversation, so the member is left out (§4.2).
    Further `members` are added as they are.
    """
    message: dict[str, Any] = {
        "messageId": message_id or new_id(),
        "role": "ROLE_USER",
        "parts": [{"text": text}],
    }
    if context_id is not None:
        message["contextId"] = context_id
    return {**message, **members}


def send_request(message: object, **members: object) -> dict[str, Any]:
    """Return the SendMessageRequest around a message, with further top-level `members`."""
    return {"message": message, **members}
