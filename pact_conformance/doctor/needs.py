"""What the catalogue's requirements need of the tester, and which of it is not there."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from pact_conformance.options import TABLE
from pact_conformance.settings import Settings
from pact_conformance.subject.hooks import ABSENCE_OF
from pact_conformance.subject.plan import Plan
from pact_conformance.tokens.keys import keys_from_json

_KEY_OF = {option.environment: option.key for option in TABLE if option.environment}

_ADAPTER = "agent."


class Needing(Protocol):
    """A requirement, or a piece of advice."""

    @property
    def id(self) -> str:
        """Its stable name."""

    @property
    def needs(self) -> tuple[str, ...]:
        """What a tester gives for it."""


def unmet(
    requirements: Iterable[Needing],
    settings: Settings,
    plan: Plan,
    *,
    brought: frozenset[str] = frozenset(),
) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the requirements that lack something, by what they lack.

    Args:
        requirements: those in question, and advice.
        settings: of the run, once it is open.
        plan: of the run.
        brought: what a built-in subject brings along.
    """
    found: dict[tuple[str, ...], list[str]] = {}
    for requirement in requirements:
        lacking = tuple(
            it for it in requirement.needs if it not in brought and not given(it, settings, plan)
        )
        if lacking:
            found.setdefault(lacking, []).append(requirement.id)
    return {lacking: tuple(ids) for lacking, ids in found.items()}


def given(need: str, settings: Settings, plan: Plan) -> bool:
    """Say whether a need of the catalogue is met, or declared absent."""
    if need.startswith("hooks."):
        name = need.removeprefix("hooks.")
        absent = ABSENCE_OF.get(name, "") in settings.absent
        return absent or getattr(settings.hooks, name, None) is not None
    if need.startswith(_ADAPTER):
        return need.removeprefix(_ADAPTER) in plan.agent_offers
    if need in _ASKED:
        return _ASKED[need](settings, plan)
    return bool(getattr(settings, _KEY_OF.get(need, need), None))


def how_to_give(need: str) -> str:
    """Say what the tester sets to meet a need."""
    if need.startswith("hooks."):
        absence = ABSENCE_OF.get(need.removeprefix("hooks."))
        return need + (f" (or declare absent.{absence} with a reason)" if absence else "")
    if need.startswith(_ADAPTER):
        return f"{need.removeprefix(_ADAPTER)} of the agent's adapter"
    if need == "E2E_BRAND_DOMAIN":
        return "E2E_BRAND_DOMAIN (or declare absent.brand_domain with a reason)"
    if need == "PA_PRIVATE_JWK":
        return "an RS256 key in PA_PRIVATE_JWK, if one is registered"
    return need


def algs(plan: Plan) -> tuple[str, ...]:
    """Return the algorithms of the caller's keys, each once."""
    if plan.primary is None:
        return ()
    return tuple(dict.fromkeys(key.alg for key in keys_from_json(plan.primary.keys)))


# Needs that are more than that a setting is set.
_ASKED: Mapping[str, Callable[[Settings, Plan], bool]] = {
    "E2E_APPROVER=form": lambda settings, _: settings.approver == "form",
    "E2E_BRAND_DOMAIN": lambda settings, _: (
        settings.brand_domain_card_url is not None or "brand_domain" in settings.absent
    ),
    "PA_PRIVATE_JWK": lambda _, plan: "RS256" in algs(plan),
    "PA_OTHER_ISSUER": lambda _, plan: plan.other is not None,
    "PA_OTHER_PRIVATE_JWK": lambda _, plan: plan.other is not None,
    "PA_DISABLED_ISSUER": lambda _, plan: plan.disabled is not None,
    "PA_SPARE_ISSUER": lambda _, plan: "unreachable" in plan.spares,
    "PA_SPARE_PRIVATE_JWK": lambda _, plan: "unreachable" in plan.spares,
    # Not to state one says that the Provider takes nobody whom it has not registered.
    "PA_OPEN_AUDIENCE": lambda *_: True,
    "PA_DISABLED_PRIVATE_JWK": lambda _, plan: plan.disabled is not None,
}
