"""One HTTP request with what came of it: the unit of the journal (`journal.schema.json`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from pact_conformance.journal.json_value import Json, read_json

Operation: TypeAlias = Literal[
    "card",
    "unknown-brand-card",
    "jwks",
    "metadata",
    "message:send",
    "message:stream",
    "tasks",
    "tasks/{id}",
    "tasks/{id}:cancel",
    "tasks/{id}:subscribe",
    "push-config",
    "extended-card",
    "unmatched",
    "unknown-brand",
    "oauth",
    "other",
]
"""What a request was for, so that rules need not guess it from the URL."""

OPERATIONS: tuple[str, ...] = get_args(Operation)

Credentials: TypeAlias = Literal["good", "none", "forged", "other"]
"""Whether the request should authenticate: `other` is a good token of somebody else."""

FailureKind: TypeAlias = Literal[
    "url",  # the URL cannot be asked for over HTTP
    "connect",  # no such host, refused, or nobody answered
    "tls",  # the connection could not be secured
    "deadline",  # the answer was not complete in time
    "closed",  # the connection ended before the answer did
    "protocol",  # what came is not HTTP/1.1
    "too-large",  # header or body exceed what we are ready to read
]

Header: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class Sent:
    """The request as it went out, secrets masked."""

    method: str
    url: str
    headers: tuple[Header, ...]
    body: str | None
    """Text, or base64 where `base64` says so; None if the request had no body."""
    base64: bool = False
    truncated: bool = False

    def header(self, name: str) -> str | None:
        """Return the first value of a header, names compared without regard to case."""
        return next(iter(_values(self.headers, name)), None)


@dataclass(frozen=True)
class Received:
    """The answer as it came in, secrets masked, undecodable bytes replaced."""

    status: int
    headers: tuple[Header, ...]
    body: str
    truncated: bool = False
    """The record, not the answer, ends early; or an event stream that we stopped reading."""
    http_version: str = "HTTP/1.1"

    def header(self, name: str) -> str | None:
        """Return the first value of a header, names compared without regard to case."""
        return next(iter(self.all(name)), None)

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of a header in order (RFC 9110 §5.3 lets some headers repeat)."""
        return _values(self.headers, name)

    @cached_property
    def json(self) -> Json:
        """The body's value or `NOT_JSON`; a truncated record has no value."""
        return read_json("" if self.truncated else self.body)


@dataclass(frozen=True)
class Failure:
    """Why there is no answer."""

    kind: FailureKind
    message: str


@dataclass(frozen=True)
class Exchange:
    """One request and its answer or failure."""

    id: str
    at: float
    """Seconds since the epoch when sending began."""
    elapsed: float
    operation: Operation
    purpose: str
    sent: Sent
    answer: Received | None
    failure: Failure | None
    token: str | None = None
    """What people call the token that was sent; never its text."""
    credentials: Credentials = "none"
    turn: bool = False
    """It was meant to reach the Brand's agent."""
    caused: bool = False
    """The suite made the subject fail, so a 5xx is no fault of the subject."""
    delegation: Credentials = "none"
    """What the delegation token beside it is worth (§5.5); `other` is what only its check knows."""
    by: Literal["suite", "agent"] = "suite"
    """Who sent it: the suite, or the personal agent under test to the stage."""
    hardening: bool = False
    """It was sent for advice beyond the specification, so no rule looks at it."""

    def to_json(self) -> dict[str, Any]:
        """Return the value that the journal holds for it."""
        return vars(self) | {
            "sent": vars(self.sent),
            "answer": self.answer and _without_cache(self.answer),
            "failure": self.failure and vars(self.failure),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Exchange":
        """Return the exchange that a line of the journal stands for.

        Raises:
            ValueError: the value is no exchange.
        """
        try:
            members = dict(value)
            sent, answer, failure = (members[name] for name in ("sent", "answer", "failure"))
            members["sent"] = Sent(**_with_pairs(sent))
            members["answer"] = answer and Received(**_with_pairs(answer))
            members["failure"] = failure and Failure(**failure)
            return cls(**members)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not an exchange of the journal: {error}") from error


def _values(headers: tuple[Header, ...], name: str) -> tuple[str, ...]:
    wanted = name.lower()
    return tuple(value for key, value in headers if key.lower() == wanted)


def _without_cache(answer: Received) -> dict[str, Any]:
    return {name: value for name, value in vars(answer).items() if name != "json"}


def _with_pairs(value: Mapping[str, Any]) -> dict[str, Any]:
    return {**value, "headers": tuple((key, text) for key, text in value["headers"])}
