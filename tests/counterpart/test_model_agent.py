"""A Brand whose agent talks like a model, also with a thousand Users at once."""

import asyncio
import json
import subprocess
import sys
import time
from urllib.parse import urlsplit

from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.model_agent import ModelAgent
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.serving import start
from tests.counterpart.agent import AUDIENCE, Agent, message
from tests.counterpart.world import World, alone, visit

MANY = 1000


def model(provider: Provider) -> None:
    provider.employ(ModelAgent(think_seconds=0))


def test_no_two_replies_are_alike() -> None:
    async def act(world: World) -> None:
        replies = [(await world.say()).json()["message"] for _ in range(40)]

        assert len({reply["parts"][0]["text"] for reply in replies}) == len(replies)
        assert len({reply["messageId"] for reply in replies}) == len(replies)
        assert any(reply["parts"][0]["text"].endswith("?") for reply in replies)

    asyncio.run(visit(model, act))


def test_it_closes_only_when_it_is_told_to() -> None:
    async def act(world: World) -> None:
        async def context(text: str) -> str:
            answer = await world.say(members={"parts": [{"text": text}]})
            return str(answer.json()["message"]["contextId"])

        open_, closed = await context("{greeting} %s please fail"), await context("Goodbye then")

        assert (await world.say(members={"contextId": open_})).status_code == 200
        assert (await world.say(members={"contextId": closed})).status_code == 400

    asyncio.run(visit(model, act))


def test_conditions_happen_to_it_too() -> None:
    async def act(world: World) -> None:
        asked = {"hook": "fail_agent", "sub": "user-1"}
        await world.client.post(world.provider.control.path, json=asked)

        assert (await world.say()).status_code == 500
        assert (await world.say("user-2")).status_code == 200

    asyncio.run(visit(model, act))


@alone
async def test_a_repeat_gets_what_was_said_in_its_time(world: World) -> None:
    world.provider.employ(ModelAgent(think_seconds=0.2))
    first = (await world.say(members={"messageId": "1"})).json()["message"]
    started = time.perf_counter()
    again = await world.say(members={"messageId": "1", "contextId": first["contextId"]})

    assert again.json()["message"] == first
    assert time.perf_counter() - started < 0.1


def test_think_is_an_argument() -> None:
    command = [sys.executable, "-m", "pact_conformance.counterpart.provider", "--think", "x"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)

    assert answer.returncode == 2
    assert "--think" in answer.stderr


async def _send(url: str, headers: dict[str, str], body: bytes) -> bytes:
    """Send one request on a connection of its own; a pool of a thousand would be the slow part."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    sent = headers | {"Host": parts.netloc, "Content-Length": str(len(body)), "Connection": "close"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    writer.write(f"POST {parts.path} HTTP/1.1\r\n{lines}\r\n".encode() + body)
    answer = await reader.read()
    writer.close()
    return answer


def test_a_thousand_conversations_are_held_at_once(agent: Agent) -> None:
    async def talk(interface: str) -> list[bytes]:
        body = [json.dumps(message()).encode() for _ in range(MANY)]
        headers = [agent.bearer(f"user-{number}") for number in range(MANY)]
        url = f"{interface}/message:send"
        return await asyncio.gather(*(_send(url, *it) for it in zip(headers, body, strict=True)))

    with agent.published() as registration:
        config = ProviderConfig(agents=(registration,), audience=AUDIENCE, think_seconds=0.5)
        with start(config) as provider:
            started = time.monotonic()
            answers = asyncio.run(talk(provider.brands[0].interface))
            took = time.monotonic() - started

    replies = [json.loads(answer.partition(b"\r\n\r\n")[2])["message"] for answer in answers]
    assert len({reply["contextId"] for reply in replies}) == MANY
    assert took < 15
