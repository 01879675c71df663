"""Subtle flaws of §3.2: how a token and its signature are read."""

import base64
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.requests import Request

from pact_conformance.counterpart.flaws.registry import subtle_flaw
from pact_conformance.counterpart.provider import jose
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import (
    Presented,
    Verifier,
    has_three_segments,
    segments_are_strict,
    signature_is_good,
)


def _read_bearer(provider: Provider, read: Callable[[str], str]) -> None:
    """Rewrite what stands in the Authorization header before the token is looked for in it."""

    def bearer_token(request: Request) -> str:
        found = re.fullmatch(r"(?i)bearer\s+(.+)", request.headers.get("authorization", "").strip())
        if found is None:
            raise Unauthenticated("no bearer token")
        return read(found[1])

    provider.bearer_token = bearer_token


@subtle_flaw("3.2-compact-jws")
def undoes_percent_encoding_in_a_token(provider: Provider) -> None:
    """A token is read after its percent-encoding was undone."""
    _read_bearer(provider, unquote)


@subtle_flaw("3.2-compact-jws")
def skips_what_is_not_ascii_in_a_token(provider: Provider) -> None:
    """Characters beyond ASCII are skipped in a token."""
    _read_bearer(provider, lambda token: "".join(it for it in token if it.isascii()))


@subtle_flaw("3.2-compact-jws")
def reads_a_token_up_to_a_comma(provider: Provider) -> None:
    """What stands behind a comma in the Authorization header is not looked at."""
    _read_bearer(provider, lambda token: token.partition(",")[0])


@subtle_flaw("3.2-compact-jws")
def looks_past_a_further_bearer(provider: Provider) -> None:
    """The word Bearer may stand twice."""
    _read_bearer(provider, lambda token: re.sub(r"(?i)^bearer\s+", "", token))


@subtle_flaw("3.2-compact-jws")
def takes_the_other_alphabet_in_a_header(provider: Provider) -> None:
    """The header of a token may be written with + and /, the rest not."""

    def decode(verifier: Verifier, token: Presented) -> None:
        header, claims, signature = token.segments
        sent = token.segments
        token.segments = (header.replace("+", "-").replace("/", "_"), claims, signature)
        segments_are_strict(verifier, token)
        token.segments = sent

    provider.verifier.steps.replace("segments_are_strict", decode)


@subtle_flaw("3.2-es256")
def takes_only_headers_that_begin_as_usual(provider: Provider) -> None:
    """A token that does not begin as `{"` does in base64url is taken for none."""

    def looks_like_a_token(verifier: Verifier, token: Presented) -> None:
        if not token.text.startswith("eyJ"):
            raise Unauthenticated("no token")
        has_three_segments(verifier, token)

    provider.verifier.steps.replace("has_three_segments", looks_like_a_token)


def _read_json(provider: Provider, read: Callable[[bytes], dict[str, Any]]) -> None:
    """Read the claims in another way; what is read strictly stays as it is."""

    def decode(verifier: Verifier, token: Presented) -> None:
        try:
            segments_are_strict(verifier, token)
        except Unauthenticated:
            try:
                token.header = jose.read_object(jose.decode_segment(token.segments[0]))
                token.claims = read(jose.decode_segment(token.segments[1]))
                token.signature = jose.decode_segment(token.segments[2])
            except ValueError as error:
                raise Unauthenticated(str(error)) from None

    provider.verifier.steps.replace("segments_are_strict", decode)


@subtle_flaw("3.2-compact-jws")
def reads_json_up_to_its_end(provider: Provider) -> None:
    """What stands behind the JSON object of the claims is not looked at."""

    def read(data: bytes) -> dict[str, Any]:
        text = data.decode()
        value, end = json.JSONDecoder().raw_decode(text)
        if not isinstance(value, dict):
            raise ValueError("no object")  # noqa: TRY004 - the text's fault
        return jose.read_object(text[:end].encode())

    _read_json(provider, read)


def _first_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(reversed(pairs))


@subtle_flaw("3.2-compact-jws")
def takes_the_first_of_two_names_where_one_is_escaped(provider: Provider) -> None:
    """Of a claim that stands twice the first counts, if one of the two is written with escapes."""

    def read(data: bytes) -> dict[str, Any]:
        if rb"\u00" not in data:
            return jose.read_object(data)
        pairs: list[tuple[str, Any]] = json.loads(data, object_pairs_hook=list)
        return _first_of(pairs)

    _read_json(provider, read)


@subtle_flaw("3.2-signature")
def verifies_claims_as_it_would_write_them(provider: Provider) -> None:
    """The signature is verified over the claims written anew, not over the text that was sent."""

    def written(value: object) -> str:
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).rstrip(b"=").decode()

    def verify(verifier: Verifier, token: Presented) -> None:
        try:
            signature_is_good(verifier, token)
        except Unauthenticated:
            header, _, signature = token.segments
            token.segments = (header, written(token.claims), signature)
            signature_is_good(verifier, token)

    provider.verifier.steps.replace("signature_is_good", verify)


# Signatures


def _read_signature(provider: Provider, read: Callable[[Presented], bytes]) -> None:
    """Verify another signature where the one that was sent is not good."""

    def verify(verifier: Verifier, token: Presented) -> None:
        try:
            signature_is_good(verifier, token)
        except Unauthenticated:
            token.signature = read(token)
            signature_is_good(verifier, token)

    provider.verifier.steps.replace("signature_is_good", verify)


@subtle_flaw("3.2-signature")
def looks_at_the_first_64_bytes_of_a_signature(provider: Provider) -> None:
    """Of an ES256 signature that is some bytes too long the first 64 are verified."""

    def read(token: Presented) -> bytes:
        is_long = token.header["alg"] == "ES256" and len(token.signature) > 66
        return token.signature[:64] if is_long else token.signature

    _read_signature(provider, read)


@subtle_flaw("3.2-signature")
def looks_at_the_end_of_an_rsa_signature(provider: Provider) -> None:
    """Of an RS256 signature that is too long the last bytes are verified."""

    def read(token: Presented) -> bytes:
        size = _rsa_size(token)
        return token.signature[-size:] if size else token.signature

    _read_signature(provider, read)


def _rsa_size(token: Presented) -> int:
    sizes = [
        it.public.key_size // 8 for it in token.keys if isinstance(it.public, rsa.RSAPublicKey)
    ]
    return sizes[0] if sizes else 0


@subtle_flaw("3.2-signature")
def reduces_rsa_signatures_by_the_modulus(provider: Provider) -> None:
    """An RS256 signature beyond the modulus is reduced by it before it is verified."""

    def read(token: Presented) -> bytes:
        for key in token.keys:
            if isinstance(key.public, rsa.RSAPublicKey):
                modulus, number = (
                    key.public.public_numbers().n,
                    int.from_bytes(token.signature, "big"),
                )
                return (number % modulus).to_bytes(key.public.key_size // 8, "big")
        return token.signature

    _read_signature(provider, read)


@subtle_flaw("3.2-signature")
def reads_signatures_from_either_end(provider: Provider) -> None:
    """A signature whose bytes stand from last to first is accepted."""
    _read_signature(provider, lambda token: token.signature[::-1])
