"""One statement of the specification."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["MUST", "SHOULD", "MAY"]
Role = Literal["provider", "personal-agent"]
Profile = Literal["identity", "delegated"]
Observed = Literal["outside", "given", "not"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One statement of PACT 1.0, its level, whom it binds, and how it is seen to be kept.

    A statement without a keyword of RFC 2119 binds like a MUST. `needs` names what a tester gives
    beyond what every check of the role needs. A `rule` is decided over every exchange of a run; a
    `planned` row has no check yet. `reason` says why a row cannot be observed from outside.
    """

    id: str
    section: str
    level: Level
    role: Role
    profile: Profile
    statement: str
    observed: Observed
    needs: tuple[str, ...] = ()
    sent: str = ""
    expected: str = ""
    pitfalls: str = ""
    reason: str = ""
    planned: bool = False
    rule: bool = False
