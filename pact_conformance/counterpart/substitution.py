"""What flaws and variants of several sections do to a Provider, in one line each."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.provider.answers import encode
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.message_rules import Submission
from pact_conformance.counterpart.provider.operations import Handler
from pact_conformance.counterpart.provider.provider import Provider, Respond
from pact_conformance.counterpart.provider.refusals import A2ARefusal
from pact_conformance.wire.errors import envelope
from pact_conformance.wire.media_types import A2A_JSON

Document = dict[str, Any]

SERVED_MESSAGES = (
    "2-request-json",
    "2-version-1-0",
    "2.2-send",
    "4.1-minimal-message",
    "4.2-reply",
)
"""What is seen to be broken where no good message is answered; of the rest nothing can be seen."""

SERVED_LISTS = ("2.2-list-tasks",)
"""What is seen to be broken where no good `GET tasks` is answered; of the rest nothing can be."""


RETRIES = (
    "4.3-stored-reply",
    "4.3-not-run-again",
    "4.3-first-message",
    "4.3-older-message",
    "4.3-other-token",
    "4.3-finished",
)
"""What a Provider does not meet that gives no stored reply at all."""

TASK: Document = {
    "id": "t-1",
    "contextId": "c-1",
    "status": {"state": "TASK_STATE_COMPLETED", "timestamp": "2026-01-01T00:00:00.000Z"},
}
"""A task that nobody started."""


def a2a(document: object, status: int = 200) -> Response:
    """Return an A2A answer, whatever is in it."""
    return Response(encode(document), status_code=status, media_type=A2A_JSON)


def a2a_error(reason: str, http: int | None = None, status: str | None = None) -> Response:
    """Return an A2A error, with another HTTP status and status name if they are given."""
    body = envelope(reason, "Not served", http=http, status=status)
    return a2a(body, body["error"]["code"])


def answering(response: Callable[[], Response]) -> Handler:
    """Return a handler that always answers the same."""

    async def handle(_provider: Provider, _call: Call) -> Response:
        return response()

    return handle


def refusing(reason: str) -> Handler:
    """Return a handler that always refuses with one reason."""

    async def handle(_provider: Provider, _call: Call) -> Response:
        raise A2ARefusal(reason, "Not served")

    return handle


def change_card(provider: Provider, change: Callable[[Document], object]) -> None:
    """Let `change` work on each card before it is served."""
    original = provider.card

    def card(*arguments: Any) -> Document:  # noqa: ANN401 - handed on as they are
        document = original(*arguments)
        change(document)
        return document

    provider.card = card


def change_errors(
    provider: Provider,
    change: Callable[[Document], object],
    *,
    reason: str | None = None,
) -> None:
    """Let `change` work on the body of each A2A error, or of those with one reason."""
    original = provider.answers.error

    def error(refusal: A2ARefusal) -> Response:
        response = original(refusal)
        if reason not in (None, refusal.reason):
            return response
        body = json.loads(bytes(response.body))
        change(body)
        return a2a(body, response.status_code)

    provider.answers.error = error


def map_reason(provider: Provider, reason: str, http: int, status: str) -> None:
    """Give a reason another HTTP status and status name than the table of §6."""
    original = provider.answers.error

    def error(refusal: A2ARefusal) -> Response:
        return a2a_error(reason, http, status) if refusal.reason == reason else original(refusal)

    provider.answers.error = error


def change_reply(provider: Provider, change: Callable[[Document], object]) -> None:
    """Let `change` work on each SendMessageResponse before it is stored."""
    original = provider.conduct.answer

    def answer(*arguments: Any) -> object:  # noqa: ANN401 - handed on as they are
        document: Any = original(*arguments)
        return change(document) or document

    provider.conduct = replace(provider.conduct, answer=answer)


def change_list(provider: Provider, change: Callable[[Document], object]) -> None:
    """Let `change` work on each ListTasksResponse."""
    original = provider.operations["list"].handle

    async def handle(provider: Provider, call: Call) -> Response:
        document = json.loads(bytes((await original(provider, call)).body))
        change(document)
        return a2a(document)

    provider.operations.handle("list", handle)


def change_answers(provider: Provider, change: Callable[[Call, Response], Response | None]) -> None:
    """Let `change` work on each answer, and put another in its place if it returns one."""

    async def around(call: Call, proceed: Respond) -> Response:
        response = await proceed(call)
        return change(call, response) or response

    provider.around.append(around)


class _InsteadError(Exception):
    """Carries the answer from a rule to the handler."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


def answer_rule(provider: Provider, rule: str, response: Callable[[], Response]) -> None:
    """Let what breaks one rule of §4.1 get another answer."""
    original, serve = provider.rules[rule], provider.operations["send"].handle

    def ruled(submission: Submission) -> None:
        try:
            original(submission)
        except A2ARefusal:
            raise _InsteadError(response()) from None

    async def handle(provider: Provider, call: Call) -> Response:
        try:
            return await serve(provider, call)
        except _InsteadError as instead:
            return instead.response

    provider.rules.replace(rule, ruled)
    provider.operations.handle("send", handle)
