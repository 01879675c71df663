"""What a variant is, and the decorator that enters one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pact_conformance.counterpart.provider.provider import Provider

Apply = Callable[[Provider], None]


@dataclass(frozen=True)
class Variant:
    """A legal but unusual way to conform, which no check may fail."""

    name: str
    role: Literal["provider"]
    warns: frozenset[str]
    """The ids of the requirements that may warn about it."""
    description: str
    apply: Apply


VARIANTS: dict[str, Variant] = {}


def variant(*warns: str) -> Callable[[Apply], Apply]:
    """Enter a function that substitutes one behaviour of the Provider it is given.

    The variant has the function's name, with hyphens; its docstring is one sentence.
    """

    def enter(apply: Apply) -> Apply:
        name: str = apply.__name__.replace("_", "-")
        if name in VARIANTS:
            raise ValueError(f"there are two variants called {name}")
        VARIANTS[name] = Variant(name, "provider", frozenset(warns), apply.__doc__ or "", apply)
        return apply

    return enter
