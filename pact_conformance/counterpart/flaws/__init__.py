"""Deliberate deviations from PACT, each a small named substitution of one behaviour.

Each module beside this one holds the flaws of a section; a new module is found by being here.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from pact_conformance.counterpart.flaws.registry import FLAWS, Flaw
from pact_conformance.counterpart.roles import Role

__all__ = ["ALL", "Flaw", "named", "of"]

for _module in sorted(found.name for found in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")

ALL: Mapping[str, Flaw] = MappingProxyType(
    dict(sorted(FLAWS.items(), key=lambda item: item[1].role == "personal-agent"))
)
"""Every flaw by its name, a Provider's first, in the order of the specification's sections."""


def of(role: Role) -> Mapping[str, Flaw]:
    """Return the flaws of the mock Provider or of the mock personal agent, by their names."""
    return {name: flaw for name, flaw in ALL.items() if flaw.role == role}


def named(name: str, role: Role = "provider") -> Flaw:
    """Return a flaw, a subtle one, or one that leaves advice.

    Raises:
        KeyError: there is none of that name.
    """
    # Few serve one, and these stand on this room.
    from pact_conformance.counterpart import advice_flaws, subtle_flaws  # noqa: PLC0415

    others = {**subtle_flaws.of(role), **advice_flaws.of(role)}
    if name in others:
        return others[name]
    if name not in of(role):
        raise KeyError(f"there is no flaw called {name!r}; `pact-conformance flaws` lists them")
    return ALL[name]
