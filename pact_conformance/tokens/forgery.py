"""A forgery as the data describes it: a token with exactly one thing wrong."""

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.jwks_server import JwksServer

Result = Literal["refused", "accepted", "either", "warn-if-accepted", "warn-if-refused"]


class UnforgeableError(Exception):
    """The forgery cannot be made of this caller: the change would change nothing."""


@dataclasses.dataclass(frozen=True)
class Forgery:
    """One row of the data."""

    id: str
    comment: str
    """What is wrong and why it matters, or why it is fine."""
    requirement: tuple[str, ...]
    """The requirements that it shows."""
    result: Result
    field: str
    """The one thing it changes: `header.<name>`, `claims.<name>`, the whole `header` or `claims`,
    `signature`, or `serialisation`."""
    change: Mapping[str, Any] = dataclasses.field(hash=False)
    """How it is made."""
    family: str
    """The file it stands in."""
    needs: tuple[str, ...] = ()
    """What it takes: `es256`, `rs256`, `published:<alg>`, `other-caller`, `jku-server`."""
    beside: tuple[str, ...] = ()
    """Members that have to change along, which by themselves a Provider may not mind."""
    control: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    """How its control is made: `alg`, `at`, `lifetime`, `caller`; by default a plain good token."""
    margin: float | None = None
    """Seconds by which a time lies beyond what skew excuses; it shrinks while the token travels."""

    def lacks(
        self, caller: Caller, other: Caller | None = None, server: JwksServer | None = None
    ) -> tuple[str, ...]:
        """Return the needs that are not met."""
        held = {f"published:{key.alg}" for key in caller.keys}
        held |= {key.alg.lower() for key in caller.keys}
        held |= {"other-caller"} if other is not None else set()
        held |= {"jku-server"} if server is not None else set()
        return tuple(need for need in self.needs if need not in held)
