"""Flaws of §3.2: how a token is written down (RFC 7515 §7.1)."""

import base64
import json
import re
from collections.abc import Callable

from starlette.requests import Request

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider import jose
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import (
    Presented,
    Verifier,
    has_three_segments,
    signature_is_good,
)


def _decode_by(provider: Provider, decode: Callable[[str], bytes]) -> None:
    def segments_are_decoded(_verifier: Verifier, token: Presented) -> None:
        try:
            token.header = jose.read_object(decode(token.segments[0]))
            token.claims = jose.read_object(decode(token.segments[1]))
            token.signature = decode(token.segments[2])
        except ValueError as error:
            raise Unauthenticated(str(error)) from None

    provider.verifier.steps.replace("segments_are_strict", segments_are_decoded)


def _decode_with_stray_bits(segment: str) -> bytes:
    if not re.fullmatch(r"[A-Za-z0-9_-]*", segment):
        raise ValueError("not base64url")
    return base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4))


@flaw("3.2-compact-jws")
def accepts_padding(provider: Provider) -> None:
    """A token whose segments are padded is accepted."""
    _decode_by(provider, lambda segment: jose.decode_segment(segment.rstrip("=")))
    _also_accept_unpadded(provider)


def _also_accept_unpadded(provider: Provider) -> None:
    """Verify a signature over the segments as they were before they were padded."""

    def verify(verifier: Verifier, token: Presented) -> None:
        try:
            signature_is_good(verifier, token)
        except Unauthenticated:
            header, claims, signature = (segment.rstrip("=") for segment in token.segments)
            token.segments = (header, claims, signature)
            signature_is_good(verifier, token)

    provider.verifier.steps.replace("signature_is_good", verify)


@flaw("3.2-compact-jws")
def accepts_stray_bits(provider: Provider) -> None:
    """A token whose last characters carry bits that belong to no byte is accepted."""
    _decode_by(provider, _decode_with_stray_bits)


@flaw("3.2-compact-jws")
def accepts_the_other_alphabet(provider: Provider) -> None:
    """A token in plain base64, with + and /, is accepted."""
    to_url = str.maketrans("+/", "-_")

    def verify(verifier: Verifier, token: Presented) -> None:
        try:
            signature_is_good(verifier, token)
        except Unauthenticated:
            header, claims, signature = (segment.translate(to_url) for segment in token.segments)
            token.segments = (header, claims, signature)
            signature_is_good(verifier, token)

    _decode_by(provider, lambda segment: jose.decode_segment(segment.translate(to_url)))
    provider.verifier.steps.replace("signature_is_good", verify)


@flaw("3.2-compact-jws")
def accepts_white_space_in_a_token(provider: Provider) -> None:
    """White space in a token is taken out before it is read."""

    def bearer_token(request: Request) -> str:
        found = re.fullmatch(r"(?i)bearer\s+(.+)", request.headers.get("authorization", "").strip())
        if found is None:
            raise Unauthenticated("no bearer token")
        return re.sub(r"\s", "", found[1])

    provider.bearer_token = bearer_token


@flaw("3.2-compact-jws")
def ignores_further_segments(provider: Provider) -> None:
    """A token with more than three segments is accepted by its first three."""

    def has_three_or_more(verifier: Verifier, token: Presented) -> None:
        token.text = ".".join(token.text.split(".")[:3])
        has_three_segments(verifier, token)

    provider.verifier.steps.replace("has_three_segments", has_three_or_more)


@flaw("3.2-compact-jws", "3.2-signature")
def accepts_two_segments(provider: Provider) -> None:
    """A token without its third segment is accepted."""

    def has_two_or_three(verifier: Verifier, token: Presented) -> None:
        if token.text.count(".") == 1:
            token.text += "."
        has_three_segments(verifier, token)

    def verify(verifier: Verifier, token: Presented) -> None:
        if token.signature:
            signature_is_good(verifier, token)

    provider.verifier.steps.replace("has_three_segments", has_two_or_three)
    provider.verifier.steps.replace("signature_is_good", verify)


@flaw("3.2-compact-jws")
def accepts_the_json_serialization(provider: Provider) -> None:
    """A token in the flattened JSON serialization is accepted."""
    original = provider.bearer_token

    def bearer_token(request: Request) -> str:
        found = re.fullmatch(r"(?i)bearer\s+({.+})", request.headers.get("authorization", ""))
        if found is None:
            return original(request)
        try:
            members = json.loads(found[1])
            return f"{members['protected']}.{members['payload']}.{members['signature']}"
        except (ValueError, KeyError):
            raise Unauthenticated("no flattened JWS") from None

    provider.bearer_token = bearer_token
