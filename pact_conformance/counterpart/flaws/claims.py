"""What flaws of §3.2 do to the claims of a token."""

from collections.abc import Callable
from typing import Any

from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.verifier import Presented, Verifier


def prepare(provider: Provider, change: Callable[[Verifier, dict[str, Any]], object]) -> None:
    """Let `change` work on the claims before they are looked at; what is signed is the text."""

    def claims_are_prepared(verifier: Verifier, token: Presented) -> None:
        change(verifier, token.claims)

    provider.verifier.steps.add(claims_are_prepared, before="issuer_is_registered")
