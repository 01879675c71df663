"""The way from a link to a decision, page by page; the same over HTTP and in a browser."""

from dataclasses import dataclass, field, replace
from typing import Protocol

from pact_conformance.subject.approver.boxes import page_of
from pact_conformance.subject.approver.choosing import Act, Choosing, Consent, Progress
from pact_conformance.subject.approver.errand import (
    Decided,
    Done,
    Errand,
    ErrorPage,
    Page,
    Step,
)
from pact_conformance.subject.approver.shown import Shown
from pact_conformance.subject.origins import origin
from pact_conformance.verdicts import Inconclusive

MOST_PAGES = 20

# So much of a page is repeated where it is not understood.
EXCERPT = 200

_SCARCE = 80

ANOTHER_WAY = "give approver_fields the names on the page, or set E2E_APPROVER to another approver"


class Surface(Protocol):
    """Where the pages are: it shows them and does what is chosen."""

    def open(self, link: str) -> Shown:
        """Follow the link."""

    def perform(self, shown: Shown, act: Act) -> Shown:
        """Do what was chosen on the page that is shown; return the next one.

        Raises:
            Unpressable: the button cannot be pressed.
        """

    def follow(self, shown: Shown, url: str) -> Shown:
        """Go where the page leads by itself."""

    def linger(self, shown: Shown) -> Shown | None:
        """Wait for what a script of the page may still show; None where nothing more comes."""

    def keep(self, which: str) -> None:
        """Keep a picture of the page that is shown: of the `login` or the `consent`."""

    def clean(self, text: str) -> str:
        """Return a text without secrets."""

    @property
    def steps(self) -> tuple[Step, ...] | None:
        """What was asked for so far."""

    @property
    def held(self) -> Step | None:
        """What was held back instead of being sent, as the errand asks."""


class Unpressable(Exception):  # noqa: N818 - it says what is the case
    """A button that a person cannot press now."""


