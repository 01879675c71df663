"""What can be asked of a Brand's authorization server, and what it shows (§5.1 to §5.4, §6)."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import jwt

from tests.counterpart.delegating import (
    CANCEL,
    CHANGE,
    READ,
    Browser,
    Page,
    PersonalAgent,
    issuer,
)
from tests.counterpart.showing import seen, tell, value
from tests.counterpart.world import FIRST, SECOND, World

_METADATA = "/.well-known/oauth-authorization-server"
_SECRETS = ("device_code", "user_code", "access_token", "refresh_token")
_SOON = 60

Probe = Callable[[World], Awaitable[object]]


async def authorization_server(world: World) -> AsyncIterator[tuple[str, object]]:
    """Yield what is asked and what the answer shows; each probe is one piece."""
    for probe in _PROBES:
        yield probe.__name__, await _shown(probe, world)


async def _shown(probe: Probe, world: World) -> object:
    try:
        return await probe(world)
    except (AssertionError, KeyError, ValueError, TypeError, httpx.HTTPError) as error:
        return f"ended by {type(error).__name__}"


def _answer(answer: httpx.Response) -> object:
    """Return what an answer shows, without secrets and without what depends on them."""
    body = value(answer)
    if not set(_SECRETS) & body.keys():
        return seen(answer)
    headers = sorted((answer.headers.get(it) for it in ("content-type", "cache-control")), key=str)
    shown = {name: type(it).__name__ if name in _SECRETS else it for name, it in body.items()}
    link = shown.pop("verification_uri_complete", None)
    told = None if link is None else str(body.get("user_code")) in str(link)
    return answer.status_code, headers, sorted(shown.items(), key=str), told


def _token(world: World, answer: httpx.Response | dict[str, Any]) -> object:
    """Return what a delegation token says, times as differences."""
    body = value(answer) if isinstance(answer, httpx.Response) else answer
    text = str(body["access_token"])
    if text.count(".") != 2:
        return "opaque"
    key = world.provider.delegation.keys.of(FIRST)[0].private.public_key()
    try:
        jwt.decode(text, key, ["ES256"], options={"verify_aud": False, "verify_exp": False})
        signed = "signed"
    except jwt.PyJWTError as error:
        signed = type(error).__name__
    claims = jwt.decode(text, options={"verify_signature": False})
    now = world.provider.clock.now(FIRST)
    times = [_time(claims.pop(name, None), now) for name in ("iat", "exp")]
    grant_id = type(claims.pop("grant_id", None)).__name__
    return jwt.get_unverified_header(text)["alg"], signed, times, grant_id, sorted(claims.items())


def _time(it: object, now: float) -> object:
    if isinstance(it, int):
        return round((it - now) / _SOON)
    return type(it).__name__


async def _documents(world: World) -> object:
    shown: list[object] = []
    for headers in ({}, PersonalAgent(world).bearer()):
        answer = await world.client.get(f"{issuer()}{_METADATA}", headers=headers)
        keys = await world.client.get(f"{issuer()}/jwks.json", headers=headers)
        shown += [seen(answer), keys.status_code, _keys(keys)]
    return shown


def _keys(answer: httpx.Response) -> object:
    document = json.loads(answer.text or "null")
    if not isinstance(document, dict):
        return type(document).__name__
    return [(sorted(key), key.get("kty"), key.get("crv")) for key in document["keys"]]


async def _beginning(world: World) -> object:
    asking = PersonalAgent(world)
    first, second = await asking.begin(READ, CANCEL), await asking.begin(READ)
    same = [value(first)[name] == value(second)[name] for name in ("device_code", "user_code")]
    refused = [
        await asking.begin("unknown"),
        await asking.begin(READ, "unknown", CANCEL),
        await asking.begin(READ, client_id="https://another.example"),
    ]
    return [_answer(first), same, [_answer(it) for it in refused]]


async def _strangers(world: World) -> object:
    asking, shown = PersonalAgent(world), list[object]()
    forged = world.keys.stranger.token(iss=world.agent.issuer)
    for path in ("/device_authorization", "/token"):
        for authorization in ("", f"Bearer {forged}"):
            form = {"client_id": asking.agent.issuer, "scope": READ}
            shown.append(_answer(await asking.post(path, form, Authorization=authorization)))
    return shown


async def _errors(world: World) -> object:
    asking, client = PersonalAgent(world), {"client_id": world.agent.issuer}
    kind = "urn:ietf:params:oauth:grant-type:device_code"
    forms: tuple[dict[str, str], ...] = (
        {},
        {"grant_type": kind},
        {"grant_type": kind, "device_code": "unknown"},
        {"grant_type": "refresh_token"},
        {"grant_type": "refresh_token", "refresh_token": "unknown"},
        {"grant_type": "password", "username": "jane", "password": "x"},
        {"grant_type": "client_credentials"},
    )
    return [_answer(await asking.post("/token", client | form)) for form in forms]


async def _polling(world: World) -> object:
    asking = PersonalAgent(world)
    begun = value(await asking.begin(READ))
    code, shown = begun["device_code"], list[object]()
    for seconds in (0, 0, 30):
        asking.pass_time(seconds)
        shown.append(_answer(await asking.poll(code)))
    about = {"interface": world.provider.interface(FIRST), "userCode": begun["user_code"]}
    await tell(world, "expire_code", **about)
    asking.pass_time(60)
    return [*shown, _answer(await asking.poll(code))]


async def _login(world: World) -> object:
    asking, browser = PersonalAgent(world), Browser(world)
    urls: list[str] = []

    async def note(request: httpx.Request) -> None:
        urls.append(str(request.url))

    browser.client.event_hooks["request"] = [note]
    begun, other = value(await asking.begin(READ)), value(await asking.begin(READ))
    first = await browser.open(begun["verification_uri_complete"])
    handed = await browser.log_in(begun["verification_uri_complete"])
    assert handed.action is not None
    pages = [await Browser(world).post(handed.action, handed.fields) for _ in range(2)]
    handed = await browser.log_in(begun["verification_uri_complete"])
    told = [name for name, it in handed.fields.items() if any(it in url for url in urls[2:])] + [
        str(handed.action).partition("?")[0]
    ]
    swapped = handed.fields | {"user_code": other["user_code"]}
    pages.append(await Browser(world).post(str(handed.action), swapped))
    return [sorted(first.fields), told, [page.name for page in pages], [_page(it) for it in pages]]


def _page(page: Page) -> object:
    status = page.answer.status_code
    text = page.text.partition("the code")[0]
    return status, page.name, text, page.boxes, sorted(page.fields), "disabled" in page.answer.text


async def _unattended(world: World) -> object:
    asking = PersonalAgent(world)
    begun = value(await asking.begin(READ, CANCEL))
    page = await Browser(world).reach_consent(begun["verification_uri_complete"])
    assert page.action is not None
    fields = page.fields | {"scope": READ, "decision": "approve"}
    stranger = await Browser(world).post(page.action, fields)
    return [_page(page)[:4], stranger.name, _answer(await asking.poll(begun["device_code"]))]  # type: ignore[index]


async def _deciding(world: World) -> object:
    asking, shown = PersonalAgent(world, "decides"), list[object]()
    for scopes, ticked, decision in (
        ((READ, CHANGE), [READ], "deny"),
        ((READ, CHANGE), [], "approve"),
        ((READ, CANCEL), [READ], "approve"),
        ((READ, CANCEL, CHANGE), [READ, CANCEL, CHANGE], "approve"),
    ):
        begun = value(await asking.begin(*scopes))
        page = await Browser(world).reach_consent(begun["verification_uri_complete"])
        if page.name == "consent":
            await Browser(world).open(begun["verification_uri_complete"])
            page = await _decide(world, begun["verification_uri_complete"], ticked, decision)
        answer = await asking.poll(begun["device_code"])
        shown += [page.name, page.text, _answer(answer)]
        if "access_token" in value(answer):
            shown.append(_token(world, answer))
    return shown


async def _decide(world: World, link: str, ticked: list[str], decision: str) -> Page:
    browser = Browser(world)
    page = await browser.reach_consent(link)
    return await browser.send(page, scope=ticked, decision=decision)


async def _redeeming(world: World) -> object:
    asking = PersonalAgent(world, "redeems")
    other = PersonalAgent(world, "redeems", world.keys.other)
    elsewhere = PersonalAgent(world, "redeems", brand=SECOND)
    begun = value(await asking.begin(READ))
    await Browser(world).decide(begun["verification_uri_complete"])
    code, shown = begun["device_code"], list[object]()
    for poll in (
        other.poll(code),
        elsewhere.poll(code),
        asking.poll(code, client_id="https://another.example"),
        asking.poll(code),
        asking.poll(code),
    ):
        shown.append(_answer(await poll))
    return shown


async def _refreshing(world: World) -> object:
    asking = PersonalAgent(world, "refreshes")
    other = PersonalAgent(world, "refreshes", world.keys.other)
    browser = Browser(world, "omar")
    begun = value(await asking.begin(READ, CHANGE))
    await browser.decide(begun["verification_uri_complete"], [READ])
    first = value(await asking.poll(begun["device_code"]))
    stranger = _answer(await other.refresh(first["refresh_token"]))
    plain = await asking.refresh(first["refresh_token"])
    shown = [stranger, _answer(plain), _token(world, plain)]
    shown.append(_grant(first) == _grant(value(plain)))
    latest = value(plain)["refresh_token"]
    wider = await asking.refresh(latest, scope=f"{READ} {CANCEL}")
    latest = value(wider).get("refresh_token", latest)
    about = {"interface": world.provider.interface(FIRST), "grantId": str(_grant(first))}
    await tell(world, "revoke_grant", **about)
    return [*shown, _answer(wider), _answer(await asking.refresh(latest))]


def _grant(body: dict[str, Any]) -> object:
    return jwt.decode(body["access_token"], options={"verify_signature": False})["grant_id"]


async def _skipping(world: World) -> object:
    """By now jane has granted everything to one agent, and omar nothing to the other."""
    asking = PersonalAgent(world, "skips")
    other = PersonalAgent(world, "skips", world.keys.other)
    shown: list[object] = []
    for agent, username, scopes in (
        (other, "jane", (READ,)),
        (other, "jane", (READ, CANCEL)),
        (asking, "omar", (CHANGE,)),
    ):
        begun = value(await agent.begin(*scopes))
        browser = Browser(world, username)
        page = await browser.decide(begun["verification_uri_complete"], scopes[:1])
        token = await agent.poll(begun["device_code"])
        asked = (await Browser(world, username).open(begun["verification_uri_complete"])).name
        shown += [asked, page.name, page.text, _token(world, token)]
    return shown


async def _talking(world: World) -> object:
    asking = PersonalAgent(world, "talks")
    before = await asking.say("What are your opening hours?")
    await asking.get_token(READ)
    return [seen(before), seen(await asking.say())]


_PROBES: tuple[Probe, ...] = (
    _documents,
    _beginning,
    _strangers,
    _errors,
    _polling,
    _login,
    _unattended,
    _deciding,
    _redeeming,
    _refreshing,
    _skipping,
    _talking,
)
