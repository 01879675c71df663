"""How results and refusals become HTTP answers (§2, §2.2, §3.4, §6)."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from starlette.responses import Response

from pact_conformance.counterpart.provider.refusals import (
    A2ARefusal,
    NoSuchBrand,
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

    def to(self, refusal: Refusal) -> Response:
        """Return the answer to a refusal, by what it is."""
        match refusal:
            case A2ARefusal():
                return self.error(refusal)
            case Unauthenticated():
                return self.unauthorized(refusal)
            case NoSuchBrand():
                return self.unknown_brand()
            case WrongMethod():
                return self.wrong_method(refusal)
            case RateLimited():
                return self.rate_limited(refusal)
            case _:
                return self.unmatched()
