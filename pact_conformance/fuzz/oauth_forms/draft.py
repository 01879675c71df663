"""A request to an OAuth endpoint while it is being changed: its form, and what stands around it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from urllib.parse import quote

from pact_conformance.fuzz.family import Impossible
from pact_conformance.wire.media_types import FORM
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT

Endpoint: TypeAlias = Literal["token", "refresh", "device"]
Pair: TypeAlias = tuple[str, str]
Write: TypeAlias = Callable[[Sequence[Pair]], bytes]

RESULT = "a result"
"""Stands for 200 with codes or a token, where an OAuth error's code stands for the error."""

PENDING = frozenset({"authorization_pending", "slow_down"})
"""What a device code gets that is known and not decided (RFC 8628 §3.5)."""


def plainly(pairs: Sequence[Pair]) -> bytes:
    """Write a form as the specification's examples are written."""
    return "&".join(f"{escaped(name)}={escaped(value)}" for name, value in pairs).encode()


def escaped(text: str) -> str:
    """Percent-encode a name or a value."""
    return quote(text, safe="", errors="surrogatepass")


@dataclass(frozen=True)
class Known:
    """What there is at the Brand: who asks, what it may ask for, and codes that nobody issued."""

    issuer: str
    """Of the personal agent that asks."""
    other: str
    """Of another one."""
    scopes: tuple[str, ...]
    """All ids on the card."""
    unknown_scope: str
    unknown_code: str
    pending: Callable[[], tuple[str, str]]
    """Returns the device code and the user code of a flow that nobody decides."""
    of_nothing: Callable[[Endpoint], str]
    """Returns the code that an endpoint answers to an empty form; empty where it is no OAuth's."""
    unknown: frozenset[str] = frozenset({"invalid_grant", "expired_token"})
    """What a poll with a code gets that nobody issued (5.3-unknown-device-code)."""


@dataclass
class Draft:
    """A good form, until something in it is changed."""

    known: Known
    refused: bool
    """Whether it is to be refused: only then it may ask for what would be granted."""
    endpoint: Endpoint = "token"
    pairs: list[Pair] = field(default_factory=list)
    write: Write = plainly
    content_type: str | None = FORM
    headers: list[Pair] = field(default_factory=list)
    query: list[str] = field(default_factory=list)
    method: str = "POST"
    of_http: bool = False
    """Whether any server in front of the Provider has a say in the answer."""
    accepted: frozenset[str] = frozenset()
    """The codes that show that the form was read as it is meant; none: nothing shows it."""
    refusals: frozenset[str] | None = None
    """The codes that a refusal has; None: any."""
    bare: set[int] = field(default_factory=set)
    """Statuses that are right without an OAuth error."""

    def __post_init__(self) -> None:
        self.aim("token")

    def aim(self, endpoint: Endpoint) -> None:
        """Make it a good form for an endpoint, which names a code or a scope that there is not."""
        self.endpoint = endpoint
        client = ("client_id", self.known.issuer)
        if endpoint == "device":
            # Where it is to be refused nothing but the change may be the reason.
            scopes = [self.known.scopes[0], *([] if self.refused else [self.known.unknown_scope])]
            self.pairs = [client, ("scope", " ".join(scopes))]
            self.accepted = frozenset({RESULT} if self.refused else {"invalid_scope"})
            return
        name = "device_code" if endpoint == "token" else "refresh_token"
        kind = DEVICE_CODE_GRANT if endpoint == "token" else REFRESH_TOKEN_GRANT
        self.pairs = [("grant_type", kind), (name, self.known.unknown_code), client]
        # What an unknown refresh token gets is not said; what a poll with an unknown code gets is.
        self.accepted = self.known.unknown if endpoint == "token" else frozenset()

    def get(self, name: str) -> str:
        """Return the value of a parameter.

        Raises:
            Impossible: the form has none of the name.
        """
        found = next((value for it, value in self.pairs if it == name), None)
        if found is None:
            raise Impossible(f"the form has no {name}")
        return found

    def set(self, name: str, *values: str) -> None:
        """Give a parameter these values, in its place; without one it is left out.

        Raises:
            Impossible: it would change nothing, or the form has none of the name.
        """
        place = self.pairs.index((name, self.get(name)))
        rest = [it for it in self.pairs if it[0] != name]
        changed = [*rest[:place], *((name, value) for value in values), *rest[place:]]
        if changed == self.pairs:
            raise Impossible("it would change nothing")
        self.pairs = changed

    @property
    def content(self) -> bytes:
        """The body as it goes on the wire."""
        return self.write(self.pairs)

    @property
    def lines(self) -> list[Pair]:
        """The headers behind Authorization."""
        types = [] if self.content_type is None else [("Content-Type", self.content_type)]
        return [*types, *self.headers]
