"""`browser`: the User in a real Chromium, which is on this machine already.

Playwright's objects belong to the thread that made them, and checks and conversations run in
several: so one thread of its own has them all, and errands wait in line for it.
"""

import contextvars
import os
import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from playwright.sync_api import Browser, BrowserContext, Error, Playwright, sync_playwright

from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.approver import cookies
from pact_conformance.subject.approver.another import OneAtATime, unanswered
from pact_conformance.subject.approver.choosing import Choosing
from pact_conformance.subject.approver.chromium import ARGUMENTS, executable, lacking
from pact_conformance.subject.approver.clock import Limit
from pact_conformance.subject.approver.counting import Counting
from pact_conformance.subject.approver.errand import Count, Done, Errand, Page, Session, Step
from pact_conformance.subject.approver.live import Live
from pact_conformance.subject.approver.network import Network
from pact_conformance.subject.approver.pictures import Pictures
from pact_conformance.subject.approver.reposting import repost
from pact_conformance.subject.approver.walking import Walk
from pact_conformance.verdicts import Inconclusive

T = TypeVar("T")

# Seconds that Chromium has to start, and to end.
_START = 20.0
_END = 10.0

# Seconds after the deadline of an errand in which its thread says so itself.
_GRACE = 5.0


class BrowserApprover:
    """Plays the User in Chromium, one errand at a time."""

    name = "browser"
    sees_steps = True
    sees_pages = True
    sees_answers = False

    def __init__(
        self, settings: Settings, client: RecordingClient, mask: Mask, folder: Path | None
    ) -> None:
        self._settings = settings
        self._client = client
        self._mask = mask
        self._folder = folder
        self._counting = Counting()
        self._scopes: dict[str, str] = {}
        self._alone = OneAtATime(settings.deadline)
        self._thread = _BrowserThread(settings)

    @property
    def count(self) -> Count:
        """What the User has done so far."""
        return self._counting.count

    def play(self, errand: Errand) -> Done:
        """Go the way of the link (see `Approver.play`)."""
        if errand.foreign or errand.never:
            raise unanswered(self.name)
        self._mask.add(errand.user_code, "user_code")
        self._scopes |= errand.scopes
        with self._alone:
            limit = Limit(self._settings.deadline)
            return self._thread.run(lambda: self._walk(errand, limit), limit)

    def _walk(self, errand: Errand, limit: Limit) -> Done:
        accounts = self._settings.accounts
        account = accounts[errand.account] if errand.account < len(accounts) else None
        context = self._thread.context(errand.session, errand.account)
        try:
            page = context.new_page()
            network = Network(page, errand.hold_back, self._gateway())
            pictures = Pictures(self._folder, errand.user_code)
            live = Live(page, network, limit, pictures, self._mask.apply)
            fields = self._settings.approver_fields
            walk = Walk(live, Choosing(errand, account, fields, live=True))
            try:
                return walk.go()
            finally:
                self._counting.add(walk.logins, walk.progress.decided)
                page.close()
        except Error as error:
            said = self._mask.apply(error.message.splitlines()[0])
            raise Inconclusive(f"the browser failed: {said}") from error
        finally:
            self._thread.give_back(context)

    def _gateway(self) -> Callable[[str], Mapping[str, str]] | None:
        """Return which of the tester's headers go to a URL; None where there are none."""
        settings = self._settings
        if not settings.headers:
            return None
        headers = {name: value.get_secret_value() for name, value in settings.headers.items()}
        return lambda url: headers if settings.names_origin_of(url) else {}

    def repost(
        self,
        step: Step,
        *,
        url: str | None = None,
        fields: Mapping[str, str] | None = None,
        session: Session = "fresh",
        account: int = 0,
    ) -> Page:
        """Send a form again, over HTTP (see `Approver.repost`)."""
        limit = Limit(self._settings.deadline)
        jar = cookies.empty()
        if session == "kept":
            for it in self._thread.run(lambda: self._thread.cookies(account), limit):
                cookies.add(jar, it["name"], it["value"], it["domain"], it["path"])
        return repost(self._client, jar, limit, step, url=url, fields=fields, scopes=self._scopes)

    def close(self) -> None:
        """End the browser."""
        self._thread.end()


class _BrowserThread:
    """The one thread that Playwright and its browser live in; started when first needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._kept: dict[int, BrowserContext] = {}

    def run(self, job: Callable[[], T], limit: Limit) -> T:
        """Run a job in the thread and return what it returns.

        Raises:
            Inconclusive: it did not end in time; or what the job raises.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, daemon=True, name="browser")
            self._thread.start()
        future: Future[T] = Future()
        context = contextvars.copy_context()

        def held() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(context.run(job))
            except BaseException as error:  # noqa: BLE001 - it is raised where it was asked for
                future.set_exception(error)

        self._jobs.put(held)
        try:
            return future.result(max(0.0, limit.left) + _GRACE)
        except NotInTime:
            future.cancel()
            raise Inconclusive("the browser did not answer until the deadline") from None

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
        with suppress(Error):
            if self._browser is not None:
                self._browser.close()
            if self._playwright is not None:
                self._playwright.stop()

    # --- in the thread --------------------------------------------------------------------

    def context(self, session: Session, account: int) -> BrowserContext:
        """Return a browser without cookies, or the one that an account keeps."""
        if session == "fresh":
            return self._new()
        if account not in self._kept:
            self._kept[account] = self._new()
        return self._kept[account]

    def give_back(self, context: BrowserContext) -> None:
        """End a browser that nobody keeps."""
        if context not in self._kept.values():
            with suppress(Error):
                context.close()

    def cookies(self, account: int) -> list[Mapping[str, str]]:
        """Return the cookies that an account keeps."""
        return [dict(it) for it in self.context("kept", account).cookies()]  # type: ignore[arg-type]

    def _new(self) -> BrowserContext:
        # Chromium knows no CA of the tester's.
        trusting = self._settings.ca_file is not None
        return self._chromium.new_context(ignore_https_errors=trusting, locale="en-US")

    @property
    def _chromium(self) -> Browser:
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        fields = self._settings.approver_fields
        lack = lacking(fields)
        if lack is not None:
            raise Inconclusive(f"no browser: {lack}")
        self._kept.clear()
        if self._playwright is None:
            self._playwright = sync_playwright().start()
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        try:
            self._browser = self._playwright.chromium.launch(
                executable_path=executable(fields),
                headless=not fields.visible,
                args=[*ARGUMENTS, *root],
                timeout=_START * 1000,
            )
        except Error as error:
            said = " ".join(error.message.split())[:200]
            raise Inconclusive(f"the browser does not start: {said}") from error
        return self._browser

    # --- outside of it --------------------------------------------------------------------

    def end(self) -> None:
        """End the browser and the thread."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join(_END)
