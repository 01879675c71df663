"""Families of checks: one function, parametrized over the cases that are data."""

import pytest

from pact_conformance.tokens.forgeries import load as load_forgeries
from pact_conformance.wire.bodies import load as load_bodies


def requirement(*ids: str) -> pytest.MarkDecorator:
    """Say which requirements a check decides.

    The mark is made when it is used: pytest knows it only where the suites are run.
    """
    return pytest.mark.requirement(*ids)


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
