"""What a Brand's agent can do on an account, and which scope each of it needs (§5.2)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.brand_agent import Action, BrandAgent, Reply, Turn

if TYPE_CHECKING:
    from pact_conformance.counterpart.provider.configuration import BrandConfig
    from pact_conformance.counterpart.provider.provider import Provider

PHRASES: Mapping[str, str] = {
    "where is my order": "orders:read",
    "cancel my order": "orders:cancel",
    "change the address": "addresses:change",
}
"""What Users say for it, beside the description of a scope."""

TOOLS: Mapping[str, str] = {
    "orders:read": "lookup_orders",
    "orders:cancel": "cancel_order",
    "addresses:change": "change_address",
}

_SAID: Mapping[str, str] = {
    "orders:read": "Where is my order?",
    "orders:cancel": "Please cancel my order.",
    "addresses:change": "Please change the address of my parcel.",
}

Needs = Callable[["Provider", Turn], tuple[str, ...]]


def needed_scopes(provider: "Provider", turn: Turn) -> tuple[str, ...]:
    """Return the scopes that a turn needs: those it names by description or phrase."""
    text = " ".join(turn.text.casefold().split())
    scopes = provider.brands[turn.brand_id].scopes
    phrases = {scope for phrase, scope in PHRASES.items() if phrase in text}
    return tuple(
        scope
        for scope, description in scopes.items()
        if scope in phrases or " ".join(description.casefold().split()) in text
    )


def prompts(brand: "BrandConfig") -> dict[str, str]:
    """Return a text for each scope of a Brand that needs it; the one of the empty id needs none."""
    texts = {it: _SAID.get(it) or f"Please: {text}" for it, text in brand.scopes.items()}
    return {**texts, "": "What are your opening hours?"}


def missing_scopes(turn: Turn, needed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the scopes that a turn needs and its token lacks (§5.5)."""
    held = () if turn.authority is None else turn.authority.scopes
    return tuple(scope for scope in needed if scope not in held)


def acting(provider: "Provider", agent: BrandAgent) -> BrandAgent:
    """Return an agent that acts on accounts as far as the turn's token goes.

    Without a token it talks as it does in a chat widget, whatever it is asked for (§3.3).
    """

    async def act(turn: Turn) -> Reply:
        reply = await agent(turn)
        if turn.authority is None:
            return reply
        needed = provider.delegation.needs(provider, turn)
        missing = provider.delegation.missing(turn, needed)
        scopes = provider.brands[turn.brand_id].scopes
        if missing:
            wanted = "; ".join(scopes.get(scope, scope) for scope in missing)
            text = f"For that I need your permission: {wanted}."
            return replace(reply, text=text, closes=False, missing_scopes=missing)
        actions = tuple(used(scope, turn) for scope in needed)
        return replace(reply, scopes_used=needed, actions=actions)

    return act


def used(scope: str, turn: Turn) -> Action:
    """Return what the agent does with a scope."""
    tool = TOOLS.get(scope) or re.sub(r"\W+", "_", scope)
    assert turn.authority is not None
    return Action(tool, {"customer": turn.authority.brand_user})
