"""§3.4 Failure: 401 for every failure to authenticate, and nothing given away.

The challenge, and that no A2A body comes with a 401, are journal rules.
"""

import pytest

from pact_conformance import expect
from pact_conformance.rig import Gate, requirement
from pact_conformance.subject.likes import some_like
from pact_conformance.subject.provider import Provider

from .conversations import Turn

GARBAGE = {
    "empty": "",
    "scheme-alone": "Bearer",
    "one-word": "Bearer garbage",
    "dots": "Bearer ..",
    "basic": "Basic dXNlcjpwYXNzd29yZA==",
    "no-scheme": "garbage",
    "negotiate": "Negotiate YII=",
    "unfinished": "Bearer eyJhbGciOiJFUzI1NiJ9.e30",
}


@requirement("3.4-status")
@pytest.mark.parametrize("credentials", GARBAGE.values(), ids=GARBAGE)
def test_credentials_that_are_no_token_are_refused(gate: Gate, credentials: str) -> None:
    expect.past_authentication(gate.knock())

    expect.unauthorized(gate.knock(None, headers={"Authorization": credentials}))


@requirement("3.4-before-body")
@pytest.mark.parametrize(
    "content", [b"{", b"\xff\xfe", b"[]"], ids=["not-json", "not-utf-8", "array"]
)
def test_a_request_is_authenticated_before_its_body_is_read(
    provider: Provider, content: bytes
) -> None:
    expect.unauthorized(provider.send(content=content, token=None, turn=False))


@requirement("3.4-nothing-revealed")
def test_a_caller_without_a_token_gets_no_stored_reply(provider: Provider, opening: Turn) -> None:
    answer = provider.send(
        message_id=opening.message_id, context_id=opening.context_id, token=None, turn=False
    )

    expect.unauthorized(answer)


@requirement("3.4-nothing-revealed")
def test_a_caller_without_a_token_cannot_tell_a_context_from_none(
    provider: Provider, opening: Turn
) -> None:
    unknown = {
        it: provider.send(context_id=it, token=None, turn=False)
        for it in some_like(opening.context_id)
    }

    expect.indistinguishable(
        provider.send(context_id=opening.context_id, token=None, turn=False),
        opening.context_id,
        unknown,
        what="a context",
    )
