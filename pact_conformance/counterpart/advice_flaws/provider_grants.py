"""A Provider that follows no advice about grants, scopes and codes."""

import itertools

from pact_conformance.counterpart.flaws.registry import advice_flaw
from pact_conformance.counterpart.provider.brand_agent import Turn
from pact_conformance.counterpart.provider.delegation.token_checks import PresentedDelegation
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import BadDelegation


@advice_flaw("hardening-revocation")
def learns_of_a_revocation_with_the_first_message(provider: Provider) -> None:
    """The first message under a revoked grant is served, and only then the grant is asked for."""
    check = provider.delegation.token_steps["grant_is_not_revoked"]
    seen: set[str] = set()

    def grant_is_not_revoked(provider: Provider, token: PresentedDelegation) -> None:
        grant_id = str(token.claims.get("grant_id"))
        try:
            check(provider, token)
        except BadDelegation:
            if grant_id in seen or provider.delegation.grants.get(grant_id) is None:
                raise
            seen.add(grant_id)

    provider.delegation.token_steps.replace("grant_is_not_revoked", grant_is_not_revoked)


@advice_flaw("hardening-scope-injection")
def believes_what_a_message_says_was_granted(provider: Provider) -> None:
    """The Brand's agent takes a scope for granted where the message says that it is."""
    missing = provider.delegation.missing

    def lacking(turn: Turn, needed: tuple[str, ...]) -> tuple[str, ...]:
        return () if "has granted" in turn.text.casefold() else missing(turn, needed)

    provider.delegation.missing = lacking


@advice_flaw("hardening-step-up-loop")
def asks_again_for_what_was_used(provider: Provider) -> None:
    """A scope that was used once under a grant is asked for again, whatever the token says."""
    missing = provider.delegation.missing
    used: set[tuple[str, str]] = set()

    def lacking(turn: Turn, needed: tuple[str, ...]) -> tuple[str, ...]:
        found = missing(turn, needed)
        if found or turn.authority is None:
            return found
        now = {(turn.authority.grant_id, scope) for scope in needed}
        again = tuple(scope for grant, scope in sorted(now & used))
        used.update(now)
        return again

    provider.delegation.missing = lacking


@advice_flaw("hardening-code-entropy")
def has_user_codes_of_six_digits(provider: Provider) -> None:
    """User codes are six digits, as people know them from text messages."""
    numbers = itertools.count(482_913, 73_877)
    provider.delegation.codes.mint_user_code = lambda: f"{next(numbers) % 1_000_000:06}"
