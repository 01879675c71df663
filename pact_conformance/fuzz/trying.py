"""Sends examples one by one: within the bounds, a control between, and stops where it has to."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager

from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Exhausted, Family, Impossible, Trial, Unanswered
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.tally import Tally
from pact_conformance.subject.turns import FUZZING
from pact_conformance.verdicts import Inconclusive, Notebook, notebook

# So many refusals lie between two controls at most.
CONTROL_EVERY = 25

IMPOSSIBLE = Trial("undecided")
"""What an example comes to that cannot be made for this subject; it is not counted."""


class Trying:
    """Sends the examples of one family and counts what becomes of them.

    A refusal counts once a good request got through after it: until then it is nobody's.

    Args:
        family: what to try.
        pace: the bounds on requests.
        deadline: seconds for one request with all its waits for a rate limit.
        now: the time in seconds.
    """

    def __init__(
        self,
        family: Family,
        pace: Pace,
        *,
        deadline: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tally = Tally()
        self._family = family
        self._pace = pace
        self._deadline = deadline
        self._now = now
        self._unproven: Counter[str] = Counter()
        self._sent = 0
        self._controlled = 0.0

    @property
    def goes_on(self) -> bool:
        """Whether more may be sent."""
        return not self.tally.stopped

    def send(self, example: Example, *, counted: bool = False) -> Trial | None:
        """Send an example; None where nothing may be sent any more, or it broke off.

        Args:
            example: what to send.
            counted: it is one of those that were to be tried, and not sent to make less of one.
        """
        if not self.goes_on or not self._step():
            return None
        try:
            trial = self._attempt(example)
        except Impossible:
            return IMPOSSIBLE
        except Inconclusive as why:
            self._stop(why)
            return None
        except Exhausted as why:
            self.control()
            self.tally.stopped, self.tally.do = why.reason, why.do
            return None
        self._sent += 1
        if counted:
            self.tally.tried += 1
            self._unproven[trial.fate] += 1
        since = self._now() - self._controlled
        if self._sent >= CONTROL_EVERY or since >= self._pace.control_seconds:
            self.control()
        return trial

    def control(self) -> None:
        """See that a good request gets through: only then what was refused since then counts."""
        if self.goes_on and self._step():
            try:
                self._ask_control()
            except Inconclusive as why:
                self._stop(why)
                return
        self._settle(proven=self.goes_on)

    def _ask_control(self) -> None:
        with self._notebook():
            self._family.control()
        self._sent, self._controlled = 0, self._now()

    def _notebook(self) -> AbstractContextManager[Notebook]:
        return notebook(Notebook(until=time.monotonic() + self._deadline, name=FUZZING))

    def _attempt(self, example: Example) -> Trial:
        """Send an example; if nothing comes, and a control is answered, send it once more."""
        try:
            with self._notebook():
                return self._family.attempt(example)
        except Unanswered:
            self._ask_control()
        try:
            with self._notebook():
                return self._family.attempt(example)
        except Unanswered as again:
            self._ask_control()
            return again.trial

    def _step(self) -> bool:
        if self._pace.step():
            self.tally.requests += 1
            return True
        self.tally.stopped = "the bound on requests was reached"
        self.tally.do = f"mend what was found, or raise {self._pace.bound}"
        return False

    def cut_short(self) -> None:
        """Send nothing from now on, for the tester has had enough."""
        self._stop(Inconclusive("it was interrupted", do="let it come to its end"))

    def _stop(self, why: Inconclusive) -> None:
        self.tally.stopped, self.tally.do = why.reason, why.do
        self.tally.inconclusive = True
        self._settle(proven=False)

    def _settle(self, *, proven: bool) -> None:
        refused = self._unproven.pop("refused", 0)
        self.tally.refused += refused if proven else 0
        self.tally.undecided += self._unproven.pop("undecided", 0) + (0 if proven else refused)
        self.tally.accepted += self._unproven.pop("accepted", 0)
