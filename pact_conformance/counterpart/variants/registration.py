"""Legal ways to keep registrations and keys (§3.1), and to be found from a domain (§2.1)."""

import math

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.fetching import UNFETCHED
from pact_conformance.counterpart.provider.operations import CARD
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.verifier import Presented, Verifier, keys_are_published
from pact_conformance.counterpart.variants.registry import variant

_DISABLED_AFTER = 1.0


@variant()
def looks_for_an_unknown_kid_once_a_minute(provider: Provider) -> None:
    """Unknown kids cause a fetch of the JWKS once in 60 s; else it is fetched when it is old."""
    provider.verifier.keys.refetch_interval = 60.0


@variant()
def never_looks_for_an_unknown_kid(provider: Provider) -> None:
    """A JWKS is fetched again when it is old, whatever kid is named."""
    provider.verifier.keys.refetch_interval = math.inf


@variant()
def fetches_keys_for_each_token(provider: Provider) -> None:
    """A JWKS is not cached."""
    provider.verifier.keys.max_age = provider.verifier.keys.refetch_interval = 0.0


@variant()
def disables_after_a_second(provider: Provider) -> None:
    """A personal agent that is disabled is served for another second."""
    original = provider.verifier.steps["agent_is_enabled"]
    seen: dict[str, float] = {}

    def agent_is_enabled(verifier: Verifier, token: Presented) -> None:
        assert token.agent is not None
        issuer = token.agent.issuer
        if token.agent.enabled:
            seen[issuer] = math.inf
            return
        # Whoever was never seen enabled has been disabled for long.
        if seen.get(issuer) == math.inf:
            seen[issuer] = token.now + _DISABLED_AFTER
        if token.now >= seen.get(issuer, -math.inf):
            original(verifier, token)

    provider.verifier.steps.replace("agent_is_enabled", agent_is_enabled)


class _Unavailable(Unauthenticated):
    """Nobody can be known now, for keys cannot be fetched."""


@variant("6-gateway")
def answers_503_while_keys_are_unreachable(provider: Provider) -> None:
    """A token whose JWKS cannot be fetched gets a plain 503 if no known key fits it."""
    keys, original = provider.verifier.keys, provider.answers.unauthorized
    fetch = keys.fetch
    unreachable: set[str] = set()

    async def fetch_and_note(uri: str) -> bytes:
        try:
            data = await fetch(uri)
        except UNFETCHED:
            unreachable.add(uri)
            raise
        unreachable.discard(uri)
        return data

    async def find(verifier: Verifier, token: Presented) -> None:
        await keys_are_published(verifier, token)
        if not token.keys and token.agent is not None and token.agent.jwks_uri in unreachable:
            raise _Unavailable("JWKS")

    def unauthorized(refusal: Unauthenticated) -> Response:
        is_ours = isinstance(refusal, _Unavailable)
        return Response(status_code=503) if is_ours else original(refusal)

    keys.fetch = fetch_and_note
    provider.verifier.steps.replace("keys_are_published", find)
    provider.answers.unauthorized = unauthorized


# The Brand's domain


@variant()
def serves_the_card_at_the_brands_domain(provider: Provider) -> None:
    """The Brand's domain serves the card itself."""

    def site(provider: Provider, brand: BrandConfig, request: Request) -> Response:
        if request.url.path != CARD:
            return Response(status_code=404)
        return provider.answers.card(provider.card(brand, provider.base))

    provider.site = site


@variant()
def redirects_a_brands_domain_in_two_steps(provider: Provider) -> None:
    """The Brand's domain redirects within itself first, by a relative URL, and for good then."""

    def site(provider: Provider, brand: BrandConfig, request: Request) -> Response:
        if request.url.path == CARD:
            return RedirectResponse("/support/card", status_code=307)
        if request.url.path == "/support/card":
            return RedirectResponse(provider.card_url(brand.id), status_code=301)
        return Response(status_code=404)

    provider.site = site
