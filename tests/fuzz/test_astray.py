"""What is said to have gone astray in a scene, and what not; nothing is sent."""

from collections.abc import Sequence
from urllib.parse import urlencode

import pytest

from pact_conformance.fuzz.hostile_answers.draft import Draft
from pact_conformance.fuzz.hostile_answers.looking import astray
from pact_conformance.fuzz.hostile_answers.making import draft
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage_address import StageAddress
from pact_conformance.tokens.assemble import json_text, segment

AUDIENCE = "assigned"
ADDRESS = StageAddress(
    control="",
    base="http://127.0.0.1:1",
    audience=AUDIENCE,
    issuer="https://agent.example",
    jwks="https://agent.example/jwks.json",
    other="http://localhost:2",
)


@pytest.fixture(scope="module")
def made() -> Draft:
    return draft(ADDRESS)


def jwt(audience: str = AUDIENCE) -> tuple[str, str]:
    claims = segment(json_text({"aud": audience}))
    return "Authorization", f"Bearer {segment('{}')}.{claims}.x"


def delegation(made: Draft) -> tuple[str, str]:
    return "X-A2A-User-Delegation", f"Bearer {made.token.document['access_token']}"


def request(
    operation: str, url: str, *headers: tuple[str, str], body: dict[str, str] | None = None
) -> Seen:
    text = urlencode(body or {})
    return Seen(1, 0.0, 0.0, "b", operation, "POST", url, tuple(headers), text, None, None)


def found(made: Draft, *seen: Seen) -> Sequence[tuple[str, bool]]:
    return [(it.requirement, it.warns) for it in astray(seen, made, AUDIENCE)]


def test_what_an_agent_has_to_send_is_at_home(made: Draft) -> None:
    code = {"device_code": made.device.document["device_code"]}
    fresh = {"refresh_token": made.token.document["refresh_token"]}

    assert not found(
        made,
        request("card", f"{ADDRESS.base}{made.names.card}"),
        request("device_authorization", made.names.endpoint("device_authorization"), jwt()),
        request("token", made.names.endpoint("token"), jwt(), body=code),
        request("token", made.names.endpoint("token"), jwt(), body=fresh),
        request("message:send", made.names.interface, jwt(), delegation(made)),
        request("jwks", made.names.endpoint("jwks.json"), jwt()),
    )


def test_a_delegation_token_elsewhere_is_found(made: Draft) -> None:
    far, near = (made.names.elsewhere("target", far=it) for it in (True, False))

    assert found(made, request("unmatched", far, delegation(made))) == [
        ("5.4-agent-one-brand", False)
    ]
    assert found(made, request("unmatched", near, delegation(made))) == [
        ("5.5-agent-both-tokens", True)
    ]


def test_a_delegation_token_in_another_place_is_found(made: Draft) -> None:
    token = made.token.document["access_token"]

    for seen in (
        request("message:send", made.names.interface, ("Authorization", f"Bearer {token}")),
        request("message:send", f"{made.names.interface}?access_token={token}"),
        request("token", made.names.endpoint("token"), body={"subject_token": token}),
    ):
        assert ("5.5-agent-both-tokens", False) in found(made, seen)


def test_codes_and_refresh_tokens_elsewhere_are_found(made: Draft) -> None:
    far = made.names.elsewhere("target", far=True)
    for name, answer in (("device_code", made.device), ("refresh_token", made.token)):
        body = {name: answer.document[name]}

        assert found(made, request("unmatched", far, body=body)) == [("5.1-agent-endpoints", False)]
        misplaced = request("device_authorization", made.names.endpoint("x"), body=body)
        assert found(made, misplaced) == [("5.1-agent-endpoints", False)]


def test_endpoints_that_the_metadata_names_are_not_astray() -> None:
    other = draft(ADDRESS)
    url = other.names.elsewhere("token_endpoint", far=True)
    other.opened |= {url}
    body = {"device_code": other.device.document["device_code"]}

    assert not found(other, request("unmatched", url, jwt(), body=body))


def test_a_jwt_at_another_host_warns(made: Draft) -> None:
    far, near = (made.names.elsewhere("target", far=it) for it in (True, False))

    assert found(made, request("unmatched", far, jwt())) == [("2.2-agent-send-url", True)]
    assert not found(made, request("unmatched", near, jwt()))


def test_another_audience_is_found_wherever_it_goes(made: Draft) -> None:
    seen = request("message:send", made.names.interface, jwt("https://other.example"))

    assert found(made, seen) == [("3.2-agent-aud", False)]


def test_whoever_opens_the_login_is_found(made: Draft) -> None:
    seen = request("unmatched", made.device.document["verification_uri_complete"])

    assert found(made, seen) == [("5.3-agent-no-fetch", False)]
