"""The messages that the agent sends (§4.1), and where to (§2.2)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from pact_conformance.counterpart.personal_agent.failure import Unsendable
from pact_conformance.counterpart.personal_agent.store import Conversation, Grant, Relation
from pact_conformance.counterpart.personal_agent.transport import Request
from pact_conformance.wire.media_types import A2A_JSON, JSON
from pact_conformance.wire.messages import new_id

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent


@dataclass(frozen=True)
class Draft:
    """A message that is to be sent, perhaps more than once: then it stays the same (§4.3)."""

    relation: Relation
    conversation: Conversation
    text: str = field(repr=False)
    message_id: str
    context_id: str | None
    grant: Grant | None
    """Under which it is sent; None: with the personal-agent JWT alone."""


DraftMember = Callable[["PersonalAgent", Draft], object]
"""Gives a member of the body or a header; None leaves it out."""


def draft(
    agent: "PersonalAgent",
    relation: Relation,
    conversation: Conversation,
    text: str,
    grant: Grant | None,
) -> Draft:
    """Return a new message of a conversation, with an id of its own."""
    context_id = agent.context_of(agent, relation, conversation)
    return Draft(relation, conversation, text, agent.mint_message_id(), context_id, grant)


def mint_message_id() -> str:
    """Return an id that no other message has."""
    return new_id("m")


def message_members() -> dict[str, DraftMember]:
    """Return the members of the Message, each by itself."""
    return {
        "messageId": lambda _agent, draft: draft.message_id,
        "contextId": lambda _agent, draft: draft.context_id,
        "role": lambda _agent, _draft: "ROLE_USER",
        "parts": lambda _agent, draft: [{"text": draft.text}],
    }


def request_members() -> dict[str, DraftMember]:
    """Return the members of the SendMessageRequest, each by itself."""
    return {
        "tenant": lambda _agent, draft: draft.relation.brand.interface.tenant or None,
        "message": lambda agent, draft: _members(agent, draft, agent.message_members),
    }


def message_headers() -> dict[str, DraftMember]:
    """Return the headers of `message:send`, each by itself."""
    return {
        "Authorization": lambda agent, draft: f"Bearer {agent.mint_token(agent, draft.relation)}",
        "X-A2A-User-Delegation": lambda agent, draft: agent.delegation.header(draft),
        "A2A-Version": lambda _agent, _draft: "1.0",
        "Content-Type": lambda _agent, _draft: JSON,
        "Accept": lambda _agent, _draft: f"{A2A_JSON}, {JSON}",
    }


def message_request(agent: "PersonalAgent", draft: Draft) -> Request:
    """Return the request that carries a message; its tokens are made anew each time."""
    headers = _members(agent, draft, agent.message_headers)
    return Request(
        "POST",
        agent.send_url(draft.relation.brand.interface.url),
        tuple(headers.items()),
        json.dumps(_members(agent, draft, agent.request_members)).encode(),
        agent.config.answer_seconds,
    )


def send_url(interface: str) -> str:
    """Return the URL of `message:send` relative to an interface URL, of which nothing is lost.

    Raises:
        Unsendable: the interface is no URL.
    """
    try:
        parts = urlsplit(interface)
    except ValueError:
        raise Unsendable(f"{interface!r} is no URL") from None
    path = parts.path if parts.path.endswith("/") else f"{parts.path}/"
    return urlunsplit(parts._replace(path=f"{path}message:send", fragment=""))


def _members(
    agent: "PersonalAgent", draft: Draft, members: Mapping[str, DraftMember]
) -> dict[str, Any]:
    found = {name: member(agent, draft) for name, member in members.items()}
    return {name: value for name, value in found.items() if value is not None}
