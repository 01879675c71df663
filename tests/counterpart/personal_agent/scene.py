"""The mock personal agent at the mock Provider, for real, with the User's browser beside it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import Any

import httpx

from pact_conformance.counterpart.personal_agent.adapter import Adapter, built_in
from pact_conformance.counterpart.personal_agent.configuration import PersonalAgentConfig
from pact_conformance.counterpart.provider.configuration import AgentConfig, ProviderConfig
from pact_conformance.counterpart.provider.serving import RunningProvider, start

AUDIENCE = "Opaque/Audience: 1"
READ, CANCEL, CHANGE = "orders:read", "orders:cancel", "addresses:change"
JANE = {"id": "jane", "name": "Jane Doe", "email": "jane@doe.example", "phone": "+15550100"}
OMAR = {"id": "omar", "name": "Omar Q", "email": "omar@q.example", "phone": "+15550101"}
CLIENT = httpx.Client(trust_env=False)
Answer = dict[str, Any]


@dataclass
class Scene:
    """A running Provider that knows the agent, with control over its clocks."""

    provider: RunningProvider
    adapter: Adapter

    def connect(self, brand: int = 0) -> str:
        answer = self.adapter.connect(
            {"card": self.provider.brands[brand].card, "audience": AUDIENCE}
        )
        handle: str = answer["brand"]
        return handle

    def say(
        self, brand: str, text: str = "Hello", user: object = JANE, conversation: object = None
    ) -> Answer:
        asked = {"brand": brand, "user": user, "text": text, "conversation": conversation}
        return self.adapter.say(asked)

    def sign_in(self, brand: str, *scopes: str, user: object = JANE) -> Answer:
        return self.adapter.sign_in({"brand": brand, "user": user, "scopes": list(scopes) or None})

    def go_on(self, brand: str, user: object = JANE) -> Answer:
        return self.adapter.go_on({"brand": brand, "user": user, "conversation": None})

    def holds(self, brand: str, user: object = JANE) -> Answer:
        return self.adapter.holds({"brand": brand, "user": user})

    def control(self, hook: str, **asked: object) -> None:
        answer = CLIENT.post(self.provider.control, json={"hook": hook, **asked})
        assert answer.status_code == 204, answer.text


@contextmanager
def scene(provider: ProviderConfig | None = None, **config: object) -> Iterator[Scene]:
    """Start both, and make them known to each other."""
    running: list[RunningProvider] = []

    def move(interface: str, seconds: float) -> None:
        asked = {"hook": "advance_clock", "interface": interface, "seconds": seconds}
        CLIENT.post(running[0].control, json=asked).raise_for_status()

    with built_in(move, PersonalAgentConfig(**config)) as adapter:  # type: ignore[arg-type]
        registration = AgentConfig(issuer=adapter.issuer, jwks_uri=adapter.jwks_uri)
        told = replace(
            provider or ProviderConfig(),
            agents=(registration,),
            audience=AUDIENCE,
            jwks_refetch_interval=0.0,
        )
        with start(told) as started:
            running.append(started)
            yield Scene(started, adapter)


class _Form(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.action = ""
        self.fields: dict[str, str] = {}
        self.boxes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action = given.get("action", "")
        elif tag == "input" and given.get("type") == "checkbox":
            self.boxes.append(given["value"])
        elif tag == "input":
            self.fields[given["name"]] = given.get("value", "")


def decide(link: str, *scopes: str, username: str = "jane", deny: bool = False) -> None:
    """Sign in at the link as the User, and approve these scopes, or all that are asked for."""
    with httpx.Client(trust_env=False, verify=False, follow_redirects=True) as browser:
        page = browser.get(link)
        if 'name="password"' in page.text:
            password = f"{username}-secret"
            page = _submit(browser, page, username=username, password=password)
        page = _submit(browser, page)
        if page.url.path.endswith("/consent"):
            ticked = list(scopes) or _form(page).boxes
            decision = "deny" if deny else "approve"
            page = _submit(browser, page, scope=ticked, decision=decision)
        assert re.search(r"/done$", page.url.path), page.text


def _form(page: httpx.Response) -> _Form:
    form = _Form()
    form.feed(page.text)
    return form


def _submit(
    browser: httpx.Client, page: httpx.Response, **fields: str | list[str]
) -> httpx.Response:
    form = _form(page)
    return browser.post(page.url.join(form.action), data={**form.fields, **fields})
