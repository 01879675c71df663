"""Hands the rig's fixtures to the checks, and to nobody else."""

from pact_conformance.rig import (
    caller,
    card,
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
    "gate",
    "other_caller",
    "other_card",
    "pact_rig",
    "preflight",
    "provider",
    "settings",
]
