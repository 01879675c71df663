"""`manual`: a person plays the User, and tells what the pages showed."""

import time
from collections.abc import Mapping
from typing import Protocol

from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.approver.another import OneAtATime, unanswered, unseen
from pact_conformance.subject.approver.counting import Counting
from pact_conformance.subject.approver.errand import (
    Box,
    Count,
    Decided,
    Done,
    Errand,
    Page,
    Session,
    Step,
)
from pact_conformance.verdicts import Inconclusive, open_notebook

PATIENCE = 300.0
"""Seconds that a person has for one approval and the questions about it."""


class Person(Protocol):
    """Somebody at a terminal."""

    def tell(self, text: str) -> None:
        """Show a text."""

    def ask(self, question: str, until: float) -> str | None:
        """Show a question with the seconds that are left, and return the line that is typed.

        Args:
            question: what to show.
            until: on the monotonic clock; None is returned then.
        """


class ManualApprover:
    """Shows a person the link, and asks what came of it."""

    name = "manual"
    sees_steps = False
    sees_pages = False
    sees_answers = False

    def __init__(
        self, settings: Settings, mask: Mask, person: Person, *, patience: float = PATIENCE
    ) -> None:
        self._settings = settings
        self._mask = mask
        self._person = person
        self._patience = patience
        self._counting = Counting()
        self._alone = OneAtATime(patience)

    @property
    def count(self) -> Count:
        """What the User has done so far."""
        return self._counting.count

    def play(self, errand: Errand) -> Done:
        """Ask the person to do it (see `Approver.play`); their time is not the check's."""
        if errand.hold_back:
            raise unseen(self.name)
        if errand.foreign or errand.never:
            raise unanswered(self.name)
        self._mask.add(errand.user_code, "user_code")
        started, book = time.monotonic(), open_notebook()
        book.wait_longer(self._patience)  # while others are served, and this one
        try:
            with self._alone:
                done = self._talk(errand, time.monotonic() + self._patience)
        finally:
            book.wait_longer(time.monotonic() - started - self._patience)
        self._counting.add(int(done.login is not None), done.decided in {"approved", "denied"})
        return done

    def _talk(self, errand: Errand, until: float) -> Done:
        self._person.tell("\n".join(_task(errand, self._settings)))
        self._line("Press Enter when it is done, or type what went wrong", until, failing=True)
        login = self._yes("Did the Brand ask you to sign in?", until)
        consented = self._yes("Was a consent page shown?", until)
        page = self._page(errand, until) if consented else None
        decided = _decided(errand) if consented else "skipped"
        signed_in = Page("", "") if login else None
        return Done(decided, signed_in, page, None, None)

    def _page(self, errand: Errand, until: float) -> Page:
        """Return the consent page by what the person read there.

        Its text holds only what they say that they saw.
        """
        texts, boxes = [], []
        seen = self._line(
            "Which origin did the page name as the one that asks? (as it stands there, or nothing)",
            until,
        )
        texts.append(seen)
        texts.append(self._line("Which Brand did the page name? (as it stands there)", until))
        for scope, description in errand.scopes.items():
            if self._yes(
                f"Was there a checkbox for “{description}”, in exactly these words?", until
            ):
                checked = self._yes("  Was it ticked when the page came?", until)
                boxes.append(Box("", scope, description, checked, scope))
                texts.append(description)
        return Page("", " ".join(filter(None, texts)), tuple(boxes))

    def _yes(self, question: str, until: float) -> bool:
        while True:
            said = self._line(f"{question} [y/n]", until).lower()
            if said in {"y", "yes", "n", "no"}:
                return said.startswith("y")

    def _line(self, question: str, until: float, *, failing: bool = False) -> str:
        said = self._person.ask(question, until)
        if said is None:
            raise Inconclusive(
                f"the person at the terminal did not answer within {self._patience:.0f} s",
                do="have somebody at the terminal, or set E2E_APPROVER to another approver",
            )
        if failing and said.strip():
            raise Inconclusive(self._mask.apply(f"the person at the terminal says: {said.strip()}"))
        return said.strip()

    def repost(
        self,
        step: Step,
        *,
        url: str | None = None,
        fields: Mapping[str, str] | None = None,
        session: Session = "fresh",
        account: int = 0,
    ) -> Page:
        """Nothing can be sent again that was not seen (see `Approver.repost`)."""
        del step, url, fields, session, account
        raise unseen(self.name)

    def close(self) -> None:
        """There is nothing to end."""


def _decided(errand: Errand) -> Decided:
    if errand.look_only:
        return "not asked"
    return "denied" if errand.deny else "approved"


def _task(errand: Errand, settings: Settings) -> list[str]:
    """Return what the person is to do, line by line."""
    accounts = settings.accounts
    who = (
        f"as {accounts[errand.account].username}"
        if errand.account < len(accounts)
        else f"with your account number {errand.account + 1}"
    )
    where = "a new private window" if errand.session == "fresh" else "the usual window"
    lines = [
        "",
        f"Please play the User{errand.brand and f' at {errand.brand}'}.",
        f"  Open in {where} of this account: {errand.link}",
    ]
    if errand.user_code:
        lines.append(f"  The code, should you be asked for it: {errand.user_code}")
    lines.append(f"  If you are asked to sign in, do so {who}.")
    lines.append(f"  On the consent page: {_wish(errand)}")
    return lines


def _wish(errand: Errand) -> str:
    if errand.look_only:
        return "look at it, decide nothing, and close it."
    if errand.deny:
        return "deny."
    if errand.approve is None:
        return "leave every box ticked (or tick it), and approve."
    if not errand.approve:
        return "untick every box, and approve all the same."
    kept = [f"“{text}”" for it, text in errand.scopes.items() if it in errand.approve]
    return f"tick only {' and '.join(kept)}, and approve."
