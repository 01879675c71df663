"""What a check gets to see of an answer: all of it, unmasked, in memory only."""

from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus

import httpx

from pact_conformance.journal.exchange import Operation
from pact_conformance.journal.json_value import NOT_JSON, Json, read_json
from pact_conformance.wire.errors import A2AError, read_envelope

__all__ = ["NOT_JSON", "Answer"]


@dataclass(frozen=True)
class Answer:
    """An HTTP answer, and where the journal keeps its exchange."""

    status: int
    headers: httpx.Headers
    body: bytes
    """Content codings undone."""
    elapsed: float
    exchange_id: str
    operation: Operation
    at: float
    """Seconds since the epoch when sending began."""
    complete: bool = True
    """False for an event stream that was still open at the deadline."""

    @property
    def is_success(self) -> bool:
        """Whether the status is one of 2xx."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    @cached_property
    def text(self) -> str:
        """The body as UTF-8, which JSON is always in (RFC 8259 §8.1)."""
        return self.body.decode("utf-8", "replace")

    @cached_property
    def json(self) -> Json:
        """The body's value, or `NOT_JSON`."""
        return read_json(self.body)

    @cached_property
    def error(self) -> A2AError | None:
        """The A2A error that the body holds (PACT §6), if it holds one."""
        return read_envelope(self.json)
