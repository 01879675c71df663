"""Ways to conform that are not wise: each leaves some advice of the hardening pack.

They are made like those of `flaws`, and stand apart from them because they break no requirement:
`breaks` of each names the advice. A new module is found by being here.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from pact_conformance.counterpart.flaws.registry import ADVISED, Flaw
from pact_conformance.counterpart.roles import Role

__all__ = ["ALL", "of"]

for _module in sorted(found.name for found in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")

ALL: Mapping[str, Flaw] = MappingProxyType(ADVISED)
"""Every one by its name."""


def of(role: Role) -> Mapping[str, Flaw]:
    """Return those of the mock Provider or of the mock personal agent."""
    return {name: flaw for name, flaw in ALL.items() if flaw.role == role}
