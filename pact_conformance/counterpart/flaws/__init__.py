"""Deliberate deviations from PACT, each a small named substitution of one behaviour.

Each module beside this one holds the flaws of a section; a new module is found by being here.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from pact_conformance.counterpart.flaws.registry import FLAWS, Flaw

__all__ = ["ALL", "Flaw", "named"]

for _module in sorted(found.name for found in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")

ALL: Mapping[str, Flaw] = MappingProxyType(FLAWS)
"""Every flaw by its name, in the order of the specification's sections."""


def named(name: str) -> Flaw:
    """Return a flaw.

    Raises:
        KeyError: there is none of that name.
    """
    if name not in ALL:
        raise KeyError(f"there is no flaw called {name!r}; `pact-conformance flaws` lists them")
    return ALL[name]
