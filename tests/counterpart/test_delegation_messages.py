"""Messages under a delegation token: who may, as whom, step-up and receipts (§5.5, §5.6)."""

import base64
import json

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from pact_conformance.counterpart.provider.delegation.signing import SigningKey
from pact_conformance.counterpart.provider.verifier import ES256
from pact_conformance.wire import schema
from tests.counterpart.agent import segment
from tests.counterpart.delegating import (
    CANCEL,
    READ,
    Browser,
    PersonalAgent,
    claims,
    issuer,
    reason,
)
from tests.counterpart.world import FIRST, SECOND, World, alone

INVALID = 'Bearer realm="a2a", error="invalid_token"'
OPENING = "What are your opening hours?"
WHERE, STOP = "Where is my order?", "Please cancel my order."


def assert_bad(answer: httpx.Response) -> None:
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == INVALID
    assert answer.content == b""


@alone
async def test_a_message_under_a_token_is_served_with_a_receipt(world: World) -> None:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ, CANCEL))["access_token"]
    answer = await agent.say(f"{WHERE} {STOP}", token)
    message = answer.json()["message"]
    receipt = message["metadata"]["pact.receipt"]
    shown = receipt["claims"]

    assert schema.problems(answer.json(), "send-message-response") == []
    assert schema.problems(receipt, "receipt") == []
    assert claims(receipt["jws"]) == shown
    assert shown["grantId"] == claims(token)["grant_id"]
    assert (shown["user"], shown["pa"]) == ("jane-4471", agent.agent.issuer)
    assert shown["brand"] == issuer().removesuffix("/oauth")
    assert shown["scopesUsed"] == [READ, CANCEL]
    assert [it["tool"] for it in shown["actions"]] == ["lookup_orders", "cancel_order"]
    assert shown["ts"].endswith("Z")
    header, payload, signature = receipt["jws"].split(".")
    key = world.provider.delegation.keys.of(FIRST)[0].private.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    signature = base64.urlsafe_b64decode(signature + "==")
    assert ES256.verify(f"{header}.{payload}".encode(), key, signature)


@alone
async def test_a_turn_that_needs_no_scope_has_a_receipt_too(world: World) -> None:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ))["access_token"]
    message = (await agent.say(OPENING, token)).json()["message"]

    assert message["metadata"]["pact.receipt"]["claims"]["scopesUsed"] == []
    assert message["metadata"]["pact.receipt"]["claims"]["actions"] == []


@pytest.mark.parametrize("text", [OPENING, WHERE, "Look up your orders and their status"])
def test_without_a_token_it_is_a_chat_as_ever(text: str) -> None:
    @alone
    async def chat(world: World) -> None:
        answer = await PersonalAgent(world).say(text)

        assert answer.json()["message"].keys() == {"messageId", "contextId", "role", "parts"}

    chat()


@pytest.mark.parametrize(
    "header", ["x", "Basic eA==", "Bearer", "Bearer a b", "Bearer a,b", "Bearer a.b.c", "{token}"]
)
def test_a_header_that_holds_no_good_token_is_never_absent(header: str) -> None:
    @alone
    async def refused(world: World) -> None:
        agent = PersonalAgent(world)
        token = (await agent.get_token(READ))["access_token"] if "token" in header else ""
        headers = {"X-A2A-User-Delegation": header.format(token=token)}
        for brand in (FIRST, SECOND):
            answer = await world.ask(
                "POST", "/message:send", headers=headers, body=b"{", brand=brand
            )

            assert_bad(answer)

    refused()


@alone
async def test_an_empty_header_is_absent_and_two_are_one_too_many(world: World) -> None:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ))["access_token"]
    empty = await world.ask(
        "POST", "/message:send", headers={"X-A2A-User-Delegation": " "}, body=b"{"
    )
    twice = await world.client.post(
        f"/a2a/{FIRST}/message:send",
        headers=[*agent.bearer().items(), *[("X-A2A-User-Delegation", f"Bearer {token}")] * 2],
        content=b"{",
    )

    assert reason(empty) == "INVALID_PARAMS"
    assert_bad(twice)


