"""Verbs for what `message:send` answers (§2.2, §4.2)."""

from http import HTTPStatus
from typing import Any

from pact_conformance.expect.answers import a2a_result, describe, settled, status
from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Deviation, Inconclusive


def served(answer: Answer) -> None:
    """Demand that the message was served; what exactly came back is for other checks."""
    settled(answer)
    if not HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
        raise Deviation("the message to be served", describe(answer))


def reply_or_task(answer: Answer) -> dict[str, Any]:
    """Demand 200 with exactly one of `message` and `task` (§2.2) and return the body."""
    body = a2a_result(status(answer, 200))
    held = [name for name in ("message", "task") if isinstance(body, dict) and name in body]
    if not isinstance(body, dict) or len(held) != 1:
        raise Deviation("an object with exactly one of message and task", describe(answer))
    return body


def reply(answer: Answer) -> dict[str, Any]:
    """Demand a Message in reply, as every ordinary turn gets (§4.2), and return it."""
    served(answer)
    body = answer.json
    message = body.get("message") if isinstance(body, dict) else None
    if not isinstance(message, dict):
        raise Deviation("a Message in reply", describe(answer))
    return message


def stored_reply(answer: Answer, first: Answer) -> None:
    """Demand the reply that a messageId got at first: the same JSON value (§4.3).

    Raises:
        Deviation: something else came.
        Inconclusive: the conversation was closed meanwhile, which a Provider may do.
    """
    settled(answer)
    if answer.error is not None and answer.error.reason == "UNSUPPORTED_OPERATION":
        raise Inconclusive(
            "the conversation seems to be closed: the repeat got UNSUPPORTED_OPERATION",
            do="test with a Brand whose agent does not end the conversation at once",
        )
    if answer.status != first.status or answer.json != first.json:
        wanted = "the stored reply, equal to the first"
        raise Deviation(wanted, f"{describe(answer)}, where the first was {describe(first)}")
