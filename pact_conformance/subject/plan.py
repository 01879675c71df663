"""What the controller tells each worker: whom to play, what the preflight saw, where to write.

It crosses execnet's pipe as JSON and never a disk: it holds the callers' private keys.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

from pact_conformance.subject.findings import Finding
from pact_conformance.subject.preflight import Preflight
from pact_conformance.subject.stage import StageAddress


@dataclass(frozen=True)
class Registration:
    """A personal agent that the Provider knows: its issuer, audience and private key(s)."""

    issuer: str
    audience: str
    keys: str = field(repr=False)
    """JWK or JWK Set as JSON text."""


Purpose = Literal["rotating", "assorted", "unreachable", "disabling", "advising"]


@dataclass(frozen=True)
class Spare:
    """A registration that a check may change: its keys, or whether it is enabled."""

    registration: Registration
    name: str
    """What the run's JWKS server calls it; registrations of one name are one."""


@dataclass(frozen=True)
class Plan:
    """Everything that a process needs to run checks."""

    primary: Registration | None = None
    other: Registration | None = None
    disabled: Registration | None = None
    spares: Mapping[Purpose, Spare] = field(default_factory=dict)
    """Registrations by what a check does to them; one may stand for several purposes."""
    stray: Registration | None = None
    """A registered issuer with a key that is published, but not at the registered URL."""
    stranger: Registration | None = None
    """An issuer that nobody registered, and that serves its keys by OIDC discovery."""
    jwks_control: str | None = None
    """Where the sets change that this run serves; None when it serves none."""
    clock_card: str | None = None
    """The card of the built-in Brand whose clock the suite may move; None elsewhere."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings that the built-in Provider brings along, its addresses above all."""
    stage: StageAddress | None = None
    """Where a personal agent under test acts; None where there is none."""
    agent_offers: tuple[str, ...] = ()
    """The operations that the adapter of the agent under test offers."""
    agent_finding: Finding | None = None
    """What keeps the agent under test from being tested."""
    preflight: Preflight = field(default_factory=Preflight)
    seed: str = ""
    """Makes the `sub` of each User of this run, the same in every process."""

    @property
    def findings(self) -> dict[str, Finding]:
        """What keeps a subject from being tested, by its role."""
        found = {"provider": self.preflight.finding, "personal-agent": self.agent_finding}
        return {role: it for role, it in found.items() if it is not None}

    @property
    def registrations(self) -> tuple[Registration, ...]:
        """Everybody whom the suite plays."""
        spares = {spare.name: spare.registration for spare in self.spares.values()}
        known = (self.primary, self.other, self.disabled, self.stray, self.stranger)
        return (*(it for it in known if it is not None), *spares.values())

    def to_text(self) -> str:
        """Return the plan as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read it back."""
        data: dict[str, Any] = json.loads(text)
        for who in ("primary", "other", "disabled", "stray", "stranger"):
            data[who] = None if data[who] is None else Registration(**data[who])
        data["spares"] = {
            purpose: Spare(Registration(**spare["registration"]), spare["name"])
            for purpose, spare in data["spares"].items()
        }
        data["stage"] = None if data["stage"] is None else StageAddress(**data["stage"])
        data["agent_offers"] = tuple(data["agent_offers"])
        data["agent_finding"] = Finding.from_json(data["agent_finding"])
        data["preflight"] = Preflight.from_json(data["preflight"])
        return cls(**data)
