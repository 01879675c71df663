"""What a request of `message:send` must be (§4.1): a table of rules, each of which may refuse.

The text names no order for a message with several faults; the order here is from the outside in.
Unknown members are passed over everywhere, and null is read as absent (ProtoJSON).
"""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid
from pact_conformance.counterpart.provider.table import Table
from pact_conformance.wire.text import is_blank

CONTENTS = ("text", "raw", "url", "data")
"""A part has exactly one of these members (A2A)."""


@dataclass
class Submission:
    """A request body on its way through the rules."""

    body: bytes
    document: dict[str, Any] = field(default_factory=dict)

    @property
    def message(self) -> dict[str, Any]:
        """The Message of the request."""
        message: dict[str, Any] = self.document["message"]
        return message

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The message's parts."""
        return self.message.get("parts") or []

    @property
    def text(self) -> str:
        """The text of all parts, a line each."""
        return "\n".join(part["text"] for part in self.parts)

    @property
    def message_id(self) -> str:
        """The id that the personal agent gave the message."""
        return str(self.message["messageId"])

    @property
    def context_id(self) -> str | None:
        """The conversation that it continues; the empty string is ProtoJSON's absent."""
        return self.message.get("contextId") or None


Rule = Callable[[Submission], None]


def body_is_json(submission: Submission) -> None:
    """The body is JSON in UTF-8, and its strings are Unicode (no half of a surrogate pair)."""
    try:
        document = json.loads(submission.body.decode("utf-8"), parse_constant=_no_constant)
        if b"\\ud" in submission.body.lower():
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise invalid("The request body is not JSON") from None
    if not isinstance(document, dict):
        raise invalid("The request body is not a JSON object")
    submission.document = document


def request_has_its_shape(submission: Submission) -> None:
    """A SendMessageRequest: a message, and optional members of their types."""
    if not isinstance(submission.document.get("message"), dict):
        raise invalid("message is missing or no object")
    check_members(submission.document, REQUEST, "")
    check_members(submission.document.get("configuration") or {}, CONFIGURATION, "configuration.")


def message_has_its_shape(submission: Submission) -> None:
    """A Message: its members are of their types."""
    check_members(submission.message, MESSAGE, "message.")


def parts_have_their_shape(submission: Submission) -> None:
    """Each part has exactly one content, and members of their types."""
    for index, part in enumerate(submission.parts):
        check_members(part, PART, f"message.parts[{index}].")
        if len(contents_of(part)) != 1:
            raise invalid(f"message.parts[{index}] must have exactly one of {', '.join(CONTENTS)}")


def message_id_is_given(submission: Submission) -> None:
    """`messageId` is required (A2A), for repeats are found by it (§4.3)."""
    if not submission.message.get("messageId"):
        raise invalid("message.messageId is missing")


def role_is_user(submission: Submission) -> None:
    """`role` is ROLE_USER: here Users speak (§4.1)."""
    if submission.message.get("role") != "ROLE_USER":
        raise invalid("message.role must be ROLE_USER")


def task_is_absent(submission: Submission) -> None:
    """`taskId` is absent: no task takes messages (§4.1)."""
    if submission.message.get("taskId"):
        raise A2ARefusal("TASK_NOT_FOUND", "There is no such task")


def parts_are_text(submission: Submission) -> None:
    """Parts of another kind are refused, beside good text too (§4.1)."""
    if any("text" not in contents_of(part) for part in submission.parts):
        raise A2ARefusal("CONTENT_TYPE_NOT_SUPPORTED", "Only text parts are supported")


def some_text_is_not_blank(submission: Submission) -> None:
    """At least one text part is not blank (§4.1)."""
    if all(is_blank(part["text"]) for part in submission.parts):
        raise invalid("message.parts has no text that is not blank")


def rules() -> Table[Rule]:
    """Return the rules in order."""
    return Table[Rule](
        body_is_json,
        request_has_its_shape,
        message_has_its_shape,
        parts_have_their_shape,
        message_id_is_given,
        role_is_user,
        task_is_absent,
        parts_are_text,
        some_text_is_not_blank,
    )


def contents_of(part: Mapping[str, object]) -> tuple[str, ...]:
    """Return the content members that a part has. `data` may hold null, the others may not."""
    return tuple(
        name for name in CONTENTS if name in part and (name == "data" or part[name] is not None)
    )


def check_members(
    value: Mapping[str, object], types: Mapping[str, Callable[[object], bool]], where: str
) -> None:
    """Refuse a member of another type than the protocol gives it; absent ones are for others."""
    for name, is_right in types.items():
        member = value.get(name)
        if member is not None and not is_right(member):
            raise invalid(f"{where}{name} is of the wrong type")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _text(value: object) -> bool:
    return isinstance(value, str)


def _object(value: object) -> bool:
    return isinstance(value, dict)


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _base64(value: object) -> bool:
    if not isinstance(value, str):
        return False
    # ProtoJSON reads both alphabets, with padding and without.
    digits = value.rstrip("=").translate(_STANDARD_ALPHABET)
    try:
        base64.b64decode(digits + "=" * (-len(digits) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


_STANDARD_ALPHABET = str.maketrans("-_", "+/")

REQUEST = {
    "message": _object,
    "configuration": _object,
    "metadata": _object,
    "tenant": _text,
}
CONFIGURATION = {
    "acceptedOutputModes": _texts,
    "taskPushNotificationConfig": _object,
    "historyLength": _count,
    "returnImmediately": _flag,
}
MESSAGE = {
    "messageId": _text,
    "contextId": _text,
    "taskId": _text,
    "role": _text,
    "parts": _objects,
    "metadata": _object,
    "extensions": _texts,
    "referenceTaskIds": _texts,
}
PART = {
    "text": _text,
    "raw": _base64,
    "url": _text,
    "metadata": _object,
    "filename": _text,
    "mediaType": _text,
}
