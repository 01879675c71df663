"""The OAuth endpoints: device authorization, polls, and what they refuse (§5.3, §6)."""

import httpx
import pytest

from pact_conformance.wire import schema
from pact_conformance.wire.errors import is_a2a_body
from tests.counterpart.delegating import (
    CANCEL,
    CHANGE,
    DEVICE_CODE,
    READ,
    Browser,
    PersonalAgent,
    claims,
    error,
    issuer,
)
from tests.counterpart.world import SECOND, World, alone


@alone
async def test_a_device_authorization_gives_codes_and_a_link(world: World) -> None:
    answer = await PersonalAgent(world).begin(READ)
    begun = answer.json()

    assert answer.headers["cache-control"] == "no-store"
    assert schema.problems(begun, "device-authorization-response") == []
    assert (begun["expires_in"], begun["interval"]) == (600, 5)
    link = httpx.URL(begun["verification_uri_complete"])
    assert (link.host, link.path) == ("localhost", "/login")
    assert link.params["return_to"] == f"{issuer()}/return?user_code={begun['user_code']}"
    assert begun["user_code"] not in begun["verification_uri"]
    assert begun["device_code"] not in str(link)


@alone
async def test_codes_differ_each_time(world: World) -> None:
    agent = PersonalAgent(world)
    begun = [(await agent.begin(READ)).json() for _ in range(50)]

    assert len({it["device_code"] for it in begun}) == len({it["user_code"] for it in begun}) == 50


@pytest.mark.parametrize("scope", ["", "refunds:issue", f"{READ} refunds:issue {CANCEL}"])
def test_an_unknown_scope_is_refused_also_among_known_ones(scope: str) -> None:
    @alone
    async def refused(world: World) -> None:
        assert error(await PersonalAgent(world).begin(scope)) == "invalid_scope"

    refused()


@pytest.mark.parametrize("path", ["/device_authorization", "/token"])
def test_a_bad_jwt_comes_before_everything_else(path: str) -> None:
    @alone
    async def refused(world: World) -> None:
        for headers in ({}, {"Authorization": f"Bearer {world.agent.token(aud='x')}"}):
            answer = await world.client.post(f"{issuer()}{path}", headers=headers, content=b"{")

            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == 'Bearer realm="a2a"'
            assert answer.content == b""

    refused()


@pytest.mark.parametrize("path", ["/device_authorization", "/token"])
@pytest.mark.parametrize("client_id", ["https://other.example", ""])
def test_the_client_is_whoever_signed_the_jwt(path: str, client_id: str) -> None:
    @alone
    async def refused(world: World) -> None:
        form = {"scope": READ, "grant_type": DEVICE_CODE, "device_code": "x"}
        answer = await PersonalAgent(world).post(path, {**form, "client_id": client_id})

        assert error(answer) == "invalid_request"

    refused()


@pytest.mark.parametrize("path", ["/device_authorization", "/token"])
def test_a_request_is_a_form_without_repetitions(path: str) -> None:
    @alone
    async def refused(world: World) -> None:
        agent = PersonalAgent(world)
        pairs = [("client_id", agent.agent.issuer), ("scope", READ), ("scope", READ)]
        pairs += [("grant_type", DEVICE_CODE), ("device_code", "x")]
        url = f"{issuer()}{path}"
        as_json = await world.client.post(url, headers=agent.bearer(), json=dict(pairs))
        form = {**agent.bearer(), "Content-Type": "application/x-www-form-urlencoded"}
        no_text = await world.client.post(url, headers=form, content=b"client_id=%ff")
        too_long = await world.client.post(url, headers=form, content=b"a" * (1 << 21))

        assert error(await agent.post(path, pairs)) == "invalid_request"
        assert error(as_json) == error(no_text) == error(too_long) == "invalid_request"

    refused()


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ({}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": DEVICE_CODE}, "invalid_request"),
        ({"grant_type": DEVICE_CODE, "device_code": "made-up"}, "invalid_grant"),
        ({"grant_type": "refresh_token"}, "invalid_request"),
        ({"grant_type": "refresh_token", "refresh_token": "made-up"}, "invalid_grant"),
    ],
)
def test_a_bad_token_request_is_refused(form: dict[str, str], expected: str) -> None:
    @alone
    async def refused(world: World) -> None:
        agent = PersonalAgent(world)
        answer = await agent.post("/token", {"client_id": agent.agent.issuer, **form})

        assert error(answer) == expected
        assert not is_a2a_body(answer.json())

    refused()


