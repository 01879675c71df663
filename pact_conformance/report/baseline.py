"""Known failures: which the tester has written down, and what became of each in a run.

An entry names a result by requirement, check and case. It covers that result while it fails or
cannot be told, until it expires. A verdict stays what it is; only whether the run fails changes.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal

from pact_conformance.report.outcome import Outcome
from pact_conformance.report.text import harmless

State = Literal["known", "no longer failing", "expired", "no such check", "undecided"]

# The states that an entry may not be left in.
WRONG: frozenset[State] = frozenset({"no longer failing", "expired", "no such check"})

FAILING = frozenset({"failed", "inconclusive"})
_DECIDED = FAILING | {"passed", "warned", "not applicable"}
_LONGEST = 200


@dataclass(frozen=True)
class Known:
    """An entry of a baseline."""

    requirement: str
    check: str
    case: str
    reason: str
    expires: date | None = None
    """The last day on which it counts."""

    def names(self, outcome: Outcome) -> bool:
        """Say whether an outcome is the one that is meant; blanks and underscores are alike."""
        return (
            self.requirement in outcome.requirements
            and spoken(self.check) == spoken(outcome.name)
            and self.case == outcome.case
        )

    def __str__(self) -> str:
        return f"{self.requirement}: {spoken(self.check)}{f' [{self.case}]' if self.case else ''}"


@dataclass(frozen=True)
class Standing:
    """What became of an entry."""

    entry: Known
    state: State

    @property
    def said(self) -> str:
        """What is wrong with the entry and what to do; empty if nothing is."""
        match self.state:
            case "no longer failing":
                return f"{self.entry} no longer fails: take it out"
            case "expired":
                return f"{self.entry} has expired on {self.entry.expires}: mend it, or take it out"
            case "no such check":
                return f"{self.entry} is no result of this suite: correct it, or take it out"
        return ""

    def to_json(self) -> dict[str, Any]:
        """Return what the report holds of it."""
        expires = self.entry.expires
        return {
            **vars(self.entry),
            "expires": expires.isoformat() if expires else None,
            "state": self.state,
        }


@dataclass(frozen=True)
class Baseline:
    """The known failures of a subject on a day.

    Under `renewed` the run rewrites the file, so what fails counts as known; what has expired does
    not, for no machine puts off a date.
    """

    entries: tuple[Known, ...] = ()
    today: date = date.min
    renewed: bool = False

    def marked(self, outcome: Outcome) -> Outcome:
        """Return the outcome, with the reason if it is a known failure; a fault never is one."""
        if outcome.verdict not in FAILING or outcome.error:
            return outcome
        entry = self._entry(outcome)
        if entry is not None:
            return outcome if self._expired(entry) else replace(outcome, known=_reason(entry))
        return replace(outcome, known=found(outcome, self.today)) if self.renewed else outcome

    def standings(
        self, outcomes: Sequence[Outcome], *, about: Collection[str], whole: bool
    ) -> tuple[Standing, ...]:
        """Say what became of each entry.

        Args:
            outcomes: of the run, also of what was not selected.
            about: the ids of the requirements that the run judges.
            whole: the run has come to its end, so what it does not name does not exist.
        """
        return tuple(
            Standing(entry, self._state(entry, outcomes, about=about, whole=whole))
            for entry in self.entries
        )

    def fresh(self, outcomes: Iterable[Outcome]) -> tuple[Known, ...]:
        """Return entries for what fails and has none, in the order of the outcomes."""
        return tuple(
            Known(it.requirements[0], it.name, it.case, found(it, self.today))
            for it in outcomes
            if it.verdict in FAILING
            and it.kind != "fuzz"  # its causes have entries of their own
            and not it.error
            and self._entry(it) is None
        )

    def _entry(self, outcome: Outcome) -> Known | None:
        return next((it for it in self.entries if it.names(outcome)), None)

    def _expired(self, entry: Known) -> bool:
        return entry.expires is not None and entry.expires < self.today

    def _state(
        self, entry: Known, outcomes: Sequence[Outcome], *, about: Collection[str], whole: bool
    ) -> State:
        if entry.requirement not in about:
            return "undecided"
        meant = [it for it in outcomes if entry.names(it)]
        if not meant:
            return _state_of_unmet(entry, outcomes, whole=whole)
        if self._expired(entry) and any(it.kind != "deselected" for it in meant):
            return "expired"
        if any(it.verdict in FAILING for it in meant):
            return "known"
        if all(it.verdict in _DECIDED for it in meant):
            return "no longer failing"
        return "undecided"


def found(outcome: Outcome, today: date) -> str:
    """Return the reason that an entry gets which a run adds: what it found, on one line."""
    what = f"got {outcome.got}" if outcome.got else outcome.reason or outcome.verdict
    said = harmless(" ".join(f"found on {today}: {what}".split()))
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"


def spoken(check: str) -> str:
    """Return the name of a check as a sentence."""
    return check.replace("_", " ")


def _state_of_unmet(entry: Known, outcomes: Sequence[Outcome], *, whole: bool) -> State:
    """Say what became of an entry that no outcome has the name of."""
    families = [it for it in outcomes if _fuzzes(entry, it)]
    if families:
        tried = any(it.verdict in _DECIDED for it in families)
        return "no longer failing" if tried else "undecided"
    return "no such check" if whole else "undecided"


def _fuzzes(entry: Known, outcome: Outcome) -> bool:
    """Say whether an outcome is of the fuzzing that may have found what an entry names."""
    return outcome.kind == "fuzz" and spoken(entry.check) == spoken(outcome.name)


def _reason(entry: Known) -> str:
    return f"{entry.reason} (until {entry.expires})" if entry.expires else entry.reason
