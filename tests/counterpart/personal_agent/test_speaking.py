"""The adapter contract in three ways: an object, a process, and HTTP."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from pact_conformance.counterpart.personal_agent.adapter import OPERATIONS, Adapter, factory
from tests.counterpart.personal_agent.brand import AUDIENCE, CARD, JANE, Brand

MODULE = "pact_conformance.counterpart.personal_agent"


def test_every_operation_is_a_method_that_echoes_the_id(brand: Brand) -> None:
    asked = {**brand.asked(), "id": 7, "version": 1, "text": "Hello", "card": CARD}
    for operation in OPERATIONS:
        answer = getattr(brand.adapter, operation)({**asked, "audience": AUDIENCE})
        again = brand.adapter.answer({**asked, "audience": AUDIENCE, "operation": operation})

        assert answer["id"] == again["id"] == 7


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"operation": "made_up"},
        {"operation": "close"},
        {"operation": "connect", "audience": AUDIENCE},
        {"operation": "connect", "card": CARD},
        {"operation": "say", "brand": "elsewhere", "user": JANE, "text": "Hello"},
        {"operation": "say", "user": JANE, "text": "Hello"},
    ],
)
def test_a_request_that_is_none_is_said_to_be(brand: Brand, asked: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        brand.adapter.answer(asked)


def test_a_user_is_forgotten_and_the_others_are_not(brand: Brand) -> None:
    brand.granted()
    brand.sign_in("read", user={"id": "omar"})
    brand.go_on({"id": "omar"})

    brand.adapter.forget({"user": JANE})

    assert brand.holds()["scopes"] == []
    assert brand.holds({"id": "omar"})["scopes"] == ["read"]
    brand.adapter.forget({})
    assert brand.holds({"id": "omar"})["scopes"] == []


def test_the_published_keys_are_public_and_one_more_after_a_rotation() -> None:
    adapter = factory()
    try:
        first = httpx.get(adapter.jwks_uri, trust_env=False).json()["keys"]
        adapter.rotate_key({})
        second = httpx.get(adapter.jwks_uri, trust_env=False).json()["keys"]
        found = httpx.get(f"{adapter.issuer}/.well-known/openid-configuration", trust_env=False)
    finally:
        adapter.close()

    assert len(first) == 1
    assert second[1:] == first
    assert set(first[0]) == {"kty", "crv", "x", "y", "kid", "use", "alg"}
    assert found.json() == {"issuer": adapter.issuer, "jwks_uri": adapter.jwks_uri}


@pytest.fixture
def process() -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [sys.executable, "-P", "-m", MODULE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as started:
        yield started
        assert started.stdin is not None
        started.stdin.close()
        assert started.wait(10) == 0


def test_a_process_answers_line_by_line(process: "subprocess.Popen[str]") -> None:
    def ask(line: str) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
        return answer

    hello = ask('{"version": 1, "id": 1, "operation": "hello"}')
    keys = httpx.get(hello["jwksUri"], trust_env=False).json()

    assert hello["id"] == 1
    assert hello["virtualTime"] is False
    assert set(hello["operations"]) == set(OPERATIONS)
    assert keys["keys"]
    assert ask('{"id": 2, "operation": "odd"}')["id"] == 2
    assert ask("{")["error"]
    assert ask('{"id": 3, "operation": "rotate_key"}') == {"id": 3}


def test_the_agents_server_speaks_it_too() -> None:
    with Adapter(speaks_http=True) as adapter:
        asked = {"id": 1, "operation": "hello"}
        answer = httpx.post(adapter.base, json=asked, trust_env=False)
        odd = httpx.post(adapter.base, json={"operation": "odd"}, trust_env=False)
        page = httpx.post(
            adapter.base, json=asked, trust_env=False, headers={"Origin": "https://page.example"}
        )

    assert answer.json()["id"] == 1
    assert (odd.status_code, page.status_code) == (400, 403)


def test_without_being_asked_for_it_the_server_has_keys_alone() -> None:
    with Adapter() as adapter:
        answer = httpx.post(adapter.base, json={"operation": "hello"}, trust_env=False)

    assert answer.status_code == 404
