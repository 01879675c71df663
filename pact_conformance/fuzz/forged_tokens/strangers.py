"""Keys that no Provider knows: one for each algorithm in this process."""

from functools import cache

from pact_conformance.tokens.keys import SigningKey


@cache
def stranger(alg: str) -> SigningKey:
    """Return a key that nobody registered."""
    return SigningKey.generate(alg, kid="a-stranger-s-key")
