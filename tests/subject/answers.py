"""Answers as a check gets them, made by hand."""

import json
from collections.abc import Sequence

import httpx

from pact_conformance.journal.answer import Answer


def answer(
    status: int = 200,
    body: object = b"",
    *,
    headers: Sequence[tuple[str, str]] = (),
    at: float = 0.0,
    elapsed: float = 0.0,
) -> Answer:
    """Return an answer; a body that is not bytes is sent as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(
        status=status,
        headers=httpx.Headers(list(headers)),
        body=content,
        elapsed=elapsed,
        exchange_id="x-1",
        operation="message:send",
        at=at,
    )
