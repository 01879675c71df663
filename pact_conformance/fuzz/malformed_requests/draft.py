"""A request while it is being changed: everything that goes on the wire, each part by itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.malformed_requests.written import Style, write
from pact_conformance.subject.operations import SEND, Operation
from pact_conformance.wire.media_types import JSON

Layer: TypeAlias = Literal["a2a", "http"]
"""Who has a say in the answer: the Provider alone, or any server in front of it as well."""

BEARER = "Bearer $PA_JWT"
"""Stands for the Authorization header's value until the token is made."""

BLANK = " "


@dataclass
class Draft:
    """A request that A2A knows, until something in it is changed."""

    interface: str
    """The interface URL."""
    reason: str
    """What the request gets where it is read as it is meant; empty for a list, which is served."""
    document: Any = None
    """The body as a value; None where there is none."""
    tenant: Mapping[str, str] = field(default_factory=dict)
    operation: Operation = SEND
    method: str = SEND.method
    task: str = "t-unknown"
    """The id in the path, percent-encoded."""
    path: Callable[[str], str] = str
    """Rewrites what stands below the interface URL."""
    query: list[str] = field(default_factory=list)
    """What stands between the ampersands of the query, percent-encoded."""
    headers: list[tuple[str, str]] = field(
        default_factory=lambda: [
            ("Authorization", BEARER),
            ("A2A-Version", "1.0"),
            ("Content-Type", JSON),
        ]
    )
    style: Style = field(default_factory=Style)
    text: Callable[[str], str] = str
    """Rewrites the body's text."""
    encode: Callable[[str], bytes] = lambda text: text.encode("utf-8", "surrogatepass")
    """Makes bytes of it."""
    layer: Layer = "a2a"
    reasons: set[str] = field(default_factory=set)
    """Further reasons that a refusal may have."""
    bare: set[int] = field(default_factory=set)
    """Statuses that are right without an A2A error, 413 for what is long for instance."""
    asks: bool = False
    """Whether it has a method with which HTTP itself may answer 2xx, as it does to OPTIONS."""
    of_scheme: bool = False
    """Whether 401 is how it may be refused: its scheme is spelt otherwise."""
    unrouted: bool = False
    """Whether it is no operation of A2A any more, by its method or its path."""
    page_size: int | None = None
    """The good page size that a list asks for."""

    @property
    def message(self) -> dict[str, Any]:
        """The message of the body.

        Raises:
            Impossible: the request has none.
        """
        return self.member("message")

    @property
    def part(self) -> dict[str, Any]:
        """The message's first part; raises as `message`."""
        parts = self.message.get("parts")
        if not isinstance(parts, list) or not parts or not isinstance(parts[0], dict):
            raise Impossible("the message has no part")
        found: dict[str, Any] = parts[0]
        return found

    def member(self, name: str) -> dict[str, Any]:
        """Return an object in the body; it is made where it is missing.

        Raises:
            Impossible: there is no such place.
        """
        if not isinstance(self.document, dict) or self.operation is not SEND:
            raise Impossible("the request has no message")
        found = self.document.setdefault(name, {})
        if not isinstance(found, dict):
            raise Impossible(f"{name} is no object")
        made: dict[str, Any] = found
        return made

    def at(self, place: str) -> dict[str, Any]:
        """Return the request, its message, its first part, or the metadata of one of them.

        Raises:
            Impossible: there is no such place.
        """
        holder, _, inner = place.partition(".")
        found = self.document
        if holder != "request":
            found = self.message if holder == "message" else self.part
        if not isinstance(found, dict) or self.operation is not SEND:
            raise Impossible("the request has no message")
        made: dict[str, Any] = found.setdefault(inner, {}) if inner else found
        return made

    def blank(self) -> None:
        """Make the message one of blank text and nothing else: then nothing else can be served."""
        self.message.pop("taskId", None)
        self.message["parts"] = [{"text": BLANK}]
        self.reason = "INVALID_PARAMS"

    def set_header(self, name: str, *values: str) -> None:
        """Give a header these values, a line each; it stays where it is.

        Raises:
            Impossible: it would change nothing.
        """
        place = next(
            (at for at, (it, _) in enumerate(self.headers) if it.lower() == name.lower()),
            len(self.headers),
        )
        rest = [it for it in self.headers if it[0].lower() != name.lower()]
        lines = [(name, value) for value in values]
        changed = [*rest[:place], *lines, *rest[place:]]
        if changed == self.headers:
            raise Impossible("it would change nothing")
        self.headers = changed

    @property
    def url(self) -> str:
        """Where the request goes."""
        below = self.operation.path.replace("{id}", self.task)
        url = f"{self.interface.removesuffix('/')}/{self.path(below)}"
        return f"{url}?{'&'.join(self.query)}" if self.query else url

    @property
    def content(self) -> bytes | None:
        """The body as it goes on the wire."""
        if self.document is None:
            return None
        return self.encode(self.text(write(self.document, self.style)))
