"""What the control endpoint does, and to whom alone."""

from dataclasses import replace

import httpx
import pytest

from pact_conformance.counterpart.provider.serving import RunningProvider
from tests.counterpart.world import BASE, FIRST, SECOND, World, alone

ISSUER = "https://agent.example"
OTHER = "https://other.example"


def interface(brand: str = FIRST) -> str:
    return f"{BASE}/a2a/{brand}"


async def tell(world: World, hook: str, **about: object) -> httpx.Response:
    asked = {"hook": hook, **about}
    return await world.client.post(world.provider.control.path, json=asked)


async def told(world: World, hook: str, **about: object) -> None:
    answer = await tell(world, hook, **about)
    assert (answer.status_code, answer.text) == (204, "")


def reason(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["details"][0]["reason"])


async def context(world: World) -> str:
    return str((await world.say()).json()["message"]["contextId"])


@alone
async def test_a_conversation_is_closed(world: World) -> None:
    closed, open_ = await context(world), await context(world)
    about = {"issuer": ISSUER, "sub": "user-1", "contextId": closed}
    await told(world, "close_conversation", interface=interface(), **about)

    assert reason(await world.say(members={"contextId": closed})) == "UNSUPPORTED_OPERATION"
    assert (await world.say(members={"contextId": open_})).status_code == 200


@alone
async def test_the_newest_brand_is_found_without_a_look_at_the_others(world: World) -> None:
    provider, looked_at = world.provider, list[str]()
    usual = provider.interface

    def interface_of(brand_id: str) -> str:
        looked_at.append(brand_id)
        return usual(brand_id)

    provider.interface = interface_of
    provider.brands["newest"] = replace(provider.brands[FIRST], id="newest")
    await told(world, "advance_clock", interface=interface("newest"), seconds=1)

    assert looked_at == ["newest"]


@alone
async def test_an_agent_is_disabled_and_enabled_at_once(world: World) -> None:
    await told(world, "disable_agent", interface=interface(), issuer=ISSUER)

    assert (await world.say()).status_code == 401
    assert (await world.say(agent=world.keys.other)).status_code == 200

    await told(world, "enable_agent", issuer=ISSUER)

    assert (await world.say()).status_code == 200


@alone
async def test_the_agent_fails_for_one_user_at_one_brand(world: World) -> None:
    about = {"interface": interface(), "issuer": ISSUER, "sub": "user-1"}
    await told(world, "fail_agent", on=True, **about)
    failed = await world.say()

    assert (failed.status_code, reason(failed)) == (500, "INTERNAL")
    assert (await world.say("user-2")).status_code == 200
    assert (await world.say(brand=SECOND)).status_code == 200
    assert (await world.say(agent=world.keys.other)).status_code == 200

    await told(world, "fail_agent", on=False, **about)

    assert (await world.say()).status_code == 200


@alone
async def test_the_agent_is_slow_for_one_user(world: World) -> None:
    about = {"interface": interface(), "issuer": ISSUER, "sub": "user-1"}
    await told(world, "slow_agent", on=True, seconds=0.2, **about)

    assert (await world.say()).elapsed.total_seconds() >= 0.2
    assert (await world.say("user-2")).elapsed.total_seconds() < 0.2

    await told(world, "slow_agent", on=False, **about)

    assert (await world.say()).elapsed.total_seconds() < 0.2


@alone
async def test_a_rate_limit_ends_by_the_clock_of_the_brand(world: World) -> None:
    about = {"interface": interface(), "issuer": ISSUER, "sub": "user-1"}
    await told(world, "rate_limit", on=True, seconds=7, **about)
    limited = await world.ask("GET", "/tasks")

    assert (limited.status_code, limited.headers["retry-after"]) == (429, "7")
    assert (await world.say("user-2")).status_code == 200
    assert (await world.say(brand=SECOND)).status_code == 200

    await told(world, "advance_clock", interface=interface(), seconds=7.5)
    later = world.agent.token(iat=int(world.provider.clock.now(FIRST)))

    assert (await world.ask("GET", "/tasks", token=later)).status_code == 200


@alone
async def test_a_rate_limit_is_taken_back(world: World) -> None:
    await told(world, "rate_limit", issuer=ISSUER, on=True, seconds=60)

    assert (await world.say()).status_code == 429

    await told(world, "rate_limit", issuer=ISSUER, on=False)

    assert (await world.say()).status_code == 200


@alone
async def test_a_clock_is_moved_for_one_brand(world: World) -> None:
    await told(world, "advance_clock", interface=interface(), seconds=1000)

    assert (await world.say()).status_code == 401
    assert (await world.say(brand=SECOND)).status_code == 200


@alone
async def test_a_card_url_names_a_brand_too(world: World) -> None:
    await told(world, "fail_agent", interface=world.provider.card_url(SECOND))

    assert (await world.say(brand=SECOND)).status_code == 500
    assert (await world.say()).status_code == 200


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ([], "expected a JSON object"),
        ({"hook": "burn"}, "no hook 'burn'"),
        ({"hook": "advance_clock", "seconds": 1}, "interface is missing"),
        ({"hook": "advance_clock", "interface": f"{BASE}/a2a/x", "seconds": 1}, "no Brand has"),
        ({"hook": "advance_clock", "interface": interface(), "seconds": "1"}, "seconds must be"),
        ({"hook": "slow_agent", "seconds": -1}, "seconds must be"),
        ({"hook": "fail_agent", "on": 1}, "on must be"),
        ({"hook": "fail_agent", "sub": 1}, "sub must be"),
        ({"hook": "disable_agent"}, "issuer must be"),
        ({"hook": "disable_agent", "issuer": "x"}, "no personal agent"),
        ({"hook": "close_conversation", "contextId": "x"}, "no such conversation"),
    ],
)
def test_a_bad_object_is_refused_in_a_line(asked: object, complaint: str) -> None:
    @alone
    async def refused(world: World) -> None:
        answer = await world.client.post(world.provider.control.path, json=asked)

        assert answer.status_code == 400
        assert complaint in answer.text
        assert answer.text.count("\n") == 1

    refused()


@alone
async def test_whoever_does_not_know_the_secret_finds_nothing(world: World) -> None:
    asked = {"hook": "disable_agent", "issuer": ISSUER}
    for path in ("/control/", "/control/x", f"{world.provider.control.path}x"):
        assert (await world.client.post(path, json=asked)).status_code == 404
    assert (await world.client.get(world.provider.control.path)).status_code == 405
    assert (await world.client.post(world.provider.control.path, content=b"{")).status_code == 400
    assert (await world.say()).status_code == 200


def test_each_start_has_a_secret_of_its_own() -> None:
    @alone
    async def one(world: World) -> None:
        seen.add(world.provider.control.path)

    seen: set[str] = set()
    one()
    one()

    assert len(seen) == 2


def test_the_url_is_announced(running: RunningProvider) -> None:
    asked = {"hook": "disable_agent", "issuer": "x"}
    answer = httpx.post(running.control, json=asked, trust_env=False)

    assert (answer.status_code, answer.text) == (400, "no personal agent is registered as 'x'\n")
