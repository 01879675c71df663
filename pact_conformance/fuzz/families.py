"""The families that there are, by name."""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pact_conformance.fuzz.example import NoExample
from pact_conformance.fuzz.family import Family
from pact_conformance.fuzz.kind import Kinds
from pact_conformance.fuzz.pace import Pace

if TYPE_CHECKING:
    from pact_conformance.rig import Rig

Role: TypeAlias = Literal["provider", "personal-agent"]

Make: TypeAlias = Callable[["Rig", Pace], Family]
"""Makes a family ready for the subject of a run."""

# The package of each family and its class; the package has `kinds.KINDS` and `family`.
_FAMILIES = {
    "forged-tokens": ("forged_tokens", "ForgedTokens"),
    "malformed-requests": ("malformed_requests", "MalformedRequests"),
    "oauth-forms": ("oauth_forms", "OAuthForms"),
    "conversations": ("conversations", "Conversations"),
    "hostile-answers": ("hostile_answers", "HostileAnswers"),
}

# Those that are for personal agents; the others are for Providers.
_OF_AGENTS = frozenset({"hostile-answers"})


def kinds_of(family: str) -> Kinds[Any]:
    """Return the kinds of a family.

    Raises:
        NoExample: there is no such family.
    """
    if family not in _FAMILIES:
        raise NoExample(f"there is no family {family!r}: {', '.join(_FAMILIES)}")
    found: Kinds[Any] = _module(family, "kinds").KINDS
    return found


def role_of(family: str) -> Role:
    """Return whom the examples of a family are for."""
    return "personal-agent" if family in _OF_AGENTS else "provider"


def maker_of(family: str) -> Make:
    """Return what makes a family ready."""
    made: Make = getattr(_module(family, "family"), _FAMILIES[family][1])
    return made


def _module(family: str, name: str) -> ModuleType:
    return import_module(f"pact_conformance.fuzz.{_FAMILIES[family][0]}.{name}")
