"""How results and refusals become HTTP answers (§2, §2.2, §3.4, §6)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.provider.refusals import (
    A2ARefusal,
    BadDelegation,
    NoSuchBrand,
    OAuthRefusal,
    RateLimited,
    Refusal,
    Unauthenticated,
    WrongMethod,
)
from pact_conformance.wire.errors import envelope
from pact_conformance.wire.media_types import A2A_JSON, JSON


def encode(value: object) -> bytes:
    """Return a value as compact JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def result(value: object) -> Response:
    """Answer with what an operation returned; A2A responses have A2A's media type (§2)."""
    return Response(encode(value), media_type=A2A_JSON)


def card(document: object) -> Response:
    """Answer with an Agent Card. It is public and seldom changes, so it may be cached (A2A §8)."""
    headers = {"Cache-Control": "public, max-age=60"}
    return Response(encode(document), media_type=JSON, headers=headers)


def error(refusal: A2ARefusal) -> Response:
    """Answer with an A2A error: the envelope, whose code repeats the HTTP status (§6)."""
    body = envelope(refusal.reason, refusal.message)
    return Response(encode(body), status_code=body["error"]["code"], media_type=A2A_JSON)


def unauthorized(_refusal: Unauthenticated) -> Response:
    """Answer an authentication failure: one challenge for all of them, and no body (§3.4)."""
    return Response(status_code=401, headers={"WWW-Authenticate": 'Bearer realm="a2a"'})


def unknown_brand() -> Response:
    """Answer for a Brand that is not hosted here: no A2A body, in fact none (§2.1, §2.2)."""
    return Response(status_code=404)


def unmatched() -> Response:
    """Answer for a path that is no A2A operation (§2.2)."""
    return Response(status_code=404)


def wrong_method(refusal: WrongMethod) -> Response:
    """Answer for a method that the path does not have; 405 names those it has (RFC 9110 §15)."""
    return Response(status_code=405, headers={"Allow": ", ".join(refusal.allowed)})


def rate_limited(refusal: RateLimited) -> Response:
    """Answer a caller who asks too often: no A2A error, but when to ask again (§6)."""
    return Response(status_code=429, headers={"Retry-After": str(refusal.retry_after)})


def bad_delegation(_refusal: BadDelegation) -> Response:
    """Answer a bad delegation token: its own challenge, and no body (§5.5)."""
    challenge = 'Bearer realm="a2a", error="invalid_token"'
    return Response(status_code=401, headers={"WWW-Authenticate": challenge})


def oauth_result(value: object) -> Response:
    """Answer with what an OAuth endpoint gives, for nobody to keep (RFC 6749 §5.1)."""
    return Response(encode(value), media_type=JSON, headers={"Cache-Control": "no-store"})


def oauth_error(refusal: OAuthRefusal) -> Response:
    """Answer with an OAuth error (RFC 6749 §5.2); all of ours have 400."""
    body = {"error": refusal.error, "error_description": refusal.description}
    headers = {"Cache-Control": "no-store"}
    return Response(encode(body), status_code=400, media_type=JSON, headers=headers)


def public_document(document: object) -> Response:
    """Answer with metadata or a key set, which anybody may read (§5.1)."""
    headers = {"Cache-Control": "public, max-age=60"}
    return Response(encode(document), media_type=JSON, headers=headers)


def oauth_failure() -> Response:
    """Answer at an OAuth endpoint when we broke down: no A2A error, for it is none (§6)."""
    return Response(status_code=500, headers={"Cache-Control": "no-store"})


@dataclass
class Answers:
    """One function for each kind of answer."""

    result: Callable[[object], Response] = result
    card: Callable[[object], Response] = card
    error: Callable[[A2ARefusal], Response] = error
    unauthorized: Callable[[Unauthenticated], Response] = unauthorized
    unknown_brand: Callable[[], Response] = unknown_brand
    unmatched: Callable[[], Response] = unmatched
    wrong_method: Callable[[WrongMethod], Response] = wrong_method
    rate_limited: Callable[[RateLimited], Response] = rate_limited
    bad_delegation: Callable[[BadDelegation], Response] = bad_delegation
    oauth_result: Callable[[object], Response] = oauth_result
    oauth_error: Callable[[OAuthRefusal], Response] = oauth_error
    public_document: Callable[[object], Response] = public_document
    oauth_failure: Callable[[], Response] = oauth_failure

    def to(self, refusal: Refusal) -> Response:
        """Return the answer to a refusal, by what it is, or else by what it is a kind of."""
        answers = (_KINDS[kind] for kind in type(refusal).__mro__ if kind in _KINDS)
        answer = next(answers, None)
        return self.unmatched() if answer is None else answer(self, refusal)


_KINDS: Mapping[type[Refusal], Callable[[Answers, Any], Response]] = {
    A2ARefusal: lambda answers, refusal: answers.error(refusal),
    Unauthenticated: lambda answers, refusal: answers.unauthorized(refusal),
    NoSuchBrand: lambda answers, _refusal: answers.unknown_brand(),
    WrongMethod: lambda answers, refusal: answers.wrong_method(refusal),
    RateLimited: lambda answers, refusal: answers.rate_limited(refusal),
    BadDelegation: lambda answers, refusal: answers.bad_delegation(refusal),
    OAuthRefusal: lambda answers, refusal: answers.oauth_error(refusal),
}
