"""Families of checks: one function, parametrized over the cases that are data."""

from collections.abc import Callable
from typing import TypeVar

import pytest

from pact_conformance.tokens import delegation_forgeries
from pact_conformance.tokens.forgeries import load as load_forgeries
from pact_conformance.wire.bodies import load as load_bodies


def requirement(*ids: str) -> pytest.MarkDecorator:
    """Say which requirements a check decides.

    The mark is made when it is used: pytest knows it only where the suites are run.
    """
    return pytest.mark.requirement(*ids)


def advice(identifier: str) -> pytest.MarkDecorator:
    """Say which advice beyond the specification a check measures; no profile rests on it.

    It is collected where the run is to have the hardening pack.
    """
    return pytest.mark.advice(identifier)


Check = TypeVar("Check", bound=Callable[..., None])


def fuzzed(family: str, *requirements: str) -> Callable[[Check], Check]:
    """Say that a check tries many examples of a family, and what these have to do with.

    It is collected where the run is to fuzz. It decides nothing by itself: each cause that it finds
    is told under the requirement that it breaks.
    """

    def mark(check: Check) -> Check:
        cited: Check = requirement(*requirements)(check)
        marked: Check = pytest.mark.fuzz(family)(cited)
        return marked

    return mark


def forged(*requirements: str) -> pytest.MarkDecorator:
    """Parametrize a check over the forgeries that these requirements come first for."""
    return pytest.mark.parametrize(
        "forgery",
        [
            pytest.param(forgery, id=forgery.id, marks=requirement(*forgery.requirement))
            for cited in requirements
            for forgery in load_forgeries(cited)
            if forgery.requirement[0] == cited
        ],
    )


def shaped(*requirements: str) -> pytest.MarkDecorator:
    """Parametrize a check over the bodies that these requirements come first for.

    Bodies that a Provider may as well serve are left out: each would be a turn, and whatever came
    of it would be right.
    """
    return pytest.mark.parametrize(
        "body",
        [
            pytest.param(body, id=body.id, marks=requirement(*body.requirement))
            for cited in requirements
            for body in load_bodies(cited)
            if body.requirement[0] == cited and body.served in {"never", "warn"}
        ],
    )


# One forgery for each rule of §3.2: where the same gate stands at another door.
AT_OTHER_DOORS = (
    "alg-none-unsigned",
    "aud-empty",
    "aud-array-of-two",
    "compact-two-segments",
    "crit-unknown",
    "embedded-jwk",
    "exp-expired-an-hour",
    "exp-missing",
    "iat-missing",
    "iss-unresolvable",
    "kid-unknown-by-stranger",
    "lifetime-hour",
    "signature-by-stranger",
    "signature-sub-altered",
    "sub-missing",
)


def forged_at_another_door() -> pytest.MarkDecorator:
    """Parametrize a check over a forgery of each kind: the gate of §3.2 is judged elsewhere."""
    known = {forgery.id: forgery for forgery in load_forgeries()}
    return pytest.mark.parametrize(
        "forgery", [pytest.param(known[it], id=it) for it in AT_OTHER_DOORS]
    )


def delegation_forged(cited: str) -> pytest.MarkDecorator:
    """Parametrize a check over forged delegation tokens that show a requirement (§5.5)."""
    return pytest.mark.parametrize(
        "forgery",
        [pytest.param(it, id=it.id) for it in delegation_forgeries.load_forgeries(cited)],
    )


def delegation_headed(cited: str) -> pytest.MarkDecorator:
    """Parametrize a check over values of the delegation header that should be refused.

    Those that a Provider may as well serve are left out: each would be a turn, and whatever came of
    it would be right.
    """
    return pytest.mark.parametrize(
        "header",
        [
            pytest.param(it, id=it.id)
            for it in delegation_forgeries.load_headers(cited)
            if it.result != "either"
        ],
    )
