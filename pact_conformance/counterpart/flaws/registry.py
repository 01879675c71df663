"""What a flaw is, and the decorator that enters one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pact_conformance.counterpart.provider.provider import Provider

Apply = Callable[[Provider], None]


@dataclass(frozen=True)
class Flaw:
    """A deliberate deviation from PACT, for a check to find."""

    name: str
    role: Literal["provider"]
    breaks: frozenset[str]
    """The ids of all requirements that a Provider with this flaw does not meet."""
    description: str
    apply: Apply


FLAWS: dict[str, Flaw] = {}


def flaw(*breaks: str) -> Callable[[Apply], Apply]:
    """Enter a function that substitutes one behaviour of the Provider it is given.

    The flaw has the function's name, with hyphens; its docstring is one sentence.
    """

    def enter(apply: Apply) -> Apply:
        name: str = apply.__name__.replace("_", "-")
        if name in FLAWS:
            raise ValueError(f"there are two flaws called {name}")
        FLAWS[name] = Flaw(name, "provider", frozenset(breaks), apply.__doc__ or "", apply)
        return apply

    return enter
