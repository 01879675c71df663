"""§4.1 Request: every message that reached the stage."""

import json
from typing import Any

import pytest

from pact_conformance.rig import requirement
from pact_conformance.subject.seen import Seen
from pact_conformance.wire.schema import problems
from pact_conformance.wire.text import is_blank

from .judging import each_of
from .playing import context_of, short

SEND = frozenset({"message:send"})

# What a Message may hold beside its content: two that share an id may differ in it.
ASIDE = frozenset({"metadata", "contextId"})


@pytest.mark.last
@requirement("4.1-agent-message")
def test_every_message_has_the_shape_of_a2a(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen) -> str | None:
        return "; ".join(problems(request.json, "send-message-request")) or None

    each_of(everything, SEND, wrong, "a SendMessageRequest of A2A 1.0")


@pytest.mark.last
@requirement("4.1-agent-role")
def test_every_message_is_the_users(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen) -> str | None:
        role = request.message.get("role")
        return None if role == "ROLE_USER" else f"role {role!r}"

    each_of(everything, SEND, wrong, "role ROLE_USER")


@pytest.mark.last
@requirement("4.1-agent-text")
def test_every_message_says_something(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen) -> str | None:
        texts = [it.get("text") for it in _parts(request)]
        said = any(isinstance(it, str) and not is_blank(it) for it in texts)
        return None if said else "no text, or a blank one"

    each_of(everything, SEND, wrong, "a text part that is not blank")


@pytest.mark.last
@requirement("4.1-agent-text-only")
def test_no_message_has_other_parts_than_text(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen) -> str | None:
        kinds = [it for part in _parts(request) for it in ("raw", "url", "data") if it in part]
        return f"a part of the kind {kinds[0]}" if kinds else None

    each_of(everything, SEND, wrong, "text parts alone")


@pytest.mark.last
@requirement("4.1-agent-no-task-id")
def test_no_message_names_a_task(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen) -> str | None:
        task = request.message.get("taskId")
        return f"taskId {short(str(task), 40)!r}" if task else None

    each_of(everything, SEND, wrong, "no taskId")


@pytest.mark.last
@requirement("4.1-agent-message-id-unique")
def test_no_two_messages_of_a_conversation_share_an_id(everything: tuple[Seen, ...]) -> None:
    said: dict[tuple[object, ...], str] = {}

    def wrong(request: Seen) -> str | None:
        context = request.message.get("contextId") or context_of(request)
        message_id = request.message.get("messageId")
        if not context or not isinstance(message_id, str):
            return None
        content = _content(request)
        first = said.setdefault((request.brand, context, message_id), content)
        return None if first == content else f"messageId {short(message_id, 40)!r} again"

    each_of(everything, SEND, wrong, "a messageId of its own for each message of a conversation")


def _parts(request: Seen) -> list[dict[str, Any]]:
    parts = request.message.get("parts")
    return [it for it in parts if isinstance(it, dict)] if isinstance(parts, list) else []


def _content(request: Seen) -> str:
    """Return what a message says, in one form."""
    kept = {name: it for name, it in request.message.items() if name not in ASIDE}
    return json.dumps(kept, sort_keys=True)
