"""Grants: where they spare consent, and where their User takes them back (§5.3, §5.5)."""

from pact_conformance.counterpart.provider.configuration import DEFAULT_SCOPES
from tests.counterpart.delegating import (
    CANCEL,
    READ,
    Browser,
    Page,
    PersonalAgent,
    claims,
    issuer,
    link,
)
from tests.counterpart.world import FIRST, SECOND, World, alone


async def reached(
    world: World, *scopes: str, username: str = "jane", agent: PersonalAgent | None = None
) -> Page:
    browser = Browser(world, username)
    return await browser.reach_consent((await link(world, *scopes, agent=agent))[0])


@alone
async def test_a_grant_that_covers_the_request_spares_consent(world: World) -> None:
    agent = PersonalAgent(world)
    first = await agent.get_token(READ, CANCEL)
    url, device_code = await link(world, CANCEL)
    page = await Browser(world).reach_consent(url)
    got = (await agent.poll(device_code)).json()

    assert (page.name, got["scope"]) == ("done", CANCEL)
    ids = [claims(it["access_token"])["grant_id"] for it in (first, got)]
    assert ids[0] == ids[1]


@alone
async def test_it_covers_every_scope_or_none(world: World) -> None:
    await PersonalAgent(world).get_token(READ)

    assert (await reached(world, READ, CANCEL)).name == "consent"


@alone
async def test_it_is_of_one_account_agent_and_brand(world: World) -> None:
    await PersonalAgent(world).get_token(READ)
    other = PersonalAgent(world, agent=world.keys.other)
    second = PersonalAgent(world, brand=SECOND)

    assert (await reached(world, READ, username="omar")).name == "consent"
    assert (await reached(world, READ, agent=other)).name == "consent"
    assert (await reached(world, READ, agent=second)).name == "consent"
    same = PersonalAgent(world, user="user-2")
    assert (await reached(world, READ, agent=same)).name == "done"


@alone
async def test_it_ends_with_the_grant(world: World) -> None:
    agent = PersonalAgent(world)
    await agent.get_token(READ)
    agent.pass_time(world.provider.brands[FIRST].grant_seconds)

    assert (await reached(world, READ)).name == "consent"


@alone
async def test_grants_are_seen_and_taken_back_by_their_user_alone(world: World) -> None:
    agent, jane, omar = PersonalAgent(world), Browser(world), Browser(world, "omar")
    got = await agent.get_token(READ, browser=jane)
    await agent.get_token(CANCEL, browser=omar)
    grant_id = claims(got["access_token"])["grant_id"]
    theirs = await omar.open(f"{issuer()}/grants")
    refused = await omar.send(theirs, grant=grant_id)
    forged = await jane.post(f"{issuer()}/grants", {"grant": grant_id, "csrf": "x"})
    page = await jane.open(f"{issuer()}/grants")

    assert grant_id not in theirs.answer.text
    assert refused.answer.status_code == 404
    assert forged.answer.status_code == 403
    assert (await agent.say(delegation=got["access_token"])).status_code == 200
    assert DEFAULT_SCOPES[READ] in page.text

    after = await jane.send(page, grant=grant_id)

    assert "No assistant" in after.text
    assert (await agent.say(delegation=got["access_token"])).status_code == 401
