"""What the suite says to the Brand's agent: every turn of PACT Identity, held once for all checks.

Each legal way to send a message that has to reach the agent to show anything rides on a turn of its
own, so that a refusal has one possible cause. The texts are short and ask for nothing that would
need a scope.
"""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from pact_conformance.expect import settled
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import conversation
from pact_conformance.subject.provider import GREETING, Provider
from pact_conformance.verdicts import Untested
from pact_conformance.wire.errors import read_envelope
from pact_conformance.wire.media_types import A2A_JSON
from pact_conformance.wire.messages import new_id

CONTINUATION = "Where is it now?"

# What opens a second conversation, and is repeated in it.
ANOTHER_MATTER = "Another matter: how do I return something?"


@dataclass(frozen=True)
class Turn:
    """One message and its answer."""

    user: str
    message_id: str
    answer: Answer

    def must_be_served(self) -> None:
        """End what stands on this turn if it was not served: nothing would follow from the rest.

        Raises:
            Untested: it was refused; §4.1's check of the minimal message says so.
        """
        status = settled(self.answer).status
        if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            raise Untested(
                f"an ordinary message got {status}, so this would show nothing",
                do="see 4.1-minimal-message",
            )

    def must_not_be_closed(self) -> None:
        """End what stands on this turn if its conversation was closed before, as it may be.

        Raises:
            Untested: it was.
        """
        refusal = read_envelope(settled(self.answer).json)
        if refusal is not None and refusal.reason == "UNSUPPORTED_OPERATION":
            raise Untested(
                "the conversation was closed with its first reply",
                do="have the Brand's agent leave a conversation open in which more may be asked",
            )

    @property
    def context_id(self) -> str:
        """The contextId of the reply.

        Raises:
            Untested: there is none to go on from; the checks of §4.2 say why.
        """
        self.must_be_served()
        found = context_of(self.answer)
        if not found:
            raise Untested("it goes on from a reply, and the reply has no contextId")
        return found


def context_of(answer: Answer) -> str | None:
    """Return the contextId of a reply or a task, wherever the answer has it."""
    body: Any = answer.json
    if not isinstance(body, dict):
        return None
    for name in ("message", "task"):
        held = body.get(name)
        if isinstance(held, dict) and isinstance(held.get("contextId"), str):
            return str(held["contextId"])
    return None


def say(provider: Provider, user: str, text: str = GREETING, **parts: Any) -> Turn:  # noqa: ANN401
    """Send a message as a User and keep what belongs to it."""
    message_id = new_id()
    answer = provider.send(text, user=user, message_id=message_id, **parts)
    return Turn(user, message_id, answer)


@conversation(turns=1)
def opening(provider: Provider) -> Turn:
    """The minimal message of §4, from a User of its own."""
    return say(provider, "opening")


@conversation(turns=1)
def continued(provider: Provider, opening: Turn) -> Turn:
    """A second message in the conversation that the first one opened."""
    return say(provider, opening.user, CONTINUATION, context_id=opening.context_id)


@conversation(turns=1)
def second_opening(provider: Provider, opening: Turn) -> Turn:
    """Another message without a contextId, from the same User."""
    opening.must_be_served()
    return say(provider, opening.user, ANOTHER_MATTER)


@conversation(turns=1)
def without_version(provider: Provider, opening: Turn) -> Turn:
    """A message without the A2A-Version header."""
    opening.must_be_served()
    return say(provider, "without-version", headers={"A2A-Version": None})


@conversation(turns=1)
def other_version(provider: Provider, opening: Turn) -> Turn:
    """A message that asks for a version of A2A that nobody has."""
    opening.must_be_served()
    return say(provider, "other-version", headers={"A2A-Version": "9.9"})


@conversation(turns=1)
def a2a_media_type(provider: Provider, opening: Turn) -> Turn:
    """A message sent as A2A's own media type."""
    opening.must_be_served()
    return say(provider, "a2a-media-type", headers={"Content-Type": A2A_JSON})


@conversation(turns=1)
def unknown_members(provider: Provider, opening: Turn) -> Turn:
    """A message with members that A2A does not know, on every level."""
    opening.must_be_served()
    return say(
        provider,
        "unknown-members",
        message={
            "parts": [{"text": GREETING, "x-unknown": [1, {"a": None}]}],
            "x-unknown": {"deep": [True]},
        },
        request={"x-unknown": "ignored"},
    )


@conversation(turns=1)
def unicode_text(provider: Provider, opening: Turn) -> Turn:
    """A message with accents, other scripts and characters beyond the basic plane."""
    opening.must_be_served()
    text = "Grüße! 你好 مرحبا 👋🏽 \U0001d4aarder \U0001d7da?"
    return say(provider, "unicode-text", text)


@conversation(turns=1)
def optional_members(provider: Provider, opening: Turn) -> Turn:
    """A message with every optional member that changes nothing about what it says."""
    opening.must_be_served()
    return say(
        provider,
        "optional-members",
        message={
            "parts": [
                {"text": GREETING, "mediaType": "text/plain", "metadata": {"draft": False}},
                {"text": "It is not urgent."},
            ],
            "metadata": {"locale": "en"},
            "extensions": [],
        },
        request={"metadata": {"trace": "t-1"}},
    )


@conversation(turns=1)
def configured(provider: Provider, opening: Turn) -> Turn:
    """A message whose configuration asks for what every synchronous reply gives."""
    opening.must_be_served()
    return say(
        provider,
        "configured",
        request={"configuration": {"acceptedOutputModes": ["text/plain"], "historyLength": 0}},
    )


@conversation(turns=1)
def returning_immediately(provider: Provider, opening: Turn) -> Turn:
    """A message whose configuration asks not to wait."""
    opening.must_be_served()
    return say(
        provider,
        "returning-immediately",
        request={"configuration": {"returnImmediately": True}},
    )


@conversation(turns=1)
def blank_beside_text(provider: Provider, opening: Turn) -> Turn:
    """A message with a blank text part before a good one."""
    opening.must_be_served()
    return say(
        provider, "blank-beside-text", message={"parts": [{"text": " "}, {"text": GREETING}]}
    )


@conversation(turns=1)
def refused_to_a_stranger(provider: Provider, continued: Turn, retried: object) -> Answer:
    """Another User of the same personal agent names the context: no turn unless it is let in."""
    del retried
    return provider.send(
        "What did I ask before?",
        user="stranger",
        context_id=continued.context_id,
        message_id=id_of_strangers(continued),
        turn=False,
    )


def id_of_strangers(continued: Turn) -> str:
    """Return the messageId that all strangers use in the owner's conversation."""
    return f"{continued.message_id}-s"


@conversation(turns=1)
def owner_after_the_stranger(provider: Provider, continued: Turn, owners_retry: Answer) -> Turn:
    """The owner goes on in the conversation that strangers were refused, under their messageId.

    What was refused is no message of the conversation, so its id is free there (§4.1).
    """
    del owners_retry
    message_id = id_of_strangers(continued)
    answer = provider.send(
        "Thank you.", user=continued.user, context_id=continued.context_id, message_id=message_id
    )
    return Turn(continued.user, message_id, answer)


@conversation(turns=3, together=3)
def at_once(provider: Provider, opening: Turn) -> list[Turn]:
    """Three conversations opened by one User at the same moment."""
    opening.must_be_served()
    with ThreadPoolExecutor(3) as pool:
        books = [copy_context() for _ in range(3)]
        held = [
            pool.submit(
                book.run,
                partial(
                    say, provider, "at-once", f"Question {number} about an order.", together=True
                ),
            )
            for number, book in enumerate(books)
        ]
        return [turn.result() for turn in held]
