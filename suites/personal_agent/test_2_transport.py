"""§2 Transport: A2A 1.0 over HTTP+JSON, as the agent sends and reads it."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.subject.seen import Seen
from pact_conformance.verdicts import Untested
from pact_conformance.wire.media_types import A2A_JSON, JSON, essence
from pact_conformance.wire.schema import problems

from .cards import TENANT
from .judging import A2A, each_of
from .playing import Play


@requirement("2-agent-http-json")
def test_messages_come_by_http_and_json(first_conversation: Play) -> None:
    arrived = first_conversation.first.messages

    expect.that(bool(arrived), "POST message:send", first_conversation.came_to)
    found = problems(arrived[0].json, "send-message-request")
    expect.that(not found, "a SendMessageRequest of A2A 1.0", "; ".join(found))
    rpc = [it for it in first_conversation.scene.seen() if '"jsonrpc"' in it.body]
    expect.that(not rpc, "no JSON-RPC", f"{len(rpc)} requests of it")


@requirement("2-agent-a2a-json")
def test_a_reply_of_the_bare_media_type_is_read(
    first_conversation: Play, as_plain_json: Play | None
) -> None:
    if as_plain_json is not None and not as_plain_json.first.replied:
        raise Untested("the reply is not read as plain JSON either", do="see 4.2-agent-reply")

    _is_read(first_conversation)


@requirement("2-agent-a2a-json")
def test_a_reply_whose_media_type_has_a_charset_is_read(deep_interface: Play) -> None:
    deep_interface.first.must_be_answered()

    _is_read(deep_interface)


def _is_read(play: Play) -> None:
    answer = play.first.messages[-1].answer
    assert answer is not None
    assert essence(answer.header("content-type")) == A2A_JSON
    expect.that(play.first.replied, "the reply", play.came_to)


@requirement("2-agent-unknown-members")
def test_unknown_members_change_nothing(strange_members: Play) -> None:
    expect.that(bool(strange_members.messages), "a message", strange_members.came_to)

    strange_members.first.must_be_answered()
    expect.that(strange_members.first.replied, "the reply", strange_members.came_to)


@requirement("2-agent-tenant")
def test_the_tenant_of_the_interface_comes_with_each_message(interface_elsewhere: Play) -> None:
    if not interface_elsewhere.messages:
        interface_elsewhere.first.must_be_answered()

    for message in interface_elsewhere.messages:
        body = message.json
        tenant = body.get("tenant") if isinstance(body, dict) else None
        expect.that(tenant == TENANT, f"the tenant {TENANT}", tenant)


@pytest.mark.last
@requirement("2-agent-version")
def test_every_request_names_the_version_of_a2a(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen) -> str | None:
        # A2A lets clients name it in the query as well.
        asked = dict(parse_qsl(urlsplit(request.url).query)).get("A2A-Version")
        version = request.header("a2a-version") or asked
        return None if (version or "").strip() == "1.0" else f"A2A-Version {version!r}"

    each_of(everything, A2A, wrong, "A2A-Version: 1.0")


@pytest.mark.last
@requirement("2-agent-content-type")
def test_messages_are_sent_as_json(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen) -> str | None:
        given = request.header("content-type")
        return None if essence(given) in {JSON, A2A_JSON} else f"Content-Type {given!r}"

    each_of(everything, {"message:send"}, wrong, f"{JSON} or {A2A_JSON}")
