"""Legal ways to verify a token and to answer when that fails (§3)."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from pact_conformance.counterpart.provider import jose
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import (
    Presented,
    Verifier,
    fractions_are_dropped,
    keys_are_published,
)
from pact_conformance.counterpart.variants.registry import variant


@variant("3.2-skew-tolerated")
def allows_no_skew(provider: Provider) -> None:
    """No clock skew is allowed to either end of a token's life."""
    provider.verifier.limits = replace(provider.verifier.limits, early=0, late=0)


@variant()
def allows_10_s_of_skew_to_expiry(provider: Provider) -> None:
    """A token is refused 10 s after it expired."""
    provider.verifier.limits = replace(provider.verifier.limits, late=10)


@variant()
def is_open_to_whoever_serves_keys(provider: Provider) -> None:
    """A personal agent that nobody registered is let in once its keys are found (§3.1)."""
    provider.is_open = lambda _brand_id: True


@variant()
def refuses_a_token_without_kid(provider: Provider) -> None:
    """A token must name its key."""

    async def kid_is_there(verifier: Verifier, token: Presented) -> None:
        if "kid" not in token.header:
            raise Unauthenticated("kid")
        await keys_are_published(verifier, token)

    provider.verifier.steps.replace("keys_are_published", kid_is_there)


@variant()
def tries_all_keys_for_an_unknown_kid(provider: Provider) -> None:
    """A token whose kid is not in the JWKS is verified with each key of the JWKS."""

    async def find(verifier: Verifier, token: Presented) -> None:
        await keys_are_published(verifier, token)
        if not token.keys and token.agent is not None:
            token.keys = await verifier.keys.find(token.agent.jwks_uri, None)

    provider.verifier.steps.replace("keys_are_published", find)


@variant()
def tries_all_keys_whatever_the_kid(provider: Provider) -> None:
    """The kid is not looked at."""

    async def find(verifier: Verifier, token: Presented) -> None:
        assert token.agent is not None
        token.keys = await verifier.keys.find(token.agent.jwks_uri, None)

    provider.verifier.steps.replace("keys_are_published", find)


@variant()
def takes_a_token_once(provider: Provider) -> None:
    """A jti that has been seen is refused, and so is a token seen before."""
    seen: set[object] = set()

    def is_new(_verifier: Verifier, token: Presented) -> None:
        jti = token.claims.get("jti")
        identity = (token.claims["iss"], jti if isinstance(jti, str) else token.text)
        if identity in seen:
            raise Unauthenticated("replay")
        seen.add(identity)

    provider.verifier.steps.add(is_new)


@variant("3.2-aud-one-string")
def takes_an_array_of_one_audience(provider: Provider) -> None:
    """An array with nothing but the assigned audience is what RFC 7519 takes it for."""
    check = provider.verifier.steps["audience_is_ours"]

    def audience_is_ours(verifier: Verifier, token: Presented) -> None:
        if token.claims.get("aud") != [verifier.audience]:
            check(verifier, token)

    provider.verifier.steps.replace("audience_is_ours", audience_is_ours)


@variant()
def reads_fractions_of_seconds(provider: Provider) -> None:
    """A NumericDate with a fraction is accepted (RFC 7519 §2)."""
    provider.verifier.steps.add(fractions_are_dropped, before="is_issued")


@variant()
def takes_the_last_of_members_that_stand_twice(provider: Provider) -> None:
    """Of members that stand twice in a header or in claims the last one counts (RFC 7519 §4)."""

    def read(segment: str) -> dict[str, Any]:
        data = jose.decode_segment(segment)
        value: object = json.loads(data.decode("utf-8"))
        # What is no object, and NaN, is refused as ever.
        return jose.read_object(json.dumps(value).encode())

    def segments_are_read(_verifier: Verifier, token: Presented) -> None:
        try:
            token.header, token.claims = (read(it) for it in token.segments[:2])
            token.signature = jose.decode_segment(token.segments[2])
        except (ValueError, RecursionError) as error:
            raise Unauthenticated(str(error)) from None

    provider.verifier.steps.replace("segments_are_strict", segments_are_read)


@variant()
def verifies_the_signature_last(provider: Provider) -> None:
    """The claims are looked at before the signature."""
    steps = provider.verifier.steps
    signature = steps["signature_is_good"]
    steps.drop("signature_is_good").add(copy.copy(signature))


@variant()
def refuses_other_types_of_token(provider: Provider) -> None:
    """A token whose typ says that it is no JWT is refused (RFC 8725 §3.11)."""

    def is_a_jwt(_verifier: Verifier, token: Presented) -> None:
        typ = token.header.get("typ", "JWT")
        if not isinstance(typ, str) or typ.upper() not in ("JWT", "APPLICATION/JWT"):
            raise Unauthenticated("typ")

    provider.verifier.steps.add(is_a_jwt)


@variant()
def refuses_a_token_that_carries_a_key(provider: Provider) -> None:
    """A token with a key or the URL of one in its header is refused, whoever signed it."""

    def has_no_key(_verifier: Verifier, token: Presented) -> None:
        if token.header.keys() & {"jwk", "jku", "x5c", "x5u"}:
            raise Unauthenticated("embedded key")

    provider.verifier.steps.add(has_no_key)


def _answer_401(provider: Provider, response: Callable[[], Response]) -> None:
    def unauthorized(_refusal: Unauthenticated) -> Response:
        answer = response()
        answer.headers.setdefault("WWW-Authenticate", 'Bearer realm="a2a"')
        return answer

    provider.answers.unauthorized = unauthorized


@variant()
def answers_401_in_plain_text(provider: Provider) -> None:
    """A 401 has a body of text."""
    _answer_401(provider, lambda: Response("Unauthorized\n", 401, media_type="text/plain"))


@variant()
def answers_401_as_a_framework(provider: Provider) -> None:
    """A 401 has a body of JSON that is no A2A error."""
    body = b'{"error":"unauthorized","message":"Missing or bad token","statusCode":401}'
    _answer_401(provider, lambda: Response(body, 401, media_type="application/json"))


@variant()
def spells_the_challenge_in_other_case(provider: Provider) -> None:
    """The challenge has its scheme and parameter name in another case (RFC 9110 §11.1)."""
    headers = {"WWW-Authenticate": 'bearer Realm="a2a"'}
    _answer_401(provider, lambda: Response(status_code=401, headers=headers))


@variant("3.4-no-extra-parameters")
def describes_the_error_in_the_challenge(provider: Provider) -> None:
    """The challenge says what was wrong with the token."""
    challenge = 'Bearer realm="a2a", error="invalid_token", error_description="bad token"'
    headers = {"WWW-Authenticate": challenge}
    _answer_401(provider, lambda: Response(status_code=401, headers=headers))
