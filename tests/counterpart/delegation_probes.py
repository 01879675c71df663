"""What can be asked of a Provider under delegation tokens (§5.5, §5.6)."""

import json
import uuid
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import httpx

from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.delegation import read, verify
from pact_conformance.tokens.delegation_forgeries import (
    DelegationForgery,
    Materials,
    forge_delegation,
    load_forgeries,
    load_headers,
)
from pact_conformance.tokens.keys import SigningKey
from tests.counterpart.agent import AUDIENCE
from tests.counterpart.delegating import CANCEL, CHANGE, READ, Browser, PersonalAgent, claims
from tests.counterpart.showing import seen, tell, value
from tests.counterpart.world import FIRST, SECOND, World

_JKU = "https://stranger.example/delegation"
_OPENING = "What are your opening hours?"
_WHERE, _STOP = "Where is my order?", "Please cancel my order."

Shown = AsyncIterator[tuple[str, object]]


async def under_delegation(world: World) -> Shown:
    """Yield what is asked and what the answer shows."""
    for part in (_headers, _forged, _limits, _talking, _accounts, _stepping_up, _looking_up):
        async for name, shown in part(world):
            yield name, shown


def _facts(answer: httpx.Response, token: str = "") -> object:
    """Return what an answer shows, without what differs each time."""
    body = value(answer)
    if answer.status_code != 200:
        return seen(answer)
    copy = json.loads(json.dumps(body))
    message = copy.get("message", {})
    for member in ("messageId", "contextId"):
        message[member] = isinstance(message.get(member), str)
    part = message.get("parts", [{}])[0]
    part["text"] = bool(part.get("text"))
    holders = (copy, copy.get("metadata", {}), message, message.get("metadata", {}), part)
    for holder in (*holders, part.get("metadata", {})):
        for name in ("pact.receipt", "receipt"):
            if name in holder:
                holder[name] = _receipt(holder[name], token)
    return copy


def _receipt(receipt: Any, token: str) -> object:  # noqa: ANN401 - whatever a flaw puts there
    if not isinstance(receipt, dict):
        return type(receipt).__name__
    shown, jws = receipt.get("claims"), receipt.get("jws")
    if not isinstance(shown, dict) or not isinstance(jws, str):
        return [type(shown).__name__, type(jws).__name__]
    told = dict(shown)
    if token:
        told["grantId"] = told.get("grantId") == claims(token)["grant_id"]
    try:
        at = datetime.fromisoformat(str(told.pop("ts", "")))
        offset = str(at.utcoffset())
        # Earlier probes move the clock by minutes.
        late = abs((datetime.now(at.tzinfo) - at).total_seconds()) > 1800
        told["ts"] = [offset, late, str(shown["ts"])[10:11], str(shown["ts"])[-1] == "Z"]
    except ValueError:
        told["ts"] = "none"
    try:
        return [told, claims(jws) == shown, str(jws).count("."), sorted(claims(jws))]
    except (ValueError, IndexError):
        return [told, "unreadable"]


async def _headers(world: World) -> Shown:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ, CANCEL))["access_token"]
    for header in load_headers():
        lines = [line.replace("{token}", token) for line in header.lines]
        yield f"header {header.id}", _facts(await _send(agent, lines), token)
    for name, bearer in (("no token", None), ("bad token", "x.y.z")):
        for value_of in (f"Bearer {token}", "Bearer nonsense"):
            answer = await _send(agent, [value_of], bearer=bearer)
            yield f"{name} beside {value_of[:10]}", seen(answer)


