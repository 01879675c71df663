"""Turns a request and what came of it into the exchange that the journal keeps, secrets masked."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from pact_conformance.journal.exchange import (
    Credentials,
    Exchange,
    Failure,
    Header,
    Operation,
    Received,
    Sent,
)
from pact_conformance.journal.mask import Mask
from pact_conformance.journal.transport import Incoming

LONGEST_BODY = 64 * 1024
"""Characters of a body that the journal keeps."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and what the check tells about it."""

    id: str
    at: float
    operation: Operation
    purpose: str
    method: str
    url: str
    headers: Sequence[Header]
    content: bytes | None
    token: str | None
    credentials: Credentials
    turn: bool
    caused: bool
    delegation: Credentials = "none"
    hardening: bool = False


def recorded(asked: Asked, outcome: Incoming | Failure, elapsed: float, mask: Mask) -> Exchange:
    """Return the exchange without secrets."""
    sent_headers = mask.headers(asked.headers)
    got_headers = mask.headers(_headers(outcome))
    url, purpose, body, got, *values = mask.apply_all(
        [
            asked.url,
            asked.purpose,
            "" if asked.content is None else asked.content.decode("utf-8", "surrogateescape"),
            _text(outcome),
            *(value for _, value in sent_headers),
            *(value for _, value in got_headers),
        ]
    )
    text, is_base64 = _writable(body)
    return Exchange(
        id=asked.id,
        at=asked.at,
        elapsed=round(elapsed, 6),
        operation=asked.operation,
        purpose=purpose,
        sent=Sent(
            method=asked.method,
            url=url,
            headers=_with_values(sent_headers, values),
            body=None if asked.content is None else text[:LONGEST_BODY],
            base64=is_base64,
            truncated=len(text) > LONGEST_BODY,
        ),
        answer=_received(outcome, _with_values(got_headers, values[len(sent_headers) :]), got),
        failure=Failure(outcome.kind, got) if isinstance(outcome, Failure) else None,
        token=asked.token,
        credentials=asked.credentials,
        turn=asked.turn,
        caused=asked.caused,
        delegation=asked.delegation,
        hardening=asked.hardening,
    )


def _received(
    outcome: Incoming | Failure, headers: tuple[Header, ...], text: str
) -> Received | None:
    if isinstance(outcome, Failure):
        return None
    return Received(
        status=outcome.status,
        headers=headers,
        body=text[:LONGEST_BODY],
        truncated=outcome.cut or len(text) > LONGEST_BODY,
        http_version=outcome.http_version,
    )


def _text(outcome: Incoming | Failure) -> str:
    if isinstance(outcome, Failure):
        return outcome.message
    return outcome.body.decode("utf-8", "replace")


def _headers(outcome: Incoming | Failure) -> list[Header]:
    if isinstance(outcome, Failure):
        return []
    return [(name.decode("latin-1"), _value(value)) for name, value in outcome.headers]


def _value(value: bytes) -> str:
    """Return a header's value as text: UTF-8 if it is, else byte by byte (RFC 9110 §5.5)."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _with_values(headers: Sequence[Header], values: Sequence[str]) -> tuple[Header, ...]:
    return tuple((name, value) for (name, _), value in zip(headers, values, strict=False))


def _writable(text: str) -> tuple[str, bool]:
    """Return a request's body for the record, and whether it had to become base64."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return base64.b64encode(text.encode("utf-8", "surrogateescape")).decode("ascii"), True
    return text, False
