"""What a variant is, and the decorators that enter one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.roles import Role

Apply = Callable[[Provider], None]
ApplyToAgent = Callable[[PersonalAgent], None]


@dataclass(frozen=True)
class Variant:
    """A legal but unusual way to conform, which no check may fail."""

    name: str
    role: Role
    warns: frozenset[str]
    """The ids of the requirements that may warn about it."""
    description: str
    apply: Callable[[Any], None]
    """Takes a Provider or a PersonalAgent, by the role."""


VARIANTS: dict[str, Variant] = {}


def variant(*warns: str) -> Callable[[Apply], Apply]:
    """Enter a function that substitutes one behaviour of the Provider it is given.

    The variant has the function's name, with hyphens; its docstring is one sentence.
    """

    def enter(apply: Apply) -> Apply:
        _enter("provider", warns, apply)
        return apply

    return enter


def agent_variant(*warns: str) -> Callable[[ApplyToAgent], ApplyToAgent]:
    """Enter a function that substitutes one behaviour of the personal agent it is given.

    An agent that is started again gets it once more: what the function keeps is gone then.
    """

    def enter(apply: ApplyToAgent) -> ApplyToAgent:
        _enter("personal-agent", warns, apply)
        return apply

    return enter


def _enter(role: Role, warns: tuple[str, ...], apply: Callable[[Any], None]) -> None:
    name: str = apply.__name__.replace("_", "-")
    if name in VARIANTS:
        raise ValueError(f"there are two variants called {name}")
    VARIANTS[name] = Variant(name, role, frozenset(warns), apply.__doc__ or "", apply)
