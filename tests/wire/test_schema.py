import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pact_conformance.assets import folder
from pact_conformance.wire.schema import names, problems
from tests.wire.cards import good_card
from tests.wire.json_values import json_values

JWK = {"kty": "EC", "crv": "P-256", "x": "f83O", "y": "x_FE", "kid": "k1"}
RECEIPT = {
    "grantId": "g-1",
    "user": "jane",
    "pa": "https://pa.example",
    "brand": "https://provider.example/a2a/01J",
    "scopesUsed": [],
    "actions": [{"tool": "lookup_orders"}],
    "ts": "2026-09-30T12:00:00.250Z",
}
REPLY = {
    "messageId": "r-1",
    "contextId": "c-1",
    "role": "ROLE_AGENT",
    "parts": [{"text": "Sure."}],
}
STEP_UP = {
    "id": "t-1",
    "contextId": "c-1",
    "status": {
        "state": "TASK_STATE_AUTH_REQUIRED",
        "message": {"role": "ROLE_AGENT", "parts": [{"text": "I need permission."}]},
    },
    "metadata": {"pact.missingScopes": ["a"], "pact.verificationUriComplete": "https://b"},
}


@pytest.mark.parametrize("name", names())
def test_every_published_schema_is_one(name: str) -> None:
    text = (folder("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")

    Draft202012Validator.check_schema(json.loads(text))


@pytest.mark.parametrize("name", names())
def test_every_reference_between_schemas_leads_somewhere(name: str) -> None:
    problems({}, name)
    problems({"message": REPLY, "task": STEP_UP, "tasks": [STEP_UP]}, name)


def test_an_unknown_schema_is_named_with_those_there_are() -> None:
    with pytest.raises(FileNotFoundError, match=r"no schema 'mesage'; there are .*message"):
        problems({}, "mesage")


def test_the_card_of_the_specification_is_good() -> None:
    assert problems(good_card(), "agent-card") == []


def test_description_and_version_are_informational() -> None:
    card = good_card()
    del card["version"]

    assert problems(card, "agent-card") == []


@pytest.mark.parametrize("value", [{"list": []}, {}])
def test_a_requirement_may_leave_its_list_out(value: object) -> None:
    card = good_card()
    card["securityRequirements"] = [{"schemes": {"paJwt": value}}]

    assert problems(card, "agent-card") == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("send-message-response", {"message": REPLY}),
        ("send-message-response", {"task": STEP_UP}),
        ("list-tasks-response", {"tasks": [], "nextPageToken": "", "pageSize": 50, "totalSize": 0}),
        ("list-tasks-response", {"tasks": [STEP_UP], "nextPageToken": "p2"}),
        ("part", {"data": None}),
        ("stream-response", {"message": REPLY}),
        ("jwks", {"keys": []}),
        ("jwks", {"keys": [JWK, {"kty": "new", "of its own": 1}]}),
        ("oauth-error", {"error": "authorization_pending"}),
        ("token-response", {"access_token": "e", "token_type": "bearer", "expires_in": 3600}),
        ("receipt", {"jws": "a.b.c", "claims": RECEIPT}),
        ("message", {**REPLY, "taskId": None, "of their own": 1}),
    ],
)
def test_legal_values_have_no_problems(name: str, value: object) -> None:
    assert problems(value, name) == []


@pytest.mark.parametrize(
    ("name", "value", "lines"),
    [
        ("message", {**REPLY, "parts": []}, ["parts: [] is too short"]),
        ("message", {**REPLY, "parts": {}}, ["parts: {} is not an array"]),
        ("message", [], ["$: [] is not an object"]),
        ("message", {"role": "ROLE_AGENT"}, ["$: messageId is missing", "$: parts is missing"]),
        ("message", {**REPLY, "contextId": 7}, ["contextId: 7 is not a string"]),
        (
            "message",
            {**REPLY, "role": "agent"},
            ['role: "agent" is not "ROLE_USER" or "ROLE_AGENT"'],
        ),
        (
            "send-message-request",
            {"message": {**REPLY, "parts": [{"text": "a"}, {"text": "a", "url": "b"}]}},
            ["message.parts[1]: must hold exactly one of text, raw, url, data; holds text, url"],
        ),
        (
            "send-message-response",
            {},
            ["$: must hold exactly one of message, task; holds none"],
        ),
        ("list-tasks-response", {"tasks": []}, ["$: nextPageToken is missing"]),
        ("jwks", {"keys": [{**JWK, "d": "secret"}]}, ["keys[0]: must not hold d"]),
        ("jwks", {"keys": [{"kty": "RSA", "n": "AQ"}]}, ["keys[0]: e is missing"]),
        ("oauth-error", {"error": {"code": 400}}, ['error: {"code": 400} is not a string']),
        (
            "receipt",
            {"jws": "a.b.c", "claims": {**RECEIPT, "ts": "yesterday"}},
            ['claims.ts: "yesterday" does not have the form it must have'],
        ),
    ],
)
def test_problems_say_where_and_what(name: str, value: object, lines: list[str]) -> None:
    assert problems(value, name) == lines


def test_long_values_are_cut_short() -> None:
    (line,) = problems({**REPLY, "messageId": ["x" * 500]}, "message")

    assert len(line) < 120


@settings(deadline=None)
@given(st.sampled_from(names()), json_values("message", "parts", "error", "details", "tasks"))
def test_no_value_is_too_odd_to_judge(name: str, value: object) -> None:
    lines = problems(value, name)

    assert all("\n" not in line and len(line) < 200 for line in lines)
