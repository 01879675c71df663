"""Agents that get §2 wrong: the binding, versions, media types, members that are not known."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.answers import Failed, Outcome
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.transport import Answer, Request
from pact_conformance.wire.card import Card, Interface
from pact_conformance.wire.media_types import JSON, essence

CARD_MEMBERS = frozenset(
    {
        "name",
        "description",
        "version",
        "provider",
        "capabilities",
        "defaultInputModes",
        "defaultOutputModes",
        "documentationUrl",
        "iconUrl",
        "securityRequirements",
        "securitySchemes",
        "signatures",
        "skills",
        "supportedInterfaces",
    }
)
"""What A2A 1.0 has at the top of a card."""

MESSAGE_MEMBERS = frozenset(
    {
        "messageId",
        "contextId",
        "taskId",
        "role",
        "parts",
        "metadata",
        "extensions",
        "referenceTaskIds",
    }
)
"""What A2A 1.0 has in a message."""


@agent_flaw("2-agent-version")
def names_the_version_once_in_a_conversation(agent: PersonalAgent) -> None:
    """Only the first message of a conversation says which version of A2A is spoken."""
    agent.message_headers["A2A-Version"] = lambda _agent, draft: (
        "1.0" if draft.context_id is None else None
    )


@agent_flaw("2-agent-version")
def names_a_patch_version(agent: PersonalAgent) -> None:
    """Messages say `A2A-Version: 1.0.1`."""
    agent.message_headers["A2A-Version"] = lambda _agent, _draft: "1.0.1"


@agent_flaw("2-agent-content-type")
def sends_messages_without_a_type(agent: PersonalAgent) -> None:
    """Messages have no `Content-Type`."""
    del agent.message_headers["Content-Type"]


@agent_flaw("2-agent-content-type")
def sends_messages_as_text(agent: PersonalAgent) -> None:
    """Messages are sent as `text/plain`."""
    agent.message_headers["Content-Type"] = lambda _agent, _draft: "text/plain; charset=utf-8"


@agent_flaw("2-agent-http-json")
def speaks_json_rpc_where_it_can(agent: PersonalAgent) -> None:
    """A JSON-RPC interface is preferred, as an SDK does it, and spoken to in JSON-RPC."""
    message_request, choose = agent.message_request, agent.choose_interface
    rpc: set[str] = set()

    def choose_interface(card: Card) -> Interface | None:
        for interface in card.interfaces:
            if interface.protocol_binding == "JSONRPC" and interface.url:
                rpc.add(interface.url)
                return interface
        return choose(card)

    def request(agent: PersonalAgent, draft: Draft) -> Request:
        made = message_request(agent, draft)
        url = draft.relation.brand.interface.url
        if url not in rpc:
            return made
        params = json.loads(made.body or b"{}")
        call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": params}
        return replace(made, url=url, body=json.dumps(call).encode())

    agent.choose_interface = choose_interface
    agent.message_request = request


@agent_flaw("2-agent-http-json", "4.1-agent-message", "4.1-agent-role")
def writes_messages_of_version_0_3(agent: PersonalAgent) -> None:
    """Messages have 0.3's shape: `kind` in the message and its parts, and roles in lower case."""
    agent.message_members["kind"] = lambda _agent, _draft: "message"
    agent.message_members["role"] = lambda _agent, _draft: "user"
    agent.message_members["parts"] = lambda _agent, draft: [{"kind": "text", "text": draft.text}]


@agent_flaw("2-agent-a2a-json")
def reads_plain_json_alone(agent: PersonalAgent) -> None:
    """JSON is only looked for under `application/json`."""
    read_document = agent.read_document

    def read(answer: Answer) -> Any:  # noqa: ANN401 - any JSON value
        is_json = essence(answer.headers.get("content-type")) == JSON
        return read_document(answer) if is_json else None

    agent.read_document = read


@agent_flaw("2-agent-a2a-json")
def reads_no_type_with_parameters(agent: PersonalAgent) -> None:
    """A media type with a charset is not recognised."""
    read_document = agent.read_document

    def read(answer: Answer) -> Any:  # noqa: ANN401 - any JSON value
        has_more = "a2a+json;" in answer.headers.get("content-type", "").replace(" ", "")
        return None if has_more else read_document(answer)

    agent.read_document = read


@agent_flaw("2-agent-unknown-members")
def forbids_unknown_members_of_a_card(agent: PersonalAgent) -> None:
    """A card with a member that A2A does not know is refused by a strict model."""
    read_card = agent.read_card

    def read(answer: Answer) -> Card:
        card = read_card(answer)
        _know_all(card.document, CARD_MEMBERS)
        return card

    agent.read_card = read


@agent_flaw("2-agent-unknown-members")
def forbids_unknown_members_of_a_reply(agent: PersonalAgent) -> None:
    """A reply with a member that A2A does not know is refused by a strict model."""
    read_result = agent.read_result

    def read(agent: PersonalAgent, document: object) -> Outcome:
        try:
            _know_all(document, frozenset({"message", "task"}))
            if isinstance(document, dict):
                _know_all(document.get("message"), MESSAGE_MEMBERS)
        except Failure as failure:
            return Failed(failure.reason)
        return read_result(agent, document)

    agent.read_result = read


@agent_flaw("2-agent-tenant")
def knows_no_tenant(agent: PersonalAgent) -> None:
    """The tenant of an interface is never sent."""
    del agent.request_members["tenant"]


@agent_flaw("2-agent-tenant")
def sends_a_tenant_of_its_own(agent: PersonalAgent) -> None:
    """Where an interface names a tenant, the agent sends an id that it made itself."""
    tenant = uuid4().hex
    agent.request_members["tenant"] = lambda _agent, draft: (
        tenant if draft.relation.brand.interface.tenant else None
    )


def _know_all(value: object, known: frozenset[str]) -> None:
    """Refuse an object with a member that is not known.

    Raises:
        Failure: it has one.
    """
    unknown = set(value) - known if isinstance(value, Mapping) else set()
    if unknown:
        raise Failure(f"extra inputs are not permitted: {', '.join(sorted(unknown))}")
