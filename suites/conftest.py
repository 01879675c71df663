"""Hands the rig's fixtures to the checks, and to nobody else; leaves out what is not asked for."""

from pathlib import Path

import pytest

from pact_conformance.rig import RIG
from pact_conformance.rig_fixtures import (
    agent,
    caller,
    card,
    delegation,
    gate,
    other_caller,
    other_card,
    pact_rig,
    preflight,
    provider,
    settings,
    stage,
)

__all__ = [
    "agent",
    "caller",
    "card",
    "delegation",
    "gate",
    "other_caller",
    "other_card",
    "pact_rig",
    "preflight",
    "provider",
    "settings",
    "stage",
]

_HARDENING = Path(__file__).with_name("hardening")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the hardening pack, so that nothing of it is imported, unless it is asked for."""
    if collection_path != _HARDENING:
        return None
    rig = config.stash.get(RIG, None)
    if rig is not None:
        return None if rig.settings.hardening else True
    return None if getattr(config.option, "pact_hardening", None) else True
