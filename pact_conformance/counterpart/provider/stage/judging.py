"""The personal-agent JWT of a request, verified as the Provider does it, whatever was asked for."""

from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.refusals import Unauthenticated
from pact_conformance.counterpart.provider.stage.seen import Judgement
from pact_conformance.counterpart.provider.verifier import (
    Presented,
    fitting,
    has_three_segments,
    segments_are_strict,
)

if TYPE_CHECKING:
    from starlette.requests import Request

    from pact_conformance.counterpart.provider.configuration import AgentConfig
    from pact_conformance.counterpart.provider.provider import Provider


async def judge(provider: "Provider", request: "Request", brand_id: str | None) -> Judgement | None:
    """Return what the verifier says of a request's token; None where there is no `Authorization`.

    The document and the card need no token, but what comes with them is judged too.
    """
    if "authorization" not in request.headers:
        return None
    try:
        text = provider.bearer_token(request)
    except Unauthenticated as refusal:
        return Judgement(ok=False, why=str(refusal))
    token = Presented(text=text, now=provider.clock.now(brand_id))
    why = ""
    try:
        await provider.verifier.verify(text, token.now, is_open=provider.is_open(brand_id))
    except Unauthenticated as refusal:
        why = str(refusal)
    try:
        has_three_segments(provider.verifier, token)
        segments_are_strict(provider.verifier, token)
    except Unauthenticated:
        return Judgement(ok=not why, why=why)
    is_published, is_good = await _key(provider, token)
    return Judgement(ok=not why, why=why, kidPublished=is_published, signatureGood=is_good)


async def _key(provider: "Provider", token: Presented) -> tuple[bool, bool]:
    """Say whether a token's `kid` is published, and whether a published key verifies it."""
    agent, kid, alg = _agent(provider, token), token.header.get("kid"), token.header.get("alg")
    if agent is None:
        return False, False
    source = provider.verifier.keys
    # By its kid first: a key that was published just now is found at once.
    named = await source.find(agent.jwks_uri, kid) if isinstance(kid, str) else ()
    keys = named or await source.find(agent.jwks_uri, None)
    for key in keys:
        algorithm = fitting(key.public, str(alg))
        if algorithm is not None and algorithm.verify(token.signed, key.public, token.signature):
            return bool(named), True
    return bool(named), False


def _agent(provider: "Provider", token: Presented) -> "AgentConfig | None":
    """Return the registration of a token's issuer, or else the first one: the agent under test."""
    agents = provider.verifier.agents
    issuer = token.claims.get("iss")
    named = agents.get(issuer) if isinstance(issuer, str) else None
    return named or next(iter(agents.values()), None)
