"""Deliberate deviations from PACT, each a small named substitution of one behaviour."""

from collections.abc import Mapping
from types import MappingProxyType

from pact_conformance.counterpart.flaws.registry import FLAWS, Flaw

ALL: Mapping[str, Flaw] = MappingProxyType(FLAWS)


def named(name: str) -> Flaw:
    """Return a flaw.

    Raises:
        KeyError: there is none of that name.
    """
    if name not in ALL:
        raise KeyError(f"there is no flaw called {name!r}")
    return ALL[name]