@alone
async def test_the_jwt_comes_first(world: World) -> None:
    good = (await PersonalAgent(world).get_token(READ))["access_token"]
    for delegation in (good, "x"):
        headers = {"X-A2A-User-Delegation": f"Bearer {delegation}"}
        for token in (None, world.agent.token(aud="x")):
            answer = await world.ask(
                "POST", "/message:send", token=token, headers=headers, body=b"{}"
            )

            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == 'Bearer realm="a2a"'


@alone
async def test_a_token_that_is_not_ours_is_bad(world: World) -> None:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ))["access_token"]
    header, payload, signature = token.split(".")
    said, own = claims(token), world.provider.delegation.keys.of(FIRST)[0]
    wider = segment({**said, "scope": f"{READ} {CANCEL}"})
    stranger = SigningKey(own.kid, "ES256", ec.generate_private_key(ec.SECP256R1()))
    forged = [
        f"{header}.{wider}.{signature}",
        f"{header}.{payload}.{signature[:-4]}AAAA",
        f"{segment({'alg': 'none'})}.{payload}.",
        f"{segment({'alg': 'HS256'})}.{payload}.{signature}",
        f"{header}.{payload}",
        stranger.sign(said, "at+jwt"),
        agent.agent.token(**said),
    ]
    for bad in forged:
        assert_bad(await agent.say(WHERE, bad))
    assert (await agent.say(WHERE, token)).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"iss": issuer(SECOND)},
        {"aud": issuer()},
        {"aud": [issuer().removesuffix("/oauth"), "x"]},
        {"aud": None},
        {"exp": 1},
        {"exp": None},
        {"exp": True},
        {"client_id": "https://other.example"},
        {"client_id": None},
        {"grant_id": "x"},
        {"grant_id": None},
    ],
)
def test_each_claim_is_checked(change: dict[str, object]) -> None:
    @alone
    async def refused(world: World) -> None:
        agent = PersonalAgent(world)
        said = claims((await agent.get_token(READ))["access_token"])
        key = world.provider.delegation.keys.of(FIRST)[0]

        assert (await agent.say(WHERE, key.sign(said, "x"))).status_code == 200
        assert_bad(await agent.say(WHERE, key.sign({**said, **change}, "x")))

    refused()


@alone
async def test_a_token_is_for_one_brand_one_agent_and_an_hour(world: World) -> None:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ))["access_token"]

    assert_bad(await PersonalAgent(world, brand=SECOND).say(delegation=token))
    assert_bad(await PersonalAgent(world, agent=world.keys.other).say(delegation=token))
    agent.pass_time(3599)
    assert (await agent.say(delegation=token)).status_code == 200
    agent.pass_time(2)
    assert_bad(await agent.say(delegation=token))


@alone
async def test_a_token_may_be_signed_by_rs256(world: World) -> None:
    world.provider.delegation.keys.of(FIRST).insert(0, SigningKey.generate("RS256"))
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ))["access_token"]
    keys = (await world.client.get(f"{issuer()}/jwks.json")).json()

    assert schema.problems(keys, "jwks") == []
    assert [it["alg"] for it in keys["keys"]] == ["RS256", "ES256"]
    assert (await agent.say(WHERE, token)).status_code == 200


@alone
async def test_a_delegation_header_means_nothing_elsewhere(world: World) -> None:
    headers = {"X-A2A-User-Delegation": "Bearer x"}

    assert (await world.ask("GET", "/tasks", headers=headers)).status_code == 200


