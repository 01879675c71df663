"""Changes of errors (§3.4, §6)."""

from collections.abc import Callable, Mapping
from typing import Any

from pact_conformance.fuzz.hostile_answers.draft import NOT_SAID, Answered, Draft, a2a
from pact_conformance.fuzz.hostile_answers.entering import ODD, kind
from pact_conformance.fuzz.hostile_answers.writing import Raw, at, put
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.wire.errors import envelope

_PLAIN, _ERRORS = "6-agent-plain-errors", "6-agent-errors"
_REASONS = (
    "INVALID_PARAMS", "TASK_NOT_FOUND", "UNSUPPORTED_OPERATION", "CONTENT_TYPE_NOT_SUPPORTED",
    "INTERNAL", "VERSION_NOT_SUPPORTED",
)  # fmt: skip
_MEMBERS = (
    "error", "error.code", "error.status", "error.message", "error.details", "error.details.0",
    "error.details.0.@type", "error.details.0.reason", "error.details.0.domain",
)  # fmt: skip
_STATUSES = (400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 418, 422, 425, 428, 429, 451,
             500, 501, 502, 503, 504, 511, 599)  # fmt: skip


def _message() -> dict[str, Any]:
    """Return a whole Message that says what nobody has said."""
    message = {"messageId": "r-0", "contextId": "c-0", "role": "ROLE_AGENT"}
    return {"message": {**message, "parts": [{"text": NOT_SAID}]}}


_BODIES: Mapping[str, Callable[[], Answered]] = {
    "nothing": lambda: Answered(Raw(""), "text/plain"),
    "a text": lambda: Answered(Raw(NOT_SAID), "text/plain; charset=utf-8"),
    "a page": lambda: Answered(Raw(f"<html><h1>{NOT_SAID}</h1></html>"), "text/html"),
    "problem+json": lambda: Answered({"title": NOT_SAID}, "application/problem+json"),
    "an OAuth error": lambda: Answered({"error": "invalid_client"}),
    "half a JSON text": lambda: a2a(Raw('{"error": {"code": 5')),
    "JSON null": lambda: a2a(None),
    "a JSON text": lambda: a2a(NOT_SAID),
    "an array": lambda: a2a([envelope("INTERNAL", NOT_SAID)]),
    "an empty object": lambda: a2a({}),
    "deep JSON": lambda: a2a(Raw('{"error":' * 3000)),
    "half a megabyte": lambda: Answered(Raw("x" * 500_000), "text/plain"),
    "an A2A error": lambda: a2a(envelope("INTERNAL", NOT_SAID)),
}
# The challenges of a 401, which need not look as PACT has them.
_CHALLENGES: Mapping[str, str | list[str]] = {
    "none": [],
    "an empty one": "",
    "Bearer alone": "Bearer",
    "Basic": 'Basic realm="shop"',
    "several": ["Digest nonce=1", 'Bearer realm="a2a"', "Negotiate"],
    "several in one": 'Digest nonce="a, Bearer", Bearer realm="a2a", Negotiate',
    "one without quotes": "Bearer realm=a2a, error=invalid_token",
    "one with an open quote": 'Bearer realm="a2a, error="invalid_token',
    "commas": ",,,",
    "an equals sign": "=",
    "a long one": f'Bearer realm="{"x" * 5000}"',
    "one of latin-1": 'Bearer realm="caf\u00e9"',
    "insufficient_scope": 'Bearer realm="a2a", error="insufficient_scope", scope="all"',
    "invalid_token": 'Bearer realm="a2a", error="invalid_token"',
}
_WAITS = ("1", "0", "1.5", "-1", "soon", "", "1, 2", "Wed, 21 Oct 2015 07:28:00 GMT", "0x1",
          "Wed, 99 Foo 2015 99:99:99 GMT", "\u00b2")  # fmt: skip
_LONG_WAITS = ("3600", "9" * 12, "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT")


def _answer(draft: Draft, answered: Answered, status: int) -> None:
    answered.status = status
    draft.error = answered


def _refused(draft: Draft, status: int, body: str) -> None:
    _answer(draft, _BODIES[body](), status)


def _like_a_reply(draft: Draft, status: int) -> None:
    _answer(draft, a2a(_message()), status)


def _error_beside(draft: Draft, status: int) -> None:
    _answer(draft, a2a({**envelope("INTERNAL", "No."), **_message()}), status)


def _odd(draft: Draft, place: str, value: str) -> None:
    document: Any = envelope("INVALID_PARAMS", NOT_SAID)
    put(document, at(place), Raw(ODD[value]))
    _answer(draft, a2a(document), 400)


