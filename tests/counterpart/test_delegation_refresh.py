"""Refreshing: another token of the same grant, never wider, and only while it lasts (§5.4)."""

from tests.counterpart.delegating import (
    CANCEL,
    CHANGE,
    READ,
    Browser,
    PersonalAgent,
    claims,
    error,
)
from tests.counterpart.world import FIRST, SECOND, World, alone


@alone
async def test_a_refresh_gets_a_token_of_the_same_grant(world: World) -> None:
    agent = PersonalAgent(world)
    first = await agent.get_token(READ, CANCEL)
    agent.pass_time(3600)
    answer = await agent.refresh(first["refresh_token"])
    second = answer.json()
    said = [claims(it["access_token"]) for it in (first, second)]

    assert answer.headers["cache-control"] == "no-store"
    for name in ("iss", "aud", "sub", "client_id", "scope", "grant_id"):
        assert said[0][name] == said[1][name]
    assert (await agent.say(delegation=first["access_token"])).status_code == 401
    assert (await agent.say(delegation=second["access_token"])).status_code == 200


@alone
async def test_a_refresh_needs_no_client_id(world: World) -> None:
    agent = PersonalAgent(world)
    first = await agent.get_token(READ)

    form = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}

    assert (await agent.post("/token", form)).status_code == 200


@alone
async def test_a_refresh_may_narrow_and_never_widen(world: World) -> None:
    agent = PersonalAgent(world)
    begun = (await agent.begin(READ, CANCEL, CHANGE)).json()
    await Browser(world).decide(begun["verification_uri_complete"], [READ, CANCEL])
    first = (await agent.poll(begun["device_code"])).json()

    assert error(await agent.refresh(first["refresh_token"], scope=CHANGE)) == "invalid_scope"
    wider = f"{READ} {CHANGE}"
    assert error(await agent.refresh(first["refresh_token"], scope=wider)) == "invalid_scope"
    narrow = (await agent.refresh(first["refresh_token"], scope=READ)).json()
    assert narrow["scope"] == claims(narrow["access_token"])["scope"] == READ
    again = (await agent.refresh(narrow["refresh_token"])).json()
    assert again["scope"] == f"{READ} {CANCEL}"


@alone
async def test_a_token_of_a_skipped_consent_is_not_widened_by_its_grant(world: World) -> None:
    agent = PersonalAgent(world)
    await agent.get_token(READ, CANCEL)
    skipped = await agent.get_token(READ)

    assert skipped["scope"] == READ
    assert error(await agent.refresh(skipped["refresh_token"], scope=CANCEL)) == "invalid_scope"


@alone
async def test_a_second_use_ends_the_grant(world: World) -> None:
    agent = PersonalAgent(world)
    first = await agent.get_token(READ)
    second = (await agent.refresh(first["refresh_token"])).json()

    assert second["refresh_token"] != first["refresh_token"]
    assert error(await agent.refresh(first["refresh_token"])) == "invalid_grant"
    assert error(await agent.refresh(second["refresh_token"])) == "invalid_grant"
    assert (await agent.say(delegation=second["access_token"])).status_code == 401


@alone
async def test_another_agent_and_another_brand_get_nothing_and_break_nothing(world: World) -> None:
    agent = PersonalAgent(world)
    refresh_token = (await agent.get_token(READ))["refresh_token"]
    other = PersonalAgent(world, agent=world.keys.other)

    assert error(await other.refresh(refresh_token)) == "invalid_grant"
    elsewhere = PersonalAgent(world, brand=SECOND)
    assert error(await elsewhere.refresh(refresh_token)) == "invalid_grant"
    assert (await agent.refresh(refresh_token)).status_code == 200


@alone
async def test_it_ends_with_the_grant_and_so_does_every_token(world: World) -> None:
    agent, brand = PersonalAgent(world), world.provider.brands[FIRST]
    refresh_token = (await agent.get_token(READ))["refresh_token"]
    agent.pass_time(brand.grant_seconds - 100)
    last = (await agent.refresh(refresh_token)).json()

    assert last["expires_in"] <= 100
    agent.pass_time(100)
    assert error(await agent.refresh(last["refresh_token"])) == "invalid_grant"