class TestConversations:
    """A conversation may come under delegation, and is then of one Brand user (§5.5)."""

    def test_it_goes_on_from_identity_to_delegation_and_back(self) -> None:
        @alone
        async def goes_on(world: World) -> None:
            agent = PersonalAgent(world)
            token = (await agent.get_token(READ))["access_token"]
            context = (await agent.say()).json()["message"]["contextId"]
            delegated = (await agent.say(WHERE, token, contextId=context)).json()["message"]
            without = (await agent.say(WHERE, contextId=context)).json()["message"]

            assert delegated["contextId"] == without["contextId"] == context
            assert "metadata" in delegated
            assert "metadata" not in without

        goes_on()

    def test_a_token_of_another_account_leaves_no_trace(self) -> None:
        @alone
        async def refused(world: World) -> None:
            agent = PersonalAgent(world)
            jane = (await agent.get_token(READ))["access_token"]
            omar = (await agent.get_token(READ, browser=Browser(world, "omar")))["access_token"]
            context = (await agent.say(WHERE, jane)).json()["message"]["contextId"]
            answer = await agent.say(WHERE, omar, contextId=context, messageId="m-1")
            again = await agent.say(WHERE, jane, contextId=context, messageId="m-1")

            assert reason(answer) == "INVALID_PARAMS"
            assert again.json()["message"]["contextId"] == context

        refused()

    def test_the_stored_reply_is_for_the_same_brand_user(self) -> None:
        @alone
        async def stored(world: World) -> None:
            agent = PersonalAgent(world)
            first = await agent.get_token(READ)
            omar = (await agent.get_token(READ, browser=Browser(world, "omar")))["access_token"]
            reply = (await agent.say(WHERE, first["access_token"], messageId="m-1")).json()
            about = {"messageId": "m-1", "contextId": reply["message"]["contextId"]}
            refreshed = (await agent.refresh(first["refresh_token"])).json()["access_token"]

            assert (await agent.say("x", refreshed, **about)).json() == reply
            assert reason(await agent.say(WHERE, omar, **about)) == "INVALID_PARAMS"

        stored()

    def test_a_turn_that_failed_binds_nothing(self) -> None:
        @alone
        async def unbound(world: World) -> None:
            agent = PersonalAgent(world)
            jane = (await agent.get_token(READ))["access_token"]
            omar = (await agent.get_token(READ, browser=Browser(world, "omar")))["access_token"]
            context = (await agent.say()).json()["message"]["contextId"]

            assert (await agent.say("Please fail", jane, contextId=context)).status_code == 500
            assert (await agent.say(WHERE, omar, contextId=context)).status_code == 200

        unbound()

    def test_contexts_are_whose_they_were(self) -> None:
        @alone
        async def refused(world: World) -> None:
            agent, other = PersonalAgent(world), PersonalAgent(world, user="user-2")
            token = (await agent.get_token(READ))["access_token"]
            context = (await agent.say(WHERE, token)).json()["message"]["contextId"]

            foreign = await other.say(WHERE, token, contextId=context)
            unknown = await agent.say(WHERE, token, contextId="x")
            assert reason(foreign) == reason(unknown) == "INVALID_PARAMS"

        refused()


@alone
async def test_hooks_expire_codes_and_revoke_grants(world: World) -> None:
    async def tell(hook: str, **about: str) -> tuple[int, str]:
        asked = {"hook": hook, "interface": issuer().removesuffix("/oauth"), **about}
        answer = await world.client.post(world.provider.control.path, json=asked)
        return answer.status_code, answer.text

    agent = PersonalAgent(world)
    begun = (await agent.begin(READ)).json()
    token = (await agent.get_token(READ))["access_token"]
    grant_id = claims(token)["grant_id"]
    second = issuer(SECOND).removesuffix("/oauth")

    unknown = (400, "there is no such userCode\n")
    assert await tell("expire_code", userCode=begun["user_code"], interface=second) == unknown
    assert await tell("expire_code", userCode="x") == unknown
    assert await tell("expire_code", userCode=begun["user_code"]) == (204, "")
    assert (await agent.poll(begun["device_code"])).json()["error"] == "expired_token"
    assert await tell("revoke_grant", grantId="x") == (400, "there is no such grantId\n")
    assert (await agent.say(delegation=token)).status_code == 200
    assert await tell("revoke_grant", grantId=grant_id) == (204, "")
    assert_bad(await agent.say(delegation=token))
    assert json.loads((await agent.begin(READ)).text)["interval"] == 5
