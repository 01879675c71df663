"""The messages of the mock personal agent, and the tokens that go with them (§2 to §4.2)."""

import json
from typing import Any

import jwt
import pytest

from pact_conformance.counterpart.personal_agent.messages import send_url
from pact_conformance.counterpart.personal_agent.transport import Request
from tests.counterpart.personal_agent.brand import (
    AUDIENCE,
    INTERFACE,
    JANE,
    OMAR,
    Brand,
    answer,
    card,
    error,
    reply,
)


def claims(request: Request) -> dict[str, Any]:
    text = dict(request.headers)["Authorization"].removeprefix("Bearer ")
    found: dict[str, Any] = jwt.decode(text, options={"verify_signature": False})
    return found


@pytest.mark.parametrize(
    ("interface", "expected"),
    [
        ("https://p.example/a/b", "https://p.example/a/b/message:send"),
        ("https://p.example/a/b/", "https://p.example/a/b/message:send"),
        ("https://p.example", "https://p.example/message:send"),
        ("http://p.example:81/a%2Fb?x=%20y", "http://p.example:81/a%2Fb/message:send?x=%20y"),
    ],
)
def test_nothing_of_the_interface_url_is_lost(interface: str, expected: str) -> None:
    assert send_url(interface) == expected


def test_a_message_is_what_the_user_has_said(brand: Brand) -> None:
    brand.say("  Größe? \N{T-SHIRT}  ")

    sent = brand.seen("send")[0]
    headers = dict(sent.headers)
    assert headers["A2A-Version"] == "1.0"
    assert headers["Content-Type"] == "application/json"
    assert "X-A2A-User-Delegation" not in headers
    (message,) = brand.messages()
    assert message.pop("messageId")
    assert message == {"role": "ROLE_USER", "parts": [{"text": "  Größe? \N{T-SHIRT}  "}]}


def test_a_blank_text_is_not_sent(brand: Brand) -> None:
    assert "gaveUp" in brand.say(" \u2003\n")
    assert not brand.seen("send")


def test_a_tenant_is_named_in_each_request(brand: Brand) -> None:
    interface = {"url": INTERFACE, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    brand.card = card(supportedInterfaces=[{**interface, "tenant": "T/1"}])
    brand.connect()

    brand.say()

    assert json.loads(brand.requests[-1].body or b"")["tenant"] == "T/1"


def test_each_request_has_a_token_of_its_own(brand: Brand) -> None:
    brand.say()
    brand.say()

    first, second = (claims(it) for it in brand.seen("send"))
    assert first["iss"] == brand.adapter.issuer
    assert first["aud"] == AUDIENCE
    assert 0 < first["exp"] - first["iat"] <= 300
    assert first["jti"] != second["jti"]


def test_a_user_has_one_sub_for_ever_and_nobody_else_has_it(brand: Brand) -> None:
    brand.say(user=JANE)
    brand.say(user=OMAR)
    brand.connect("https://elsewhere.example/card")
    brand.adapter.forget({"user": JANE})
    brand.say(user=JANE)

    jane, omar, again = (claims(it)["sub"] for it in brand.seen("send"))
    assert jane == again != omar
    assert "jane" not in jane


def test_a_conversation_goes_on_with_what_the_reply_brought(brand: Brand) -> None:
    brand.script("send", reply(context_id="Ünlike/A.UUID"), reply(context_id=None))
    first = brand.say()
    brand.say(conversation=first["conversation"])
    brand.say(conversation=first["conversation"])
    brand.say()

    found = [it.get("contextId") for it in brand.messages()]
    assert found == [None, "Ünlike/A.UUID", "Ünlike/A.UUID", None]
    assert len({it["messageId"] for it in brand.messages()}) == 4


def test_nobody_else_has_the_conversation(brand: Brand) -> None:
    first = brand.say(user=JANE)
    brand.say(user=OMAR, conversation=first["conversation"])
    brand.connect("https://elsewhere.example/card")
    brand.say(user=JANE, conversation=first["conversation"])

    assert [it.get("contextId") for it in brand.messages()] == [None, None, None]


@pytest.mark.parametrize(
    ("content_type", "told"),
    [
        ("application/a2a+json; charset=utf-8", "reply"),
        ("Application/A2A+JSON", "reply"),
        ("application/json", "reply"),
        ("text/html", "gaveUp"),
    ],
)
def test_replies_are_read_under_their_media_types(
    brand: Brand, content_type: str, told: str
) -> None:
    document = json.loads(reply("Sure.", metadata={"x": 1}, odd=[None]).body) | {"odd": {}}
    brand.script("send", answer(document, content_type=content_type))

    assert told in brand.say()


def test_all_text_parts_make_the_reply(brand: Brand) -> None:
    parts = [{"text": "One.", "mediaType": "text/plain"}, {"data": {"a": 1}}, {"text": "Two."}, 7]
    message = {"messageId": "r", "role": "ROLE_AGENT", "contextId": "c", "parts": parts}
    brand.script("send", answer({"message": message}))

    assert brand.say()["reply"]["text"] == "One.\nTwo."


def test_a_closed_conversation_is_begun_anew_with_the_same_text(brand: Brand) -> None:
    first = brand.say()
    brand.script("send", error("UNSUPPORTED_OPERATION"), reply(context_id="ctx-2"))

    assert "reply" in brand.say("Go on", conversation=first["conversation"])
    assert [it.get("contextId") for it in brand.messages()] == [None, "ctx-1", None]
    assert brand.messages()[2]["parts"] == [{"text": "Go on"}]

    brand.say(conversation=first["conversation"])
    assert brand.messages()[3]["contextId"] == "ctx-2"


def test_what_is_always_closed_is_given_up(brand: Brand) -> None:
    first = brand.say()
    brand.script("send", *[error("UNSUPPORTED_OPERATION")] * 9)

    assert "gaveUp" in brand.say(conversation=first["conversation"])
    assert len(brand.messages()) == 3
