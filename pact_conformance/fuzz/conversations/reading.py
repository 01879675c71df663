"""From an answer of `message:send` to what the model reasons about."""

import json
from typing import Any

from pact_conformance import expect
from pact_conformance.expect.answers import describe
from pact_conformance.expect.delegation import RECEIPT
from pact_conformance.fuzz.conversations.saying import Seen
from pact_conformance.journal.answer import NOT_JSON, Answer


def read(answer: Answer) -> Seen:
    """Return what an answer shows.

    Raises:
        Inconclusive: somebody else than the Provider gave it, or a rate limit outlived its waits.
    """
    expect.settled(answer)
    shown = describe(answer)
    if answer.status == 401:
        return Seen("401", shown)
    if answer.error is not None and 400 <= answer.status < 500:
        return Seen("refused", shown, reason=answer.error.reason or "")
    body: Any = answer.json
    if answer.status != 200 or body is NOT_JSON or not isinstance(body, dict):
        return Seen("odd", shown)
    held = [name for name in ("message", "task") if isinstance(body.get(name), dict)]
    if len(held) != 1:
        return Seen("odd", shown)
    return _step_up(answer, body) if held == ["task"] else _reply(body)


def _reply(body: dict[str, Any]) -> Seen:
    message = body["message"]
    value = json.loads(json.dumps(body))
    receipt: Any = _member(message.get("metadata"), RECEIPT)
    claims = _member(receipt, "claims")
    jws = _member(receipt, "jws")
    if isinstance(receipt, dict):
        value["message"]["metadata"][RECEIPT].pop("jws", None)
    return Seen(
        "reply",
        "200 with a Message",
        context=_text(message.get("contextId")),
        value=value,
        jws=_text(jws),
        receipt=claims if isinstance(claims, dict) else None,
    )


def _step_up(answer: Answer, body: dict[str, Any]) -> Seen:
    step_up = expect.stepped_up(answer)
    if step_up is None:
        return Seen("odd", "200 with a Task in another state than TASK_STATE_AUTH_REQUIRED")
    return Seen(
        "step-up",
        f"200 with a step-up for {' '.join(step_up.scopes) or 'no scope'}",
        context=step_up.context_id,
        value=body,
        missing=step_up.scopes,
        task=step_up.id,
    )


def _member(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def read_task(answer: Answer) -> Seen:
    """Return what an answer to `GET tasks/{id}` shows; read and raises as `read`."""
    expect.settled(answer)
    shown = describe(answer)
    if answer.error is not None:
        return Seen("refused", shown, reason=answer.error.reason or "")
    if answer.status in {404, 405}:
        return Seen("none", shown)
    body: Any = answer.json
    task = _text(_member(body, "id")) if answer.status == 200 else ""
    return Seen("step-up" if task else "odd", shown, task=task)