@alone
async def test_an_approved_code_gets_a_token_once(world: World) -> None:
    agent = PersonalAgent(world)
    begun = (await agent.begin(READ, CANCEL)).json()
    pending = await agent.poll(begun["device_code"])
    await Browser(world).decide(begun["verification_uri_complete"])
    answer = await agent.poll(begun["device_code"])
    again = await agent.poll(begun["device_code"])

    assert error(pending) == "authorization_pending"
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert schema.problems(answer.json(), "token-response") == []
    assert answer.json()["scope"] == f"{READ} {CANCEL}"
    assert answer.json()["expires_in"] == 3600
    assert error(again) == "invalid_grant"


@alone
async def test_polling_too_fast_costs_5_seconds_of_that_code(world: World) -> None:
    agent = PersonalAgent(world)
    one, other = [(await agent.begin(READ)).json()["device_code"] for _ in range(2)]

    assert error(await agent.poll(one)) == "authorization_pending"
    agent.pass_time(4)
    assert error(await agent.poll(one)) == "slow_down"
    agent.pass_time(9)
    assert error(await agent.poll(one)) == "slow_down"
    agent.pass_time(15)
    assert error(await agent.poll(one)) == "authorization_pending"
    assert error(await agent.poll(other)) == "authorization_pending"
    agent.pass_time(5)
    assert error(await agent.poll(other)) == "authorization_pending"


@alone
async def test_what_is_approved_between_fast_polls_is_given_at_once(world: World) -> None:
    agent = PersonalAgent(world)
    begun = (await agent.begin(READ)).json()
    await agent.poll(begun["device_code"])
    await Browser(world).decide(begun["verification_uri_complete"])

    assert (await agent.poll(begun["device_code"])).status_code == 200


@alone
async def test_a_code_expires(world: World) -> None:
    agent = PersonalAgent(world)
    device_code = (await agent.begin(READ)).json()["device_code"]
    agent.pass_time(600)

    assert error(await agent.poll(device_code)) == "expired_token"


@alone
async def test_another_agents_code_and_another_brands_is_unknown(world: World) -> None:
    agent, other = PersonalAgent(world), PersonalAgent(world, agent=world.keys.other)
    begun = (await agent.begin(READ)).json()
    await Browser(world).decide(begun["verification_uri_complete"])

    assert error(await other.poll(begun["device_code"])) == "invalid_grant"
    elsewhere = PersonalAgent(world, brand=SECOND)
    assert error(await elsewhere.poll(begun["device_code"])) == "invalid_grant"
    assert (await PersonalAgent(world, user="2").poll(begun["device_code"])).status_code == 200


@alone
async def test_the_token_says_what_was_approved_and_by_whom(world: World) -> None:
    agent = PersonalAgent(world)
    begun = (await agent.begin(READ, CHANGE)).json()
    await Browser(world, "omar").decide(begun["verification_uri_complete"], [CHANGE])
    got = (await agent.poll(begun["device_code"])).json()
    said = claims(got["access_token"])

    assert schema.problems(said, "delegation-token") == []
    assert got["scope"] == said["scope"] == CHANGE
    assert said["iss"] == issuer()
    assert said["aud"] == issuer().removesuffix("/oauth")
    assert (said["sub"], said["client_id"]) == ("omar-1208", agent.agent.issuer)
    assert said["exp"] - said["iat"] == got["expires_in"] == 3600
    assert "user-1" not in str(said)


@alone
async def test_a_rate_limit_holds_at_the_endpoints_too(world: World) -> None:
    agent = PersonalAgent(world)
    asked = {"hook": "rate_limit", "issuer": agent.agent.issuer, "seconds": 60}
    await world.client.post(world.provider.control.path, json=asked)
    answer = await agent.begin(READ)

    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) <= 60


@alone
async def test_a_breakdown_has_no_a2a_body(world: World) -> None:
    def break_down(*_: object) -> object:
        raise RuntimeError

    world.provider.delegation.device_response["interval"] = break_down
    answer = await PersonalAgent(world).begin(READ)

    assert (answer.status_code, answer.content) == (500, b"")


@alone
async def test_no_version_of_a2a_is_asked_for(world: World) -> None:
    agent = PersonalAgent(world)
    form = {"client_id": agent.agent.issuer, "scope": READ}
    answer = await agent.post("/device_authorization", form, **{"A2A-Version": "9.9"})

    assert answer.status_code == 200
