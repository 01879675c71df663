"""A real browser goes the User's way at the mock Provider, step by step and by hand."""

import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from pact_conformance.counterpart.provider.serving import RunningBrand
from tests.counterpart.agent import Agent

from .conftest import served

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
SWITCHES = [  # what a container and a machine without a network need
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
READ = "Look up your orders and their status"
CANCEL = "Cancel an order that has not shipped"
ORIGIN = "https://agent.example:8443"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Debian's package chromium is needed")


class Device:
    """The personal agent's side of a flow, by plain requests."""

    def __init__(self, agent: Agent, brand: RunningBrand) -> None:
        self._agent = agent
        self.interface = brand.interface

    def _post(self, endpoint: str, **form: str) -> dict[str, Any]:
        answer = httpx.post(
            f"{self.interface}/oauth/{endpoint}",
            data={"client_id": self._agent.issuer, **form},
            headers=self._agent.bearer("browser-user"),
            trust_env=False,
        )
        told: dict[str, Any] = answer.json()
        return told

    def begin(self, scope: str = "orders:read orders:cancel") -> dict[str, Any]:
        return self._post("device_authorization", scope=scope)

    def poll(self, flow: dict[str, Any]) -> dict[str, Any]:
        return self._post("token", grant_type=DEVICE_CODE, device_code=flow["device_code"])

    def say(self, text: str, delegation: str) -> httpx.Response:
        message = {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": text}]}
        headers = self._agent.bearer("browser-user")
        headers["X-A2A-User-Delegation"] = f"Bearer {delegation}"
        url = f"{self.interface}/message:send"
        return httpx.post(url, json={"message": message}, headers=headers, trust_env=False)


@pytest.fixture
def device() -> Iterator[Device]:
    """A Provider of its own for each test: an earlier grant would let consent be skipped."""
    agent = Agent(issuer=f"{ORIGIN}/somewhere")
    with served(agent) as brand:
        yield Device(agent, brand)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 480, "height": 860})
    context.set_default_timeout(5000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def sign_in(page: Page, link: str, password: str = "jane-secret") -> None:
    page.goto(link)
    page.get_by_label("User name").fill("jane")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_the_user_signs_in_and_approves_a_part(page: Page, device: Device, tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []
    page.on("request", lambda request: asked.append((request.method, request.url)))
    flow = device.begin()
    sign_in(page, flow["verification_uri_complete"])
    expect(page.get_by_role("button", name="Allow")).to_be_visible()
    page.screenshot(path=tmp_path / "consent.png")

    assert {ORIGIN, "Fernweh Outfitters"} <= set(page.locator("strong").all_inner_texts())
    assert [page.get_by_label(text).count() for text in (READ, CANCEL)] == [1, 1]

    page.get_by_label(CANCEL).uncheck()
    page.get_by_role("button", name="Allow").click()
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    page.screenshot(path=tmp_path / "done.png")

    assert device.poll(flow)["scope"] == "orders:read"
    assert any(method == "POST" and url.endswith("/oauth/return") for method, url in asked)
    assert [url for _, url in asked if "assertion" in url or "secret" in url] == []


def test_a_wrong_password_opens_nothing(page: Page, device: Device, tmp_path: Path) -> None:
    flow = device.begin()
    sign_in(page, flow["verification_uri_complete"], "another")
    expect(page.get_by_role("alert")).to_be_visible()
    page.screenshot(path=tmp_path / "login.png")

    assert device.poll(flow)["error"] == "authorization_pending"


def test_the_user_refuses(page: Page, device: Device) -> None:
    flow = device.begin()
    sign_in(page, flow["verification_uri_complete"])
    page.get_by_role("button", name="Refuse").click()
    expect(page.get_by_role("button")).to_have_count(0)

    assert device.poll(flow)["error"] == "access_denied"


def test_the_way_works_without_scripts(browser: Browser, device: Device) -> None:
    flow = device.begin()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, flow["verification_uri_complete"])
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Allow").click()
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    context.close()

    assert device.poll(flow)["scope"] == "orders:read orders:cancel"


def test_the_user_takes_a_grant_back(page: Page, device: Device, tmp_path: Path) -> None:
    flow = device.begin()
    sign_in(page, flow["verification_uri_complete"])
    page.get_by_role("button", name="Allow").click()
    page.get_by_role("link", name="See all permissions").click()
    token = device.poll(flow)["access_token"]
    before = device.say("Where is my order?", token).status_code
    page.screenshot(path=tmp_path / "grants.png")
    page.get_by_role("button", name=f"Take back what {ORIGIN} may do").click()
    expect(page.get_by_role("article")).to_have_count(0)

    assert (before, device.say("Where is my order?", token).status_code) == (200, 401)
