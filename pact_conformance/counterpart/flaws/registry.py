"""What a flaw is, and the decorators that enter one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.roles import Role

Apply = Callable[[Provider], None]
ApplyToAgent = Callable[[PersonalAgent], None]


@dataclass(frozen=True)
class Flaw:
    """A deliberate deviation from PACT, for a check to find."""

    name: str
    role: Role
    breaks: frozenset[str]
    """The ids of all requirements that whoever has this flaw does not meet."""
    description: str
    apply: Callable[[Any], None]
    """Takes a Provider or a PersonalAgent, by the role."""


FLAWS: dict[str, Flaw] = {}

SUBTLE: dict[str, Flaw] = {}
"""Those that no hand-written check names (`counterpart.subtle_flaws`)."""

ADVISED: dict[str, Flaw] = {}
"""Those that leave advice and break nothing that is required (`counterpart.advice_flaws`)."""


def flaw(*breaks: str) -> Callable[[Apply], Apply]:
    """Enter a function that substitutes one behaviour of the Provider it is given.

    The flaw has the function's name, with hyphens; its docstring is one sentence.
    """

    def enter(apply: Apply) -> Apply:
        _enter("provider", breaks, apply)
        return apply

    return enter


def agent_flaw(*breaks: str) -> Callable[[ApplyToAgent], ApplyToAgent]:
    """Enter a function that substitutes one behaviour of the personal agent it is given.

    An agent that is started again gets it once more: what the function keeps is gone then.
    """

    def enter(apply: ApplyToAgent) -> ApplyToAgent:
        _enter("personal-agent", breaks, apply)
        return apply

    return enter


def subtle_flaw(*breaks: str) -> Callable[[Apply], Apply]:
    """Enter a function like `flaw` does, for fuzzing to find."""

    def enter(apply: Apply) -> Apply:
        _enter("provider", breaks, apply, SUBTLE)
        return apply

    return enter


def subtle_agent_flaw(*breaks: str) -> Callable[[ApplyToAgent], ApplyToAgent]:
    """Enter a function like `agent_flaw` does, for fuzzing to find."""

    def enter(apply: ApplyToAgent) -> ApplyToAgent:
        _enter("personal-agent", breaks, apply, SUBTLE)
        return apply

    return enter


def advice_flaw(*leaves: str) -> Callable[[Apply], Apply]:
    """Enter a function like `flaw` does, with the ids of all advice that is not followed then."""

    def enter(apply: Apply) -> Apply:
        _enter("provider", leaves, apply, ADVISED)
        return apply

    return enter


def advice_agent_flaw(*leaves: str) -> Callable[[ApplyToAgent], ApplyToAgent]:
    """Enter a function like `agent_flaw` does, likewise."""

    def enter(apply: ApplyToAgent) -> ApplyToAgent:
        _enter("personal-agent", leaves, apply, ADVISED)
        return apply

    return enter


def _enter(
    role: Role,
    breaks: tuple[str, ...],
    apply: Callable[[Any], None],
    flaws: dict[str, Flaw] = FLAWS,
) -> None:
    name: str = apply.__name__.replace("_", "-")
    if any(name in known for known in (FLAWS, SUBTLE, ADVISED)):
        raise ValueError(f"there are two flaws called {name}")
    flaws[name] = Flaw(name, role, frozenset(breaks), apply.__doc__ or "", apply)
