"""A personal agent and a User's browser for the tests of §5, in this process, without network."""

import base64
import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import httpx

from pact_conformance.counterpart.provider.application import Application
from tests.counterpart.agent import Agent
from tests.counterpart.world import BASE, FIRST, World, keys

DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
READ, CANCEL, CHANGE = "orders:read", "orders:cancel", "addresses:change"
PASSWORDS = {"jane": "jane-secret", "omar": "omar-secret"}


def issuer(brand: str = FIRST) -> str:
    return f"{BASE}/a2a/{brand}/oauth"


def claims(jws: str) -> dict[str, Any]:
    segment = jws.split(".")[1]
    value: dict[str, Any] = json.loads(
        base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    )
    return value


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.action: str | None = None
        self.fields: list[tuple[str, str]] = []
        self.boxes: list[tuple[str, str, bool]] = []
        self.text: list[str] = []
        self._silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._silent = tag in ("style", "script")
        if tag == "form":
            self.action = given.get("action", "")
        if tag == "input" and given.get("type") == "checkbox":
            self.boxes.append((given["name"], given["value"], "checked" in given))
        elif tag == "input":
            self.fields.append((given["name"], given.get("value", "")))

    def handle_endtag(self, _tag: str) -> None:
        self._silent = False

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.text.append(data)


@dataclass
class Page:
    """A page in a browser."""

    answer: httpx.Response
    action: str | None
    fields: dict[str, str]
    boxes: list[tuple[str, str, bool]]
    text: str

    @classmethod
    def of(cls, answer: httpx.Response) -> "Page":
        forms = _Forms()
        forms.feed(answer.text)
        action = None if forms.action is None else str(answer.url.join(forms.action))
        text = " ".join("".join(forms.text).split())
        return cls(answer, action, dict(forms.fields), forms.boxes, text)

    @property
    def name(self) -> str:
        """The last segment of its URL."""
        return self.answer.url.path.rsplit("/", 1)[1]


@dataclass
class Browser:
    """The browser of somebody with an account."""

    world: World
    username: str = "jane"
    client: httpx.AsyncClient = field(init=False)

    def __post_init__(self) -> None:
        transport = httpx.ASGITransport(Application(self.world.provider))
        self.client = httpx.AsyncClient(transport=transport, follow_redirects=True)

    async def open(self, url: str) -> Page:
        return Page.of(await self.client.get(url))

    async def send(self, page: Page, **fields: str | list[str]) -> Page:
        assert page.action is not None
        return await self.post(page.action, {**page.fields, **fields})

    async def post(self, url: str, fields: Mapping[str, str | list[str]]) -> Page:
        return Page.of(await self.client.post(url, data=dict(fields)))

    async def log_in(self, link: str) -> Page:
        """Go through the login, if one is asked for, to the page that hands over."""
        page = await self.open(link)
        if "password" in page.fields:
            password = PASSWORDS[self.username]
            page = await self.send(page, username=self.username, password=password)
        return page

    async def reach_consent(self, link: str) -> Page:
        """Go to the consent page, or past it where it is skipped."""
        return await self.send(await self.log_in(link))

    async def decide(self, link: str, scopes: Iterable[str] | None = None) -> Page:
        """Approve these scopes, or all that are asked for."""
        page = await self.reach_consent(link)
        if page.name != "consent":
            return page
        ticked = [value for _, value, _ in page.boxes] if scopes is None else list(scopes)
        return await self.send(page, scope=ticked, decision="approve")


@dataclass
class PersonalAgent:
    """A User's personal agent at one Brand, by whatever time it is there."""

    world: World
    user: str = "user-1"
    agent: Agent = field(default_factory=lambda: keys().agent)
    brand: str = FIRST

    def token(self) -> str:
        now = int(self.world.provider.clock.now(self.brand))
        return self.agent.token(self.user, iat=now, exp=now + 120)

    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token()}"}

    async def post(self, path: str, form: object, **headers: str) -> httpx.Response:
        """Send a form; a list of pairs may give a parameter twice."""
        sent = {"Content-Type": "application/x-www-form-urlencoded", **self.bearer(), **headers}
        content = str(httpx.QueryParams(form))  # type: ignore[arg-type]
        return await self.world.client.post(
            f"{issuer(self.brand)}{path}", content=content, headers=sent
        )

    async def begin(self, *scopes: str, **more: str) -> httpx.Response:
        form = {"client_id": self.agent.issuer, "scope": " ".join(scopes), **more}
        return await self.post("/device_authorization", form)

    async def poll(self, device_code: str, **more: str) -> httpx.Response:
        form = {"client_id": self.agent.issuer, "grant_type": DEVICE_CODE}
        return await self.post("/token", {**form, "device_code": device_code, **more})

    async def refresh(self, refresh_token: str, **more: str) -> httpx.Response:
        form = {"client_id": self.agent.issuer, "grant_type": "refresh_token"}
        return await self.post("/token", {**form, "refresh_token": refresh_token, **more})

    async def get_token(self, *scopes: str, browser: Browser | None = None) -> dict[str, Any]:
        """Go through the whole flow and return the token response."""
        begun = (await self.begin(*scopes)).json()
        await (browser or Browser(self.world)).decide(begun["verification_uri_complete"])
        got: dict[str, Any] = (await self.poll(begun["device_code"])).json()
        return got

    async def say(
        self, text: str = "Hello", delegation: str | None = None, **members: object
    ) -> httpx.Response:
        headers = {**self.bearer(), "A2A-Version": "1.0"}
        if delegation is not None:
            headers["X-A2A-User-Delegation"] = f"Bearer {delegation}"
        message = {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": text}]}
        return await self.world.client.post(
            f"/a2a/{self.brand}/message:send",
            headers=headers,
            json={"message": message | members},
        )

    async def tasks(self, path: str = "", method: str = "GET") -> httpx.Response:
        url = f"/a2a/{self.brand}/tasks{path}"
        return await self.world.client.request(method, url, headers=self.bearer())

    def pass_time(self, seconds: float) -> None:
        self.world.provider.clock.advance(self.brand, seconds)


async def link(world: World, *scopes: str, agent: PersonalAgent | None = None) -> tuple[str, str]:
    """Begin a flow, and return its link and its device code."""
    asking = PersonalAgent(world) if agent is None else agent
    begun = (await asking.begin(*scopes)).json()
    return begun["verification_uri_complete"], begun["device_code"]


def error(answer: httpx.Response) -> object:
    """Return the OAuth error of an answer, once it has been seen to be one."""
    assert answer.status_code == 400, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()["error"]


def reason(answer: httpx.Response) -> object:
    return answer.json()["error"]["details"][0]["reason"]
