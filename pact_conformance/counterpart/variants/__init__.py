"""Legal but unusual ways to conform, each a small named substitution of one behaviour.

Each module beside this one holds some of them; a new module is found by being here.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from pact_conformance.counterpart.roles import Role
from pact_conformance.counterpart.variants.registry import VARIANTS, Variant

__all__ = ["ALL", "Variant", "named", "of"]

for _module in sorted(found.name for found in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")

ALL: Mapping[str, Variant] = MappingProxyType(
    dict(sorted(VARIANTS.items(), key=lambda item: item[1].role == "personal-agent"))
)
"""Every variant by its name, a Provider's first."""


def of(role: Role) -> Mapping[str, Variant]:
    """Return the variants of the mock Provider or of the mock personal agent, by their names."""
    return {name: variant for name, variant in ALL.items() if variant.role == role}


def named(name: str, role: Role = "provider") -> Variant:
    """Return a variant.

    Raises:
        KeyError: there is none of that name.
    """
    if name not in of(role):
        listed = "`pact-conformance flaws --variants` lists them"
        raise KeyError(f"there is no variant called {name!r}; {listed}")
    return ALL[name]