def _reason(draft: Draft, reason: str, status: int) -> None:
    _answer(draft, a2a(envelope(reason, NOT_SAID)), status)


def _challenged(draft: Draft, which: str) -> None:
    _answer(draft, Answered(Raw(""), "text/plain"), 401)
    assert draft.error is not None
    draft.error.headers["WWW-Authenticate"] = _CHALLENGES[which]


def _pointed(draft: Draft, parameter: str) -> None:
    """Name a place elsewhere in the challenge, as RFC 9728 and others do."""
    url = draft.names.elsewhere("metadata", far=True)
    _answer(draft, Answered(Raw(""), "text/plain"), 401)
    assert draft.error is not None
    challenge = f'Bearer realm="a2a", error="invalid_token", {parameter}="{url}"'
    draft.error.headers["WWW-Authenticate"] = challenge


def _limited(draft: Draft, value: str) -> None:
    _answer(draft, Answered(Raw(""), "text/plain"), 429)
    assert draft.error is not None
    draft.error.headers["Retry-After"] = value


def _closed(draft: Draft) -> None:
    draft.error = Answered({}, close=True)


# A slot by which a scene is played signed in.
_SIGNED_IN = ("offer.taken",)

_OWN_WORDS = ("own-words",)

# Who sends a Message under the status of an error breaks the specification itself: so it warns.
ERRORS: tuple[Kind[Draft], ...] = (
    kind("error-not-found", "a message gets 404 with a whole Message in it", "warn-if-accepted",
         "2.2-agent-unknown-brand", lambda draft: _like_a_reply(draft, 404), "error.answer",
         "message.turns", needs=_OWN_WORDS),
    kind("error-unauthorized", "a message gets 401 with a whole Message in it", "warn-if-accepted",
         "3.4-agent-401", lambda draft: _like_a_reply(draft, 401), "error.answer",
         "message.turns", needs=_OWN_WORDS),
    kind("error-like-a-reply", "a message gets {0} with a whole Message in it",
         "warn-if-accepted", _PLAIN, _like_a_reply, "error.answer", "message.turns",
         takes=[OneOf((500, 503, 400, 403, 405, 429, 502))], needs=_OWN_WORDS),
    kind("error-beside-a-reply", "a message gets {0} with an A2A error beside a whole Message",
         "refused", _ERRORS, _error_beside, "error.answer", "message.turns",
         takes=[OneOf((400, 404, 500))], needs=_OWN_WORDS),
    kind("error-status", "a message gets {0} with {1}", "either", _PLAIN, _refused,
         "error.answer", "message.turns", takes=[OneOf(_STATUSES), OneOf(tuple(_BODIES))]),
    kind("error-reason", "a message gets {0} with status {1}", "either", _ERRORS, _reason,
         "error.answer", "message.turns",
         takes=[OneOf(_REASONS), OneOf((400, 404, 409, 415, 500, 501))]),
    kind("error-odd", "in an A2A error `{0}` is {1}", "either", _ERRORS, _odd, "error.answer",
         "message.turns", takes=[OneOf(_MEMBERS), OneOf(tuple(ODD))]),
    kind("error-challenge", "a 401 has a challenge: {0}", "either", "3.4-agent-401", _challenged,
         "error.answer", "message.turns", takes=[OneOf(tuple(_CHALLENGES))]),
    kind("error-challenge-signed-in", "a 401 under a delegation token has a challenge: {0}",
         "either", "3.4-agent-401", _challenged, "error.answer", "message.turns", *_SIGNED_IN,
         takes=[OneOf(tuple(_CHALLENGES))]),
    kind("error-pointer", "a 401 under a delegation token names a place elsewhere by `{0}`",
         "either", "3.4-agent-401", _pointed, "error.answer", "message.turns", *_SIGNED_IN,
         takes=[OneOf(("resource_metadata", "authorization_uri", "as_uri", "scope"))]),
    kind("error-wait", "a 429 has `Retry-After: {0}`", "either", _PLAIN, _limited, "error.answer",
         "message.turns", takes=[OneOf(_WAITS)]),
    kind("error-long-wait", "a 429 has `Retry-After: {0}`", "either", _PLAIN, _limited,
         "error.answer", "message.turns", takes=[OneOf(_LONG_WAITS)], needs=["virtual-time"]),
    kind("error-closed", "the connection of a message is closed without an answer", "either",
         _PLAIN, _closed, "error.answer", "message.turns"),
)  # fmt: skip
