"""What a personal agent under test sent to the stage, as checks look at it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

from pact_conformance.journal.json_value import Json, read_json
from pact_conformance.tokens import base64url

_DELEGATION = "x-a2a-user-delegation"

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PaToken:
    """A personal-agent JWT as it came, taken apart as far as that goes; nothing is verified."""

    text: str = field(repr=False)
    header: Mapping[str, Any] = field(hash=False)
    """Empty where the segment holds no JSON object."""
    claims: Mapping[str, Any] = field(hash=False, repr=False)
    """Likewise."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Take a token apart."""
        segments = [*text.split("."), "", ""]
        return cls(text, _object(segments[0]), _object(segments[1]))


@dataclass(frozen=True)
class Verified:
    """What the mock's own verifier says of the personal-agent JWT (§3.2)."""

    ok: bool
    why: str
    """The step that refused it; empty where none did."""
    kid_published: bool
    signature_good: bool
    """Whether a published key verifies the signature, whatever else is wrong."""


@dataclass(frozen=True)
class SeenAnswer:
    """What the stage answered with."""

    status: int
    headers: Headers
    body: str = field(repr=False)

    def header(self, name: str) -> str | None:
        """Return the first value of a header."""
        return next(iter(values(self.headers, name)), None)

    @cached_property
    def json(self) -> Json:
        """The body's value or `NOT_JSON`."""
        return read_json(self.body)


@dataclass(frozen=True)
class Seen:
    """One request that reached the stage, whole and unmasked: in memory only."""

    n: int
    """Its number in the run."""
    at: float
    """When it arrived, by the Brand's clock, in seconds since the epoch."""
    monotonic: float
    """When it arrived, by the machine's monotonic clock, in seconds."""
    brand: str | None
    """The Brand's id; None where the path leads to none."""
    operation: str
    """As in scripts: "card", "message:send", "token" …, "unmatched", "other-brand"."""
    method: str
    url: str
    """As it was asked for, with scheme and host."""
    headers: Headers = field(repr=False)
    body: str = field(repr=False)
    verified: Verified | None
    """None where no `Authorization` came."""
    answer: SeenAnswer | None = field(repr=False)
    """None where the connection was closed without one."""
    truncated: bool = False
    apart: bool = False
    """Whether its Brand is: what comes to it is nothing by which the whole run is judged."""

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what the stage tells."""
        members = dict(value)
        verified, answer = members["verified"], members["answer"]
        members["headers"] = _pairs(members["headers"])
        members["verified"] = verified and Verified(
            verified["ok"], verified["why"], verified["kidPublished"], verified["signatureGood"]
        )
        members["answer"] = answer and SeenAnswer(
            answer["status"], _pairs(answer["headers"]), answer["body"]
        )
        return cls(**members)

    @property
    def exchange_id(self) -> str:
        """What the journal calls it."""
        return f"stage-{self.n}"

    @property
    def path(self) -> str:
        """The path of the URL, as it was written."""
        return urlsplit(self.url).path

    def header(self, name: str) -> str | None:
        """Return the first value of a header, names compared without regard to case."""
        return next(iter(self.all(name)), None)

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of a header in order."""
        return values(self.headers, name)

    @cached_property
    def json(self) -> Json:
        """The body's value or `NOT_JSON`."""
        return read_json(self.body)

    @cached_property
    def message(self) -> Mapping[str, Any]:
        """The Message of a `message:send`; empty where the body has none."""
        message = self.json.get("message") if isinstance(self.json, dict) else None
        return message if isinstance(message, dict) else {}

    @cached_property
    def form(self) -> tuple[tuple[str, str], ...]:
        """The parameters of a form in order; none where the body is no form."""
        try:
            return tuple(parse_qsl(self.body, keep_blank_values=True, max_num_fields=1000))
        except ValueError:
            return ()

    def parameter(self, name: str) -> str | None:
        """Return the first value of a parameter of the form."""
        return next((value for key, value in self.form if key == name), None)

    @cached_property
    def token(self) -> PaToken | None:
        """The personal-agent JWT; None where `Authorization` holds no Bearer token."""
        return _bearer(self.header("authorization"))

    @cached_property
    def delegation(self) -> str | None:
        """The delegation token as it came; None where the header holds no Bearer token."""
        token = _bearer(self.header(_DELEGATION))
        return None if token is None else token.text


def values(headers: Headers, name: str) -> tuple[str, ...]:
    """Return every value of a header, names compared without regard to case."""
    wanted = name.lower()
    return tuple(value for key, value in headers if key.lower() == wanted)


def _bearer(value: str | None) -> PaToken | None:
    scheme, _, token = (value or "").strip().partition(" ")
    return PaToken.read(token.strip()) if scheme.lower() == "bearer" and token.strip() else None


def _object(segment: str) -> Mapping[str, Any]:
    try:
        value = json.loads(base64url.decode(segment))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _pairs(pairs: Any) -> Headers:  # noqa: ANN401 - a JSON value
    return tuple((name, value) for name, value in pairs)
