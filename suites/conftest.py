"""Hands the rig's fixtures to the checks, and to nobody else."""

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
