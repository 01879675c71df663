"""A token while it is being changed: everything that goes into it, each part by itself."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import Segments, json_text, sign
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.keys import SigningKey


@dataclass
class Member:
    """One member of a JSON object, both parts as JSON text: or as what is no JSON at all."""

    name: str
    value: str


@dataclass
class Members:
    """A JSON object in the order in which it is written; names may stand in it twice."""

    all: list[Member] = field(default_factory=list)
    opening: str = "{"
    comma: str = ","
    colon: str = ":"
    closing: str = "}"

    def __getitem__(self, name: str) -> Member:
        """Return the first member of a name.

        Raises:
            KeyError: there is none.
        """
        found = next((it for it in self.all if json.loads(it.name) == name), None)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: str) -> bool:
        return any(json.loads(it.name) == name for it in self.all)

    def set(self, name: str, value: object) -> None:
        """Give a member a value; it is added at the end where it is missing."""
        self.write(name, json_text(value))

    def write(self, name: str, text: str) -> None:
        """Give a member this text for its value, JSON or not."""
        if name in self:
            self[name].value = text
        else:
            self.add(name, text)

    def add(self, name: str, text: str, *, first: bool = False) -> None:
        """Add a member, whether there is one of that name or not."""
        self.all.insert(0 if first else len(self.all), Member(json_text(name), text))

    def remove(self, name: str) -> None:
        """Take a member out."""
        self.all = [it for it in self.all if json.loads(it.name) != name]

    @property
    def text(self) -> str:
        """The object as JSON."""
        members = self.comma.join(f"{it.name}{self.colon}{it.value}" for it in self.all)
        return f"{self.opening}{members}{self.closing}"


def _same(text: str) -> str:
    return text


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@dataclass
class Draft:
    """A good token of a caller's, until something in it is changed."""

    caller: Caller
    other: Caller | None
    """A second registered personal agent, if there is one."""
    key: SigningKey
    now: int
    uncertainty: float
    """How far the Provider's clock may be from ours, in seconds."""
    header: Members
    claims: Members
    sign: Callable[[bytes], bytes]
    header_bytes: Callable[[str], bytes] = _bytes
    claims_bytes: Callable[[str], bytes] = _bytes
    header_segment: Callable[[str], str] = _same
    claims_segment: Callable[[str], str] = _same
    """Rewrite a segment before it is signed."""
    signature_segment: Callable[[str], str] = _same
    presented: Callable[["Draft"], None] | None = None
    """Changes members once they are signed."""
    join: Callable[[Segments], str] = str
    use_within: float | None = None
    """For how many seconds what is due stays due; None where time plays no part."""

    @property
    def text(self) -> str:
        """The token."""
        header, claims = self._segments()
        signature = self.signature_segment(
            base64url.encode(self.sign(f"{header}.{claims}".encode()))
        )
        if self.presented is not None:
            self.presented(self)
            header, claims = self._segments()
        return self.join(Segments(header, claims, signature))

    def _segments(self) -> tuple[str, str]:
        header = self.header_segment(base64url.encode(self.header_bytes(self.header.text)))
        claims = self.claims_segment(base64url.encode(self.claims_bytes(self.claims.text)))
        return header, claims


def members(values: dict[str, object]) -> Members:
    """Return members with these values."""
    return Members([Member(json_text(name), json_text(it)) for name, it in values.items()])


def signer(key: SigningKey) -> Callable[[bytes], bytes]:
    """Return what signs with a key."""
    return lambda signing_input: sign(key, signing_input)
