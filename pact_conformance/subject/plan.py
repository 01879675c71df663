"""What the controller tells each worker: whom to play, what the preflight saw, where to write.

It crosses execnet's pipe as JSON and never a disk: it holds the callers' private keys.
"""

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from pact_conformance.subject.preflight import Preflight


@dataclass(frozen=True)
class Registration:
    """A personal agent that the Provider knows: its issuer, audience and private key(s)."""

    issuer: str
    audience: str
    keys: str = field(repr=False)
    """JWK or JWK Set as JSON text."""


@dataclass(frozen=True)
class Plan:
    """Everything that a process needs to run checks."""

    primary: Registration | None = None
    other: Registration | None = None
    disabled: Registration | None = None
    preflight: Preflight = field(default_factory=Preflight)
    seed: str = ""
    """Makes the `sub` of each User of this run, the same in every process."""

    def to_text(self) -> str:
        """Return the plan as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read it back."""
        data: dict[str, Any] = json.loads(text)
        for who in ("primary", "other", "disabled"):
            data[who] = None if data[who] is None else Registration(**data[who])
        data["preflight"] = Preflight.from_json(data["preflight"])
        return cls(**data)
