"""The User without a browser: follows links and submits forms over HTTP, and runs no script."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.approver import cookies
from pact_conformance.subject.approver.choosing import Act, Choosing
from pact_conformance.subject.approver.clock import Limit
from pact_conformance.subject.approver.counting import Counting
from pact_conformance.subject.approver.errand import (
    Count,
    Done,
    Errand,
    HoldBack,
    Page,
    Session,
    Step,
)
from pact_conformance.subject.approver.foreign import ELSEWHERE, without_secrets
from pact_conformance.subject.approver.reposting import repost
from pact_conformance.subject.approver.shown import Shown
from pact_conformance.subject.approver.submission import Request, request_of
from pact_conformance.subject.approver.visiting import Visit
from pact_conformance.subject.approver.walking import ANOTHER_WAY, Walk
from pact_conformance.subject.origins import origin
from pact_conformance.verdicts import Inconclusive, open_notebook

_PURPOSES = {
    "sign in": "login at the Brand",
    "decide": "decision on the consent page",
    "go on": "page between login and consent",
}


@dataclass
class Kept:
    """The browser that an account keeps, used by one errand at a time."""

    cookies: httpx.Cookies = field(default_factory=cookies.empty)
    lock: threading.Lock = field(default_factory=threading.Lock)


class FormApprover:
    """Plays the User over HTTP; serves any number of threads."""

    name = "form"
    sees_steps = True
    sees_pages = True
    sees_answers = True

    def __init__(self, settings: Settings, client: RecordingClient, mask: Mask) -> None:
        self._settings = settings
        self._client = client
        self._mask = mask
        self._counting = Counting()
        self._scopes: dict[str, str] = {}
        self._kept = {account: Kept() for account in range(max(2, len(settings.accounts)))}

    @property
    def count(self) -> Count:
        """What the User has done so far."""
        return self._counting.count

    def play(self, errand: Errand) -> Done:
        """Go the way of the link (see `Approver.play`)."""
        self._mask.add(errand.user_code, "user_code")
        self._scopes |= errand.scopes
        with self._cookies(errand.session, errand.account) as kept:
            accounts = self._settings.accounts
            account = accounts[errand.account] if errand.account < len(accounts) else None
            limit = Limit(self._settings.deadline)
            visit = Visit(self._client, kept, limit, never=errand.never)
            surface = _Http(visit, self._mask, errand)
            walk = Walk(surface, Choosing(errand, account, self._settings.approver_fields))
            try:
                return walk.go()
            except Inconclusive as error:
                if not surface.crossed:
                    raise
                # Whatever the page says, it did not take the form of another site.
                said = surface.clean(error.reason)
                seen = (walk.login, walk.consent, None, surface.steps)
                return Done("not asked", *seen, said, refused=True)
            finally:
                self._counting.add(walk.logins, walk.progress.decided)

    def repost(
        self,
        step: Step,
        *,
        url: str | None = None,
        fields: Mapping[str, str] | None = None,
        session: Session = "fresh",
        account: int = 0,
    ) -> Page:
        """Send a form again (see `Approver.repost`)."""
        with self._cookies(session, account) as kept:
            return repost(
                self._client,
                kept,
                Limit(self._settings.deadline),
                step,
                url=url,
                fields=fields,
                scopes=self._scopes,
            )

    @contextmanager
    def _cookies(self, session: Session, account: int) -> Iterator[httpx.Cookies]:
        """Lend the cookies of a browser: kept ones to one errand at a time."""
        if session == "fresh":
            yield cookies.empty()
            return
        kept = self._kept[account]
        waiting = Limit(self._settings.deadline)
        started = waiting.left
        if not kept.lock.acquire(timeout=waiting.need()):
            raise Inconclusive("the User was busy with other approvals until the deadline")
        try:
            open_notebook().wait_longer(started - waiting.left)
            yield kept.cookies
        finally:
            kept.lock.release()

    def close(self) -> None:
        """There is nothing to end: connections are the client's."""


class _Http:
    """Pages over HTTP."""

    def __init__(self, visit: Visit, mask: Mask, errand: Errand) -> None:
        self._visit = visit
        self._mask = mask
        self._errand = errand
        self._hold_back: HoldBack = errand.hold_back
        self._login: str | None = None
        self._crossed = False
        self.held: Step | None = None

    @property
    def crossed(self) -> bool:
        """Whether a form was sent as from another site, and answered."""
        return self._crossed and bool(self._visit.steps[-1].status)

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._visit.steps)

    def open(self, link: str) -> Shown:
        return self._visit.open(Request("GET", link), "the link that the User is shown")

    def perform(self, shown: Shown, act: Act) -> Shown:
        try:
            request = request_of(shown, act)
        except ValueError as error:
            raise Inconclusive(f"a form cannot be sent: {error}", do=ANOTHER_WAY) from error
        if act.kind == "sign in":
            self._login = shown.url
        if self._holds(act, request):
            fields = dict(request.pairs)
            self.held = Step(
                request.method, request.url, 0, fields, None, request.pairs, origin(shown.url)
            )
            return shown
        leaves, purpose = act.kind != "sign in", _PURPOSES[act.kind]
        if self._is_foreign(act):
            self._crossed = True
            typed = frozenset(it for it in act.entries.values() if isinstance(it, str))
            request = without_secrets(request, self._errand, typed)
            purpose = f"{purpose}, sent by a page of another site"
            return self._visit.open(
                request, purpose, came_from=f"{ELSEWHERE}/", leaves=leaves, foreign=True
            )
        return self._visit.open(request, purpose, came_from=shown.url, leaves=leaves)

    def _is_foreign(self, act: Act) -> bool:
        """Say whether a page of another site is to send this form."""
        foreign = self._errand.foreign
        return (foreign == "login" and act.password) or (
            foreign == "consent" and act.kind == "decide"
        )

    def _holds(self, act: Act, request: Request) -> bool:
        """Say whether a request is the one to hold back."""
        if self._hold_back == "consent":
            return act.kind == "decide"
        crosses = self._login is not None and origin(self._login) != origin(request.url)
        return self._hold_back == "return" and crosses and request.method == "POST"

    def follow(self, shown: Shown, url: str) -> Shown:
        return self._visit.open(
            Request("GET", url), "where a page leads by itself", came_from=shown.url
        )

    def linger(self, shown: Shown) -> None:
        """Nothing more comes of a page without its scripts."""
        del shown

    def keep(self, which: str) -> None:
        """Take no picture: nothing is drawn."""

    def clean(self, text: str) -> str:
        return self._mask.apply(text)
