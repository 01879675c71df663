"""Limits of the rate, per User and per personal agent."""

import asyncio

import pytest

from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.rate import RateLimit, Rates
from pact_conformance.counterpart.provider.refusals import RateLimited
from tests.counterpart.world import SECOND, World, alone, visit


def test_a_limit_frees_up_as_time_goes_by() -> None:
    limit = RateLimit(2, seconds=10)
    limit.check("a", 100.0)
    limit.check("a", 104.5)
    with pytest.raises(RateLimited) as refused:
        limit.check("a", 105.0)
    limit.check("b", 105.0)
    limit.check("a", 110.0)

    assert refused.value.retry_after == 5


def test_a_user_is_limited_alone() -> None:
    async def act(world: World) -> None:
        statuses = [(await world.ask("GET", "/tasks")).status_code for _ in range(3)]
        limited = await world.ask("GET", "/tasks")

        assert statuses == [200, 200, 429]
        assert limited.headers["retry-after"] == "60"
        assert limited.content == b""
        assert (await world.say("user-2")).status_code == 200
        assert (await world.say(agent=world.keys.other)).status_code == 200
        assert (await world.say(brand=SECOND)).status_code == 200

    def limited(provider: Provider) -> None:
        provider.rates = Rates(user=2, seconds=60)

    asyncio.run(visit(limited, act))


def test_an_agent_is_limited_with_all_its_users() -> None:
    async def act(world: World) -> None:
        statuses = [(await world.say(f"user-{number}")).status_code for number in range(3)]

        assert statuses == [200, 200, 429]
        assert (await world.say(agent=world.keys.other)).status_code == 200

    def limited(provider: Provider) -> None:
        provider.rates = Rates(agent=2, seconds=60)

    asyncio.run(visit(limited, act))


@alone
async def test_nobody_is_limited_unless_it_is_configured(world: World) -> None:
    assert {(await world.ask("GET", "/tasks")).status_code for _ in range(50)} == {200}