async def _send(
    agent: PersonalAgent, lines: list[str], *, bearer: str | None = "", brand: str = FIRST
) -> httpx.Response:
    bearer = agent.token() if bearer == "" else bearer
    headers = [("X-A2A-User-Delegation", line) for line in lines]
    headers += [("A2A-Version", "1.0")]
    headers += [] if bearer is None else [("Authorization", f"Bearer {bearer}")]
    message = {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": _OPENING}]}
    return await agent.world.client.post(
        f"/a2a/{brand}/message:send", headers=headers, json={"message": message}
    )


async def _forged(world: World) -> Shown:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ, CANCEL))["access_token"]
    other = (await agent.get_token(READ, browser=Browser(world, "omar")))["access_token"]
    answer = await agent.say(_WHERE, token)
    receipt = value(answer).get("message", {}).get("metadata", {}).get("pact.receipt", {})
    keys = (SigningKey("e1", "ES256", agent.agent.ec_key),)
    jwks = value(await world.client.get(f"/a2a/{FIRST}/oauth/jwks.json"))
    jws = receipt.get("jws") if isinstance(receipt, dict) else None
    materials = Materials(
        good=read(token),
        jwks=jwks,
        caller=Caller(agent.agent.issuer, AUDIENCE, keys),
        another=read(other),
        receipt=jws if isinstance(jws, str) else None,
        scopes=(READ, CANCEL, CHANGE),
    )
    # What the token points to is found there.
    world.provider.fetcher.fetch = world.web.fetch  # type: ignore[method-assign]
    for forgery in load_forgeries():
        text = _forge(world, forgery, materials)
        yield f"forged {forgery.id}", _facts(await agent.say(_OPENING, text), token)


def _forge(world: World, forgery: DelegationForgery, materials: Materials) -> str:
    if "jku-server" in forgery.needs:
        stranger = world.keys.stranger
        key = SigningKey("e1", "ES256", stranger.ec_key)
        world.web.documents[_JKU] = json.dumps(stranger.jwks()).encode()
        good = materials.good
        return (
            Caller(stranger.issuer, AUDIENCE, (key,))
            .token(header={"jku": _JKU, "kid": "e1"}, claims=dict(good.claims))
            .text
        )
    if materials.lacks(forgery):
        return "x.y.z"
    return forge_delegation(forgery, materials).text


async def _limits(world: World) -> Shown:
    agent, other = PersonalAgent(world), PersonalAgent(world, agent=world.keys.other)
    token = (await agent.get_token(READ))["access_token"]
    second = PersonalAgent(world, brand=SECOND)
    elsewhere = (await second.get_token(READ))["access_token"]
    yield "good", _facts(await agent.say(_WHERE, token), token)
    yield "of another Brand", _facts(await agent.say(_OPENING, elsewhere), elsewhere)
    yield "of another agent", _facts(await other.say(_OPENING, token), token)
    agent.pass_time(3700)
    yield "expired", _facts(await agent.say(_OPENING, token), token)
    agent.pass_time(-3700)
    await tell(world, "revoke_grant", grantId=claims(token)["grant_id"])
    yield "revoked", _facts(await agent.say(_OPENING, token), token)


async def _talking(world: World) -> Shown:
    agent, stranger = PersonalAgent(world), PersonalAgent(world, user="user-2")
    token = (await agent.get_token(READ, CANCEL))["access_token"]
    first = await agent.say(f"{_WHERE} {_STOP}", token)
    context = _context(first)
    yield "acting", _facts(first, token)
    yield "its receipt", await _verified(world, first)
    said = {"contextId": context, "messageId": "again"}
    second = await agent.say(_OPENING, token, **said)
    yield "acting on", _facts(second, token)
    again = await agent.say(_OPENING, token, **said)
    yield "repeated", [_facts(again, token), value(again) == value(second)]
    yield "without token", _facts(await agent.say(_WHERE, contextId=context), token)
    yield "without token elsewhere", _facts(await agent.say(_WHERE), token)
    begun = _context(await agent.say(_OPENING))
    later = await agent.say(_OPENING, token, contextId=begun)
    yield "under a token later", [_facts(later, token), _context(later) == begun]
    foreign = _context(await stranger.say(_OPENING))
    for asking, wanted in ((agent, "unknown"), (agent, foreign), (stranger, context)):
        answer = await asking.say(_OPENING, token, contextId=wanted)
        yield f"{asking.user} in {wanted[:4] == 'unkn'}", _facts(answer, token)


