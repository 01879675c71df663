"""Legal but unusual ways to conform, each a small named substitution of one behaviour."""

from collections.abc import Mapping
from types import MappingProxyType

from pact_conformance.counterpart.variants.registry import VARIANTS, Variant

ALL: Mapping[str, Variant] = MappingProxyType(VARIANTS)


def named(name: str) -> Variant:
    """Return a variant.

    Raises:
        KeyError: there is none of that name.
    """
    if name not in ALL:
        raise KeyError(f"there is no variant called {name!r}")
    return ALL[name]
