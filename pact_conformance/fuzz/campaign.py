"""Tries many examples of a family, and makes of those that fail one cause at a time."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol

from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Composing, Family, Trial
from pact_conformance.fuzz.lessening import least, rank, simpler
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.singles import singles
from pact_conformance.fuzz.tally import Cause, Tally
from pact_conformance.fuzz.trying import Trying

# This share of the examples are changes by themselves, as many as there are; the others are drawn.
ALONE = 0.6

# A subject at which so many different things are amiss has to mend some first.
MOST_CAUSES = 40

# A round draws so many examples at least, for the first ones are often those of the round before,
# and at most, for what Hypothesis remembers of a round makes the next draw slower. Where so many
# rounds in a row have hardly a new one in fifty there are no more.
LEAST_OF_A_ROUND, MOST_OF_A_ROUND = 100, 2000
FRUITLESS = 3


class Draw(Protocol):
    """`rounds.draw`."""

    def __call__(
        self, family: Family, shows: Callable[[Example], bool], *, seed: int, most: int
    ) -> Example | None:
        """Return an example that shows something."""


class Lessen(Protocol):
    """`rounds.lessen`."""

    def __call__(
        self, family: Family, shows: Callable[[Example], bool], example: Example, *, seed: int
    ) -> Example | None:
        """Return the least example that shows something."""


class Campaign:
    """One campaign with one family.

    Args:
        family: what to try.
        pace: the bounds on requests.
        examples: how many different examples to try.
        seed: tries the same ones again.
        deadline: seconds for one request.
    """

    def __init__(
        self, family: Family, pace: Pace, *, examples: int, seed: int, deadline: float = 60.0
    ) -> None:
        self._family = family
        self._pace = pace
        self._trying = Trying(family, pace, deadline=deadline)
        self.tally: Tally = self._trying.tally
        self._examples = examples
        self._seed = seed
        self._rounds = 0
        self._trials: dict[Example, Trial] = {}
        self._news: dict[Example, bool] = {}
        """Whether an example showed what was not known when the round began."""
        self._origin: Example | None = None
        """What is being shrunk; None while examples are still drawn."""
        self._shrinking = 0
        """How many more may be tried for that."""
        self._failing: list[Example] = []
        self._fault: Exception | None = None
        """Ours, not the subject's."""

    def run(self, draw: Draw, lessen: Lessen) -> Tally:
        """Try examples until there are enough, or something forbids to go on."""
        started = time.monotonic()
        self._trying.control()
        self._each_alone(lessen)
        fruitless = 0
        while self._trying.goes_on and self.tally.tried < self._examples:
            before, causes = self.tally.tried, len(self.tally.causes)
            left = self._examples - before
            most = min(MOST_OF_A_ROUND, max(LEAST_OF_A_ROUND, left))
            self._draw(draw, lessen, most)
            few = 50 * (self.tally.tried - before) < most and len(self.tally.causes) == causes
            fruitless = fruitless + 1 if few else 0
            if fruitless >= FRUITLESS:
                break  # there are no others
        return self._ended(started)

    def alone(self, example: Example) -> Tally:
        """Try one example and nothing else."""
        started = time.monotonic()
        self._examples = 1
        self._trying.control()
        if self._shows(example):
            self._add(example)
        return self._ended(started)

    def cut_short(self) -> Tally:
        """Return what was found before an interruption; nothing more is sent."""
        self._trying.cut_short()
        # One of them was perhaps being made less of: then it is told as it was drawn.
        for example in sorted(self._failing, key=lambda it: rank(self._family, it)):
            if not self._is_explained(example, self._trials[example]):
                self._add(example)
        self._add_warnings()
        self._count_seen()
        return self.tally

    def _ended(self, started: float) -> Tally:
        self._trying.control()
        self._add_warnings()
        self._count_seen()
        self.tally.seconds = time.monotonic() - started
        return self.tally

    def _each_alone(self, lessen: Lessen) -> None:
        """Try changes by themselves, for some of the examples."""
        if isinstance(self._family, Composing):
            return
        for example in singles(self._family, seed=self._seed):
            if not self._trying.goes_on or self.tally.tried >= ALONE * self._examples:
                break
            self._begin(None)
            if self._shows(example):
                self._begin(example)
                self._add(self._least(example, lessen))
        if self._fault is not None:
            raise self._fault

    def _draw(self, draw: Draw, lessen: Lessen, most: int) -> None:
        """Draw until something new shows, and enter its cause."""
        self._rounds += 1
        self._begin(None)
        drawn = draw(self._family, self._shows, seed=self._round_seed, most=most)
        if drawn is not None:
            self._begin(drawn)
            self._add(self._least(drawn, lessen))
        if self._fault is not None:
            raise self._fault

    def _least(self, drawn: Example, lessen: Lessen) -> Example:
        """Make less of an example that shows something."""
        if isinstance(self._family, Composing):
            # Its tries are dear: none is spent on what comes and goes.
            again = self._fails_again(drawn)
            return least(self._family, self._shows, drawn) if again else drawn
        lesser = lessen(self._family, self._shows, drawn, seed=self._round_seed) or drawn
        # Shrinking may pass by one next to it.
        near = simpler(self._family, lesser)
        return next((it for it in near if self._shows(it)), lesser)

    @property
    def _round_seed(self) -> int:
        return self._seed * 1_000_003 + self._rounds

    def _begin(self, origin: Example | None) -> None:
        """Begin to draw examples, or to make less of one."""
        self._news.clear()
        self._origin, self._shrinking = origin, self._pace.shrinking

    def _shows(self, example: Example) -> bool:
        """Try an example, unless it was; say whether it shows what was not known before."""
        if example in self._news:
            return self._news[example]
        if self._origin is not None and not example.kinds <= self._origin.kinds:
            return False  # it may show something else, and is no less of what is shrunk
        trial = self._trials.get(example) or self._try(example)
        if trial is None:
            return False
        news = trial.failed and not self._is_explained(example, trial)
        self._news[example] = news
        return news

    def _try(self, example: Example) -> Trial | None:
        """Send an example; None where nothing may be sent, or what it came to is nobody's."""
        if not self._may_try():
            return None
        try:
            trial = self._trying.send(example, counted=self._origin is None)
        except Exception as fault:  # noqa: BLE001 - to Hypothesis it would be a failure to shrink
            self._fault = fault
            self.tally.stopped = "a fault of the suite"
            return None
        if trial is None:
            return None
        self._trials[example] = trial
        if self._origin is None and trial.failed:
            self._failing.append(example)
        return trial

    def _may_try(self) -> bool:
        if self._origin is None:
            return self.tally.tried < self._examples
        self._shrinking -= 1
        return self._shrinking >= 0

    def _is_explained(self, example: Example, trial: Trial) -> bool:
        failed = (cause for cause in self.tally.causes if cause.trial.failed)
        return any(cause.explains(example, trial) for cause in failed)

    def _add(self, example: Example) -> None:
        """Enter the cause that an example shows, unless it comes and goes."""
        trial = self._trials[example]
        if trial.failed and not self._fails_again(example):
            self._trials[example] = Trial("undecided")
            self._failing = [it for it in self._failing if it != example]
            return
        said = self._family.said(example)
        requirement = trial.requirement or self._family.requirement(example)
        self.tally.causes.append(Cause(example, said, requirement, trial))
        if len(self.tally.causes) >= MOST_CAUSES:
            self.tally.stopped = f"{MOST_CAUSES} different things are amiss"
            self.tally.do = "mend some of them, then run again"

    def _fails_again(self, example: Example) -> bool:
        """Say whether a failure stands: true as well where nothing may be sent any more."""
        again = self._trying.send(example)
        return again is None or again.failed

    def _add_warnings(self) -> None:
        """Enter what warns, each thing by the simplest example of it."""
        warned = [it for it, trial in self._trials.items() if trial.warning and not trial.failed]
        for example in sorted(warned, key=lambda it: rank(self._family, it)):
            trial = self._trials[example]
            if not any(cause.explains(example, trial) for cause in self.tally.causes):
                self._add(self._least_that_warns(example, trial.mark))

    def _least_that_warns(self, example: Example, mark: str) -> Example:
        """Make less of a composed example that warns; of others the simplest was chosen."""
        if not isinstance(self._family, Composing):
            return example

        def warns(other: Example) -> bool:
            trial = self._trials.get(other) or self._try(other)
            return trial is not None and not trial.failed and trial.mark == mark

        self._begin(example)
        return least(self._family, warns, example)

    def _count_seen(self) -> None:
        causes = [cause for cause in self.tally.causes if cause.trial.failed]
        telling = (
            next((it for it in causes if it.explains(example, self._trials[example])), None)
            for example in self._failing
        )
        self.tally.see(Counter(cause.example for cause in telling if cause is not None))