async def _verified(world: World, answer: httpx.Response) -> object:
    receipt = value(answer).get("message", {}).get("metadata", {}).get("pact.receipt")
    jwks = value(await world.client.get(f"/a2a/{FIRST}/oauth/jwks.json"))
    try:
        return bool(verify(receipt["jws"], jwks))
    except (ValueError, TypeError, KeyError, AttributeError):
        return False


def _context(answer: httpx.Response) -> str:
    body = value(answer)
    held = body.get("message") or body.get("task") or {}
    return str(held.get("contextId", "?"))


async def _accounts(world: World) -> Shown:
    agent = PersonalAgent(world, user="user-3")
    own = (await agent.get_token(READ))["access_token"]
    other = (await agent.get_token(READ, browser=Browser(world, "omar")))["access_token"]
    yield "as the other", _facts(await agent.say(_WHERE, other), other)
    context = _context(await agent.say(_WHERE, own, messageId="a"))
    for message_id in ("new", "a"):
        answer = await agent.say(_WHERE, other, contextId=context, messageId=message_id)
        yield f"the other says {message_id}", _facts(answer, other)
    yield "the owner goes on", _facts(await agent.say(_WHERE, own, contextId=context), own)


async def _stepping_up(world: World) -> Shown:
    # A grant that is there already would spare the consent, and with it the link its use.
    agent = PersonalAgent(world, user="user-4", agent=world.keys.other)
    begun = value(await agent.begin(CHANGE))
    await Browser(world, "omar").decide(begun["verification_uri_complete"])
    token = value(await agent.poll(begun["device_code"]))["access_token"]
    answer = await agent.say(_STOP, token)
    task = value(answer).get("task", {})
    link = str(task.get("metadata", {}).pop("pact.verificationUriComplete", ""))
    message = task.get("status", {}).get("message")
    yield "step-up", [answer.status_code, sorted(value(answer)), sorted(task), seen_task(task)]
    yield "its message", message if isinstance(message, str) else sorted(message or {})
    yield "its link is new", link != begun["verification_uri_complete"]
    if link.startswith("http"):
        browser = Browser(world, "omar")
        page = await browser.open(link)
        if page.action is not None:
            page = await browser.reach_consent(link)
        yield "behind it", [page.answer.status_code, page.name, sorted(page.fields)]
    context = _context(answer)
    after = await agent.say(_OPENING, token, contextId=context)
    yield "after it", [_facts(after, token), _context(after) == context]
    both = await agent.get_token(CHANGE, CANCEL, browser=Browser(world, "omar"))
    wider = both["access_token"]
    yield "resolved", _facts(await agent.say(_STOP, wider, contextId=context), wider)


def seen_task(task: dict[str, Any]) -> object:
    """Return what a task shows, without what differs each time."""
    status = task.get("status", {})
    message = status.get("message")
    role = message.get("role") if isinstance(message, dict) else None
    kinds = [type(task.get(name)).__name__ for name in ("id", "contextId", "metadata")]
    return [kinds, status.get("state"), role, task.get("metadata"), task.get("id") == "t-1"]


async def _looking_up(world: World) -> Shown:
    owner, prying = PersonalAgent(world, user="user-5"), PersonalAgent(world, user="user-6")
    token = (await owner.get_token(READ))["access_token"]
    wanted = value(await owner.say(_STOP, token)).get("task", {}).get("id", "?")
    for agent in (prying, owner):
        got = await agent.tasks(f"/{wanted}")
        yield f"{agent.user} looks", [got.status_code, value(got).get("id") == wanted, _why(got)]
        listed = value(await agent.tasks()).get("tasks", [])
        yield f"{agent.user} lists", len(listed)
        got = await agent.tasks(f"/{wanted}:cancel", "POST")
        yield f"{agent.user} cancels", [got.status_code, value(got).get("id") == wanted, _why(got)]


def _why(answer: httpx.Response) -> object:
    return value(answer).get("error", {})
