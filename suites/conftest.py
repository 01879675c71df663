"""Hands the rig's fixtures to the checks, and to nobody else."""

from pact_conformance.rig import (
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
)

__all__ = [
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
]
