"""A scene while it is being changed: each answer that a Brand gives in it, by itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pact_conformance.fuzz.hostile_answers.writing import PLAIN, Manner, written
from pact_conformance.tokens.assemble import Signer
from pact_conformance.wire.errors import envelope
from pact_conformance.wire.media_types import A2A_JSON, JSON

Area: TypeAlias = Literal[
    "card", "offer", "metadata", "device", "token", "reply", "closing", "step-up", "receipt",
    "keys", "error",
]  # fmt: skip
"""What changes are about; the first part of a slot names it. `offer` is the card's delegation."""

DELEGATED: frozenset[Area] = frozenset(
    {"offer", "metadata", "device", "token", "step-up", "receipt", "keys"}
)
"""What is met only by an agent that is signed in."""

SAID = "The blue umbrella stand is in the hall on the left."
"""What a Brand's agent replies."""

NOT_SAID = "The grey umbrella stand has been sold to a collector."
"""What stands in an answer that is no reply, whatever it looks like."""


@dataclass
class Answered:
    """One answer of a Brand."""

    document: Any
    content_type: str = JSON
    status: int = 200
    headers: dict[str, str | list[str]] = field(default_factory=dict)
    manner: Manner = PLAIN
    rewrite: Callable[[str], str] | None = None
    """Changes the text that the document was written as."""
    close: bool = False

    @property
    def text(self) -> str:
        """The body."""
        text = written(self.document, self.manner)
        return text if self.rewrite is None else self.rewrite(text)

    def scripted(self, *, always: bool = True) -> dict[str, Any]:
        """Return it as a script of the stage has it."""
        if self.close:
            return {"close": True, "always": always}
        body = {"status": self.status, "text": self.text, "headers": self.headers}
        return {**body, "contentType": self.content_type, "always": always}


def a2a(document: object) -> Answered:
    """Return an answer of an A2A operation."""
    return Answered(document, A2A_JSON)


@dataclass(frozen=True)
class Names:
    """Where everything of a scene is, known before its Brand is opened."""

    folder: str
    """A path that the Brand has for itself."""
    base: str
    other: str | None

    @property
    def interface(self) -> str:
        """The interface URL."""
        return f"{self.base}{self.folder}/brand"

    @property
    def card(self) -> str:
        """The path of the card."""
        return f"{self.folder}/card.json"

    def endpoint(self, name: str) -> str:
        """Return the URL of an OAuth endpoint where the Brand usually has it."""
        return f"{self.interface}/oauth/{name}"

    def elsewhere(self, what: str, *, far: bool = False) -> str:
        """Return a URL where nobody has any business: of this Brand's, and if far of another host.

        Where the stage has one host alone, nothing is far.
        """
        host = self.other if far and self.other is not None else self.base
        return f"{host}{self.folder}/elsewhere/{what}"


@dataclass
class Receipt:
    """A receipt, each part by itself (§5.6)."""

    header: dict[str, Any]
    payload: dict[str, Any]
    claims: Any
    sign: Signer
    payload_manner: Manner = PLAIN
    signature: Callable[[bytes], bytes] | None = None
    """Changes the signature."""
    join: Callable[[str], str] | None = None
    """Changes the compact JWS."""
    whole: Callable[[dict[str, Any]], Any] | None = None
    """Changes what stands under `pact.receipt`."""


@dataclass
class Draft:
    """A good scene, until something in it is changed."""

    names: Names
    card: Answered
    metadata: Answered
    device: Answered
    token: Answered
    second_device: Answered
    second_token: Answered
    """What the flow after a step-up gets."""
    reply: Answered
    step_up: Answered
    keys: Answered
    receipt: Receipt
    pending: list[Answered] = field(default_factory=list)
    """What polls get before the token comes."""
    error: Answered | None = None
    """What a message gets in place of the reply."""
    refresh: Answered | None = None
    """What the token endpoint answers once it has given the token."""
    closing: Answered | None = None
    """What the second message gets: its conversation is closed."""
    goes_on: bool = False
    """A second turn of the conversation follows."""
    opened: frozenset[str] = frozenset()
    """URLs elsewhere to which requests with the agent's JWT may go, as a document names them."""

    def answered(self, name: str) -> Answered:
        """Return one of the answers by its name."""
        found = getattr(self, name.replace("-", "_"))
        assert isinstance(found, Answered)
        return found


def closed(draft: Draft) -> None:
    """Have the conversation closed behind its first turn."""
    if draft.closing is None:
        said = "This conversation has ended."
        draft.closing = a2a(envelope("UNSUPPORTED_OPERATION", said))
        draft.closing.status = 400


def areas_of(slots: Sequence[str]) -> frozenset[Area]:
    """Return what slots are about."""
    return frozenset(slot.partition(".")[0] for slot in slots)  # type: ignore[misc]
