"""A page in a browser: read from the live document, acted upon as a person does."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Error, Locator, Page, Response, TimeoutError  # noqa: A004 - its name

from pact_conformance.subject.approver.choosing import Act
from pact_conformance.subject.approver.clock import Limit
from pact_conformance.subject.approver.errand import Step
from pact_conformance.subject.approver.network import Network
from pact_conformance.subject.approver.pictures import Pictures
from pact_conformance.subject.approver.shown import Field, Form, Link, Shown
from pact_conformance.subject.approver.walking import ANOTHER_WAY, Unpressable
from pact_conformance.verdicts import Inconclusive

_DOCUMENT = Path(__file__).with_name("document.js").read_text(encoding="utf-8")

_CONTROLS = (
    "input, button, select, textarea, [role=checkbox]:not(input), [role=switch]:not(input), "
    "[role=button]:not(button):not(input)"
)

# Seconds without any request after which a page is taken to be complete, and at most so many.
_QUIET = 0.2
_LONGEST = 5.0

# Seconds in which a form that submits itself does so, and in which a script answers a click.
_BY_ITSELF = 2.0
_ANSWERS = 3.0

_LINKS = "nodes => nodes.map(it => [it.href, (it.innerText || '').trim()])"


class Live:
    """One errand's pages in a browser (see `walking.Surface`)."""

    def __init__(
        self,
        page: Page,
        network: Network,
        limit: Limit,
        pictures: Pictures,
        clean: Callable[[str], str],
    ) -> None:
        self._page = page
        self._network = network
        self._limit = limit
        self._pictures = pictures
        self._clean = clean

    @property
    def steps(self) -> tuple[Step, ...]:
        """What was asked for so far."""
        return self._network.steps

    @property
    def held(self) -> Step | None:
        """What was held back instead of being sent."""
        return self._network.held

    def open(self, link: str) -> Shown:
        """Follow the link."""
        return self._go(link)

    def follow(self, shown: Shown, url: str) -> Shown:
        """Go where a page leads; the browser does so by itself, so that this is not called."""
        del shown
        return self._go(url)

    def _go(self, url: str) -> Shown:
        try:
            answer = self._page.goto(url, timeout=self._left)
        except Error as error:
            if self.held is not None:
                return Shown(url, 0, "")
            raise self._lost("the link", error) from error
        return self._read(answer)

    def perform(self, shown: Shown, act: Act) -> Shown:
        """Fill and press what was chosen, and return what comes of it."""
        self._network.about_to(act, shown.url)
        try:
            if act.kind == "go on" and self._goes_on_by_itself(shown, act):
                return self._after(shown)
            self._enter(act)
            self._press(act)
        except TimeoutError as error:
            raise Unpressable("a button or field of the page cannot be used") from error
        except Error as error:
            if self.held is None:
                raise self._lost("the page", error) from error
        return self._after(shown)

    def _goes_on_by_itself(self, shown: Shown, act: Act) -> bool:
        """Give a form without anything to fill the time to submit itself: twice would be wrong."""
        if act.link is not None or any(it.typed for it in shown.of(act.form)):
            return False
        return self._differs(shown, _BY_ITSELF)

    def _enter(self, act: Act) -> None:
        for at, value in act.entries.items():
            control = self._controls.nth(at)
            if isinstance(value, str):
                self._type(control, value)
            elif _ticked(control) is not value:
                self._tick(control, wanted=value)

    def _type(self, control: Locator, value: str) -> None:
        if control.evaluate("it => it.tagName") == "SELECT":
            control.select_option(value, timeout=self._soon)
        else:
            control.fill(value, timeout=self._soon)

    def _tick(self, control: Locator, *, wanted: bool) -> None:
        """Tick as a person does; a box that its drawing covers is clicked through its label."""
        try:
            control.click(timeout=1000)
        except TimeoutError:
            control.evaluate("it => it.click()")
        if _ticked(control) is not wanted:
            raise Unpressable("a box of the page cannot be ticked")

    def _press(self, act: Act) -> None:
        if act.link is not None:
            self._page.locator("a[href]").nth(act.link.at).click(timeout=self._soon)
        elif act.button is None:
            assert act.form is not None
            first = next(it for it in self._fields if it.form == act.form.at)
            self._controls.nth(first.at).evaluate("it => (it.form ?? it.closest('form')).submit()")
        else:
            button = self._controls.nth(act.button.at)
            if button.is_disabled(timeout=self._soon):
                raise Unpressable("the button is not to be pressed")
            try:
                button.click(timeout=self._soon)
            except TimeoutError:  # a banner of the page lies over it
                button.evaluate("it => it.click()")

    def _after(self, shown: Shown) -> Shown:
        """Return the page that comes of an act; a script may take its time to show it."""
        if self.held is not None:
            return shown
        self._differs(shown, _ANSWERS)
        return self._read(None)

    def linger(self, shown: Shown) -> Shown | None:
        """Wait for what a script may still show (see `walking.Surface`)."""
        return self._read(None) if self._differs(shown, _ANSWERS) else None

    def _differs(self, shown: Shown, seconds: float) -> bool:
        """Wait until the page is another one, at most so many seconds."""
        until = time.monotonic() + min(seconds, self._limit.left)
        while time.monotonic() < until and self.held is None:
            if self._read(None) != shown:
                return True
            self._page.wait_for_timeout(50)
        return self.held is not None

    # --- reading --------------------------------------------------------------------------

    @property
    def _controls(self) -> Locator:
        return self._page.locator(_CONTROLS)

    def _read(self, answer: Response | None) -> Shown:
        """Read the page once it is complete; it may navigate while it is read."""
        for _ in range(20):
            self._settle()
            try:
                found: dict[str, Any] = self._controls.evaluate_all(_DOCUMENT)
                links: list[list[str]] = self._page.locator("a[href]").evaluate_all(_LINKS)
            except Error:
                if self.held is not None:
                    return Shown(self._page.url, 0, "")
                self._limit.need()
                self._page.wait_for_timeout(50)
                continue
            status = self._network.status_of(found["url"]) or (answer.status if answer else 0)
            return self._shown(found, links, status)
        raise Inconclusive("the page does not come to rest", do=ANOTHER_WAY)

    def _shown(self, found: dict[str, Any], links: list[list[str]], status: int) -> Shown:
        fields = tuple(_field(at, it) for at, it in enumerate(found["fields"]))
        self._fields = fields
        return Shown(
            url=found["url"],
            status=status,
            text=" ".join(found["text"].split()),
            forms=tuple(
                Form(at, it["action"], it["method"]) for at, it in enumerate(found["forms"])
            ),
            fields=fields,
            links=tuple(
                Link(at, url, " ".join(text.split()))
                for at, (url, text) in enumerate(links)
                if url.startswith(("http://", "https://"))
            ),
        )

    def _settle(self) -> None:
        """Wait until the page is loaded and asks for nothing more."""
        until = time.monotonic() + min(_LONGEST, max(0.0, self._limit.left))
        try:
            self._page.wait_for_load_state("load", timeout=self._left)
        except TimeoutError as error:
            raise Inconclusive(
                "the page did not load in time", do="set E2E_TEST_TIMEOUT_MS higher"
            ) from error
        while time.monotonic() < until and not self._network.quiet(_QUIET):
            self._page.wait_for_timeout(25)

    @property
    def _left(self) -> float:
        """Milliseconds until the errand is over."""
        return max(1.0, self._limit.need() * 1000)

    @property
    def _soon(self) -> float:
        """Milliseconds that one thing on the page may take."""
        return min(self._left, 5000.0)

    # --- telling --------------------------------------------------------------------------

    def keep(self, which: str) -> None:
        """Keep a picture of the page."""
        self._pictures.take(self._page, which)

    def clean(self, text: str) -> str:
        """Return a text without secrets."""
        return self._clean(text)

    def _lost(self, what: str, error: Error) -> Inconclusive:
        said = self._clean(str(error.message).splitlines()[0])
        where = urlsplit(self._page.url)._replace(query="", fragment="").geturl()
        return Inconclusive(f"the browser lost {what} at {where}: {said[:200]}", do=ANOTHER_WAY)


def _ticked(control: Locator) -> bool:
    return bool(control.evaluate("it => it.checked ?? it.getAttribute('aria-checked') === 'true'"))


def _field(at: int, found: dict[str, Any]) -> Field:
    texts = {name: " ".join(str(found[name]).split()) for name in ("label", "around")}
    return Field(at=at, **{**found, **texts, "autocomplete": found["autocomplete"].lower()})
