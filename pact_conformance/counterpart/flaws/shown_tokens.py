"""What flaws of §5.4 do to delegation tokens: they show another text for the one that is good.

The Provider goes on to know its own tokens, so that what is wrong with the text of one is all that
is wrong.
"""

from collections.abc import Callable
from typing import Any

from pact_conformance.counterpart.provider import jose
from pact_conformance.counterpart.provider.brand_agent import Authority
from pact_conformance.counterpart.provider.configuration import BrandConfig
from pact_conformance.counterpart.provider.delegation.token_endpoint import Issue
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.verifier import User

UNVERIFIABLE = ("5.4-signature", "5.6-jws")
"""What is seen to be broken where nothing verifies by the published keys."""

Claims = dict[str, Any]


def show(provider: Provider, shape: Callable[[Issue, Claims], str]) -> None:
    """Give out another text for each delegation token: what `shape` makes of its claims."""
    delegation, known = provider.delegation, dict[str, str]()
    mint, look = delegation.mint_token, delegation.authority

    def mint_token(provider: Provider, issue: Issue) -> str:
        good = str(mint(provider, issue))
        shown = shape(issue, jose.read_object(jose.decode_segment(good.split(".")[1])))
        known[shown] = good
        return shown

    def authority(
        provider: Provider, brand: BrandConfig, user: User | None, text: str
    ) -> Authority:
        return look(provider, brand, user, known.get(text, text))

    delegation.mint_token, delegation.authority = mint_token, authority


def change_claims(provider: Provider, change: Callable[[Issue, Claims], object]) -> None:
    """Let `change` work on the claims of each delegation token before it is signed."""

    def shape(issue: Issue, claims: Claims) -> str:
        change(issue, claims)
        return provider.delegation.sign(provider, issue.brand.id, claims, "at+jwt")

    show(provider, shape)
