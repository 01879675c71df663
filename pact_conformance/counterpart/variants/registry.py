"""What a variant is, and the decorators that enter one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.roles import Role

Apply = Callable[[Provider], None]
ApplyToAgent = Callable[[PersonalAgent], None]
Deploy = Callable[[ProviderConfig], ProviderConfig]


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
    deploy: Deploy | None = None
    """Says how a Provider is served otherwise than it was configured, if that is what it does."""


VARIANTS: dict[str, Variant] = {}


def variant(*warns: str) -> Callable[[Apply], Apply]:
    """Enter a function that substitutes one behaviour of the Provider it is given.

    The variant has the function's name, with hyphens; its docstring is one sentence.
    """

    def enter(apply: Apply) -> Apply:
        _enter("provider", warns, apply, apply=apply)
        return apply

    return enter


def deployment(deploy: Deploy) -> Deploy:
    """Enter a function that returns how else a Provider is served: where, and by which certificate.

    The variant has the function's name, with hyphens; its docstring is one sentence.
    """
    _enter("provider", (), deploy, apply=lambda _: None, deploy=deploy)
    return deploy


def agent_variant(*warns: str) -> Callable[[ApplyToAgent], ApplyToAgent]:
    """Enter a function that substitutes one behaviour of the personal agent it is given.

    An agent that is started again gets it once more: what the function keeps is gone then.
    """

    def enter(apply: ApplyToAgent) -> ApplyToAgent:
        _enter("personal-agent", warns, apply, apply=apply)
        return apply

    return enter


def _enter(
    role: Role,
    warns: tuple[str, ...],
    entered: Callable[[Any], Any],
    **does: Callable[[Any], Any],
) -> None:
    name: str = entered.__name__.replace("_", "-")
    if name in VARIANTS:
        raise ValueError(f"there are two variants called {name}")
    VARIANTS[name] = Variant(name, role, frozenset(warns), entered.__doc__ or "", **does)
