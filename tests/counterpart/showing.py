"""What an answer shows, and how the mock is told things."""

import re
from typing import Any

import httpx

from tests.counterpart.world import World

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def seen(answer: httpx.Response) -> object:
    """Return what an answer shows, without what differs each time."""
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    body = _UUID.sub("<uuid>", re.sub(r"Ticket \d+", "Ticket", answer.text))
    if "<uuid>" in body:
        headers["content-length"] = str(len(body))
    return (answer.status_code, sorted(headers.items()), body)


def value(answer: httpx.Response) -> dict[str, Any]:
    """Return the JSON object of an answer, or an empty one."""
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def reply(answer: httpx.Response) -> dict[str, Any]:
    """Return the Message of an answer, or an empty object."""
    found = value(answer).get("message", {})
    return found if isinstance(found, dict) else {}


async def tell(world: World, hook: str, **about: object) -> None:
    """Ask something of the control endpoint."""
    await world.client.post(world.provider.control.path, json={"hook": hook, **about})
