"""The words of a verdict, how a check says them, and what it notes on the way.

    Deviation (AssertionError)   the subject breaks what the check cites → failed (SHOULD: warned)
    Inconclusive                 we could not tell: no connection, deadline, a failed control
    Untested                     not tried, with the reason and what to do
    NotApplicable                the card or the tester says that the thing is not there
    anything else                a fault of this suite

A check raises one of them or returns (passed); `Notebook` holds what it warned and noted meanwhile.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["passed", "failed", "warned", "not applicable", "untested", "inconclusive"]

# From checks to a requirement: the first of these that a check gave is the requirement's.
PRECEDENCE: tuple[Verdict, ...] = (
    "failed",
    "inconclusive",
    "untested",
    "warned",
    "passed",
    "not applicable",
)

# How everything that a finding keeps from being tested points to it, before the finding's id.
SEE_FINDING = "see the finding "


class Deviation(AssertionError):  # noqa: N818 - it says what happened
    """What was expected of the subject and what it did instead."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}; got {got}")
        self.expected = expected
        self.got = got


class Unsettled(Exception):  # noqa: N818 - not an error: a verdict that is neither good nor bad
    """A check that ends without judging the subject; `do` is what the tester can change."""

    verdict: Verdict

    def __init__(self, reason: str, *, do: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.do = do


class Inconclusive(Unsettled):
    """We could not tell."""

    verdict = "inconclusive"


class Untested(Unsettled):
    """Not tried."""

    verdict = "untested"


class NotApplicable(Unsettled):
    """The subject does not offer the thing."""

    verdict = "not applicable"


@dataclass(frozen=True)
class Found:
    """One thing that fuzzing found amiss, by the least example that shows it."""

    requirement: str
    words: str
    failed: bool
    """Otherwise it warns."""
    expected: str
    got: str
    exchange: str
    example: str
    """The example as a command line takes it."""
    seen: int
    """How many of the examples showed it."""
    beside: tuple[str, ...] = ()
    """Exchanges that belong to it, besides."""


@dataclass(frozen=True)
class Measure:
    """A number that a check has taken of the subject."""

    what: str
    value: float
    unit: str = ""
    """Empty for a count."""


@dataclass
class Notebook:
    """What one check gathers: warnings, notes, the ids of its exchanges, and its time.

    `name` says whose it is. `until` is when its deadline is, by `time.monotonic`; None where none
    applies. `hardening` says that what it sends is no part of what profiles rest on.
    """

    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    exchanges: list[str] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    measures: list[Measure] = field(default_factory=list)
    until: float | None = None
    name: str = ""
    hardening: bool = False

    @property
    def left(self) -> float | None:
        """Seconds until the deadline, at least a thousandth; None where none applies."""
        return None if self.until is None else max(0.001, self.until - time.monotonic())

    def wait_longer(self, seconds: float) -> None:
        """Put the deadline off: the time went to what others do for all checks."""
        if self.until is not None:
            self.until += seconds


_OPEN: ContextVar[Notebook | None] = ContextVar("pact_notebook", default=None)


@contextmanager
def notebook(book: Notebook | None = None) -> Iterator[Notebook]:
    """Open a notebook for what happens inside of this context (and this thread)."""
    book = Notebook() if book is None else book
    token = _OPEN.set(book)
    try:
        yield book
    finally:
        _OPEN.reset(token)


def open_notebook() -> Notebook:
    """Return the notebook of the running check; a throw-away one outside of checks."""
    return _OPEN.get() or Notebook()
