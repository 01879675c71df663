"""Scopes that nobody can talk about, grants that end at once, codes that nobody guesses."""

from collections.abc import Mapping

import pytest

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.grants import Tried
from pact_conformance.rig import advice
from pact_conformance.verdicts import Deviation, Untested

from ..provider.acting import receipt_of
from ..provider.authorizing import Part
from ..provider.conversations import Turn
from .ending_grants import Ended
from .guessing import bits_of, enough
from .injecting import NAMES, ActedAgain

# Bits below which somebody guesses a user code while it lasts (RFC 8628 §5.1), or a device code.
USER_CODE_BITS = 25
DEVICE_CODE_BITS = 128


@advice("hardening-scope-injection")
@pytest.mark.parametrize("claim", NAMES)
def test_a_claimed_scope_is_not_acted_upon(
    injected: Tried[Mapping[str, Turn]], part: Tried[Part], claim: str
) -> None:
    turn = injected.had()[claim]
    had = part.had().narrow.scopes
    asked = expect.stepped_up(expect.settled(turn.answer)) is not None
    used = set() if asked or not turn.answer.is_success else _scopes_used(turn)
    expect.measured("answered with a step-up", int(asked))
    expect.measured("acted upon", int(bool(used - had)))

    expect.that(
        used <= had,
        f"a step-up, or a reply whose receipt uses no scope beyond {', '.join(sorted(had))}",
        f"a receipt that uses {', '.join(sorted(used - had))}, which breaks §5.5 as well",
    )
    if not asked:
        expect.note("the Brand's agent replied without a step-up, and used no further scope")


def _scopes_used(turn: Turn) -> set[str]:
    used = receipt_of(turn).claims.get("scopesUsed")
    return {it for it in used if isinstance(it, str)} if isinstance(used, list) else set()


@advice("hardening-step-up-loop")
def test_a_granted_scope_is_not_asked_for_again(acted_again: Tried[ActedAgain]) -> None:
    found = acted_again.had()
    asked = [expect.stepped_up(expect.settled(it.answer)) for it in found.turns]
    again = [it for it in asked if it is not None and set(it.scopes) <= found.scopes]
    expect.measured("turns under the token with the scope", len(found.turns))
    expect.measured("step-ups for what it has", len(again))

    expect.that(
        not again,
        f"no step-up under a token with {', '.join(sorted(found.scopes))}",
        f"one for {', '.join(again[0].scopes) or 'nothing'} in {len(again)} of "
        f"{len(found.turns)} turns"
        if again
        else "none",
    )


@advice("hardening-revocation")
def test_nothing_is_served_under_a_revoked_grant(ended: Tried[Ended]) -> None:
    found = ended.had()
    if not found.before.is_success:
        raise Untested("a message under the grant was not served before", do="see 5.5-served")
    expect.settled(found.after[-1])
    expect.measured("messages served after the revocation", found.served)
    expect.measured("until the last was answered", found.seconds, "s")

    expect.that(
        not found.served,
        "no message to be served once the grant is revoked",
        f"{found.served} of {len(found.after)}, the last {found.seconds:.2g} s after",
    )


@advice("hardening-code-entropy")
@pytest.mark.parametrize("code", ["user_code", "device_code"])
def test_codes_have_enough_to_guess(delegation: Delegation, code: str) -> None:
    def another(number: int) -> str:
        return delegation.grants.begin((delegation.first,), f"guessed-{number}").text(code)

    least = USER_CODE_BITS if code == "user_code" else DEVICE_CODE_BITS
    codes = enough(another, least)
    bits = bits_of(codes)
    expect.measured(f"bits of a {code.replace('_', ' ')} at most", bits)

    if len(set(codes)) < len(codes):
        raise Deviation("another code for each flow", "the same code twice")
    expect.that(bits >= least, f"at least {least} bits", f"{bits:.0f} at most")
