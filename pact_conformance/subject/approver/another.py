"""The User played by another program of the tester: `cmd:…`, `http(s)://…`."""

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping

from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.approver.clock import Limit
from pact_conformance.subject.approver.counting import Counting
from pact_conformance.subject.approver.errand import Count, Done, Errand, Page, Session, Step
from pact_conformance.subject.approver.telling import asked, done
from pact_conformance.verdicts import Inconclusive, Untested, open_notebook

DO_SEE = "set E2E_APPROVER to form or browser"

# So much of what a program says to its failure is repeated.
SHOWN = 200


def unseen(name: str) -> Untested:
    """Return why something is not tried that needs the requests of the User's browser."""
    return Untested(f"the approver {name} does not show the way of the browser", do=DO_SEE)


def unanswered(name: str) -> Untested:
    """Return why something is not tried that only whoever makes the requests can do or see."""
    return Untested(
        f"the approver {name} does not show what the pages' answers say, and sends no request of "
        "another site",
        do="set E2E_APPROVER to form",
    )


class OneAtATime:
    """Errands of one User: each waits until the one before it is over."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        limit = Limit(self._seconds)
        before = limit.need()
        if not self._lock.acquire(timeout=before):
            raise Inconclusive("the User was busy with other approvals until the deadline")
        open_notebook().wait_longer(before - limit.left)

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class AnotherProgram(ABC):
    """Asks a program to play the User, one errand at a time."""

    name = ""
    sees_steps = False
    sees_pages = False
    sees_answers = False

    def __init__(self, how: str, settings: Settings, mask: Mask) -> None:
        self._how = how
        self._settings = settings
        self._mask = mask
        self._counting = Counting()
        self._alone = OneAtATime(settings.deadline)

    @property
    def count(self) -> Count:
        """What the User has done so far."""
        return self._counting.count

    def play(self, errand: Errand) -> Done:
        """Have it done (see `Approver.play`)."""
        if errand.hold_back:
            raise unseen(self.name)
        if errand.foreign or errand.never:
            raise unanswered(self.name)
        self._mask.add(errand.user_code, "user_code")
        with self._alone:
            limit = Limit(self._settings.deadline)
            request = json.dumps(asked(errand, self._settings.accounts, limit.need()))
            try:
                found = done(errand, self._ask(request, limit))
            except Inconclusive as error:
                raise Inconclusive(self._mask.apply(error.reason), do=error.do) from error
        self._counting.add(int(found.login is not None), found.decided in {"approved", "denied"})
        return found

    @abstractmethod
    def _ask(self, request: str, limit: Limit) -> str:
        """Hand the request over and return the answer.

        Raises:
            Inconclusive: there is none.
        """

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
        """End nothing: the program ends by itself."""
        return