@dataclass
class Walk:
    """One errand on its way."""

    surface: Surface
    choosing: Choosing
    progress: Progress = field(default_factory=Progress)
    login: Page | None = None
    consent: Page | None = None
    asked: Consent | None = None
    logins: int = 0
    acted_at: int = 0
    """How many steps there were before the last act."""

    @property
    def errand(self) -> Errand:
        """What the User is asked to do."""
        return self.choosing.errand

    def go(self) -> Done:
        """Walk to the end.

        Raises:
            Inconclusive: a page was not understood, or refused what was done; with what it said.
        """
        shown = self.surface.open(self.errand.link)
        for _ in range(MOST_PAGES):
            self._complain(shown)
            consent = None if self.progress.decided else self._consent(shown)
            if consent is not None:
                self._see_consent(shown, consent)
                if self.errand.look_only or self.errand.hold_back == "return":
                    return self._done("not asked", None)
            act = self._act(shown, consent)
            if act is not None:
                try:
                    shown = self._perform(shown, act)
                except Unpressable as error:
                    return self._unpressable(shown, act, error)
                if self.surface.held is not None:
                    self.progress.decided = False
                    return self._done("not asked", None)
            elif shown.refresh is not None and shown.refresh != shown.url:
                shown = self.surface.follow(shown, shown.refresh)
            else:
                more = None if self.progress.decided else self.surface.linger(shown)
                if more is None:
                    return self._ended(shown)
                shown = more
        raise Inconclusive(
            f"after {MOST_PAGES} pages there is no end: {self._quote(shown)}", do=ANOTHER_WAY
        )

    def _consent(self, shown: Shown) -> Consent | None:
        by_boxes = self.choosing.consent(shown, by_boxes_alone=True)
        if by_boxes is not None or self.choosing.login(shown, self.progress) is not None:
            return by_boxes
        return self.choosing.consent(shown, by_boxes_alone=False)

    def _see_consent(self, shown: Shown, consent: Consent) -> None:
        self.consent, self.asked = page_of(shown, self.errand.scopes), consent
        self.surface.keep("consent")

    def _act(self, shown: Shown, consent: Consent | None) -> Act | None:
        """Return what to do next; None where there is nothing left."""
        if consent is not None:
            act = self.choosing.decision(shown, consent)
            if act is None:
                which = "denies" if self.errand.deny else "approves"
                name = "deny" if self.errand.deny else "approve"
                raise Inconclusive(
                    f"no button of the consent page is seen to be the one that {which}: "
                    f"{self._quote(shown)}",
                    do=f"name it in approver_fields.{name}",
                )
            return act
        login = self.choosing.login(shown, self.progress)
        if login is not None:
            return self._sign_in(shown, login)
        if self.progress.decided and self._asks_again(shown):
            return None
        return self.choosing.on(shown, self.progress)

    def _sign_in(self, shown: Shown, act: Act) -> Act:
        again = self.progress.password if act.password else self.progress.username
        if again and not act.extra:
            raise Inconclusive(
                f"the login was refused: {self._quote(shown)}",
                do="see that the [[accounts]] of the settings can sign in",
            )
        if self.choosing.account is None:
            raise Inconclusive(
                "a login is asked for, and the settings have no account for it",
                do="give two [[accounts]]",
            )
        if self.login is None:
            self.login = page_of(shown, self.errand.scopes)
            self.surface.keep("login")
        return act

    def _perform(self, shown: Shown, act: Act) -> Shown:
        if act.password and not self.progress.password:
            self.logins += 1
        self.progress.did(act)
        self.acted_at = len(self.surface.steps or ())
        return self.surface.perform(shown, act)

    def _asks_again(self, shown: Shown) -> bool:
        again = self.choosing.consent(shown, by_boxes_alone=False)
        return (
            again is not None and self.asked is not None and again.signature == self.asked.signature
        )

    # --- the end --------------------------------------------------------------------------

    def _complain(self, shown: Shown) -> None:
        """End where a page says that something is wrong.

        Raises:
            ErrorPage: it came with an error, and asks for nothing.
        """
        if shown.status < 400:
            return
        if self._elsewhere(shown) or (self.progress.decided and self._left_to_the_page):
            return
        asks = self.choosing.login(shown, self.progress) or self._consent(shown)
        if asks is None:
            when = "after the decision " if self.progress.decided else ""
            raise ErrorPage(
                f"{when}a page came with {shown.status}: {self._quote(shown)}",
                do="follow the link by hand, or set E2E_APPROVER=manual",
                status=shown.status,
            )

    def _elsewhere(self, shown: Shown) -> bool:
        """Say whether the Provider has sent the browser on to another site.

        What is there is no part of the way: the Brand's own pages, or nothing at all. Whether
        anything was decided only the token endpoint tells then.
        """
        steps, login = (self.surface.steps or ())[self.acted_at :], self.login
        if not steps or steps[0].method != "POST":
            return False
        at_provider = login is None or origin(login.url) != origin(steps[0].url)
        at_provider = at_provider or self.progress.decided
        return at_provider and origin(shown.url) != origin(steps[0].url)

    @property
    def _left_to_the_page(self) -> bool:
        """Whether a page may well refuse the decision: nothing was ticked, nothing denied."""
        return not self.errand.deny and not self.errand.approved

    def _ended(self, shown: Shown) -> Done:
        final = page_of(shown, self.errand.scopes)
        if self.progress.decided:
            return self._after_decision(shown, final)
        if self.choosing.puzzling(shown):
            raise Inconclusive(f"a page is not understood: {self._quote(shown)}", do=ANOTHER_WAY)
        if shown.scripted and (len(shown.text) < _SCARCE or "javascript" in shown.text.lower()):
            raise Inconclusive(
                f"a page shows nothing without its scripts: {self._quote(shown)}",
                do="set E2E_APPROVER=browser",
            )
        return self._done("skipped", final)

    def _after_decision(self, shown: Shown, final: Page) -> Done:
        decided: Decided = "denied" if self.errand.deny else "approved"
        failed = shown.status >= 400 and not self._elsewhere(shown)
        refused = failed or self._asks_again(shown)
        if refused and not self._left_to_the_page:
            raise Inconclusive(
                f"the page asks again after the decision: {self._quote(shown)}", do=ANOTHER_WAY
            )
        said = f"the page did not take it: {self._quote(shown)}" if refused else ""
        unfinished = not refused and self.choosing.puzzling(shown)
        return replace(self._done(decided, final, said), unfinished=unfinished)

    def _unpressable(self, shown: Shown, act: Act, error: Unpressable) -> Done:
        """End where a button cannot be pressed: no fault where nothing is ticked."""
        if act.kind == "decide" and self._left_to_the_page:
            self.progress.decided = False
            return self._done("not asked", page_of(shown, self.errand.scopes), str(error))
        raise Inconclusive(f"{error}: {self._quote(shown)}", do=ANOTHER_WAY) from error

    def _done(self, decided: Decided, final: Page | None, said: str = "") -> Done:
        lacking = [
            scope
            for scope in self.errand.scopes
            if self.consent is not None
            and scope not in {box.scope for box in self.consent.boxes}
            and scope not in self.errand.approved
        ]
        if lacking and decided == "approved":
            said = f"{said}; " if said else ""
            said += f"no box to untick for {', '.join(lacking)}"
        steps, held = self.surface.steps, self.surface.held
        return Done(decided, self.login, self.consent, final, steps, said, held)

    def _quote(self, shown: Shown) -> str:
        """Return what a page says, as far as it may be repeated."""
        text = self.surface.clean(shown.text)
        short = text if len(text) <= EXCERPT else f"{text[: EXCERPT - 1]}…"
        return f"“{short}”" if short else "(an empty page)"
