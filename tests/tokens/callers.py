"""Callers for tests: keys are made once, time stands still."""

from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.keys import SigningKey

NOW = 1_800_000_000.75

_ALGS = ("ES256", "RS256", "ES384", "ES512", "EdDSA")
KEYS = tuple(SigningKey.generate(alg, kid=f"own-{alg}") for alg in _ALGS)
OTHER_KEYS = tuple(SigningKey.generate(alg, kid=f"other-{alg}") for alg in ("ES256", "RS256"))


def make_caller() -> Caller:
    """A caller that holds a key of every kind."""
    return Caller("https://pa.example", "Provider-1", KEYS, clock=lambda: NOW)


def make_other() -> Caller:
    """A second registered one."""
    return Caller("https://other.example", "Provider-1", OTHER_KEYS, clock=lambda: NOW)
