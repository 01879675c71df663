"""What a journal rule is, and how its findings over a whole run become one outcome.

A rule decides one requirement that holds for every exchange, so that no check has to repeat it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pact_conformance.journal.exchange import Exchange

FindingVerdict: TypeAlias = Literal["failed", "warned", "note"]
RuleVerdict: TypeAlias = Literal["failed", "warned", "passed", "untested"]

MOST_SAMPLES = 5


@dataclass(frozen=True)
class Finding:
    """What is wrong, or worth a note, in one exchange; equal for equal causes."""

    verdict: FindingVerdict
    expected: str
    got: str


@dataclass(frozen=True)
class Rule:
    """A requirement as two pure functions over an exchange."""

    requirement: str
    name: str
    """A statement about the subject; reports show it as the name of a check."""
    applies: Callable[[Exchange], bool]
    judge: Callable[[Exchange], Finding | None]
    """Asked only where the rule applies."""


@dataclass
class Cause:
    """Findings that are the same, however many exchanges show them."""

    finding: Finding
    count: int = 0
    exchanges: list[str] = field(default_factory=list)
    """The first few ids."""

    def add(self, exchange: Exchange) -> None:
        """Count one more exchange."""
        self.count += 1
        if len(self.exchanges) < MOST_SAMPLES:
            self.exchanges.append(exchange.id)


@dataclass(frozen=True)
class RuleOutcome:
    """What a rule says about a run."""

    rule: Rule
    verdict: RuleVerdict
    causes: tuple[Cause, ...]
    """Worst first; notes are among them and change no verdict."""
    applied: int
    """To how many exchanges the rule applied; to none: untested."""


def fold(rule: Rule, exchanges: Iterable[Exchange]) -> RuleOutcome:
    """Return what one rule says about a run."""
    return fold_all([rule], exchanges)[0]


def fold_all(rules: Sequence[Rule], exchanges: Iterable[Exchange]) -> tuple[RuleOutcome, ...]:
    """Return what each rule says about a run, in one pass and with flat memory."""
    tallies = [_Tally(rule) for rule in rules]
    for exchange in exchanges:
        for tally in tallies:
            tally.take(exchange)
    return tuple(tally.outcome() for tally in tallies)


class _Tally:
    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._applied = 0
        self._causes: dict[Finding, Cause] = {}

    def take(self, exchange: Exchange) -> None:
        if not self._rule.applies(exchange):
            return
        self._applied += 1
        finding = self._rule.judge(exchange)
        if finding is not None:
            self._causes.setdefault(finding, Cause(finding)).add(exchange)

    def outcome(self) -> RuleOutcome:
        causes = sorted(self._causes.values(), key=lambda it: _WORST_FIRST[it.finding.verdict])
        return RuleOutcome(self._rule, self._verdict(causes), tuple(causes), self._applied)

    def _verdict(self, causes: Sequence[Cause]) -> RuleVerdict:
        if not self._applied:
            return "untested"
        worst = causes[0].finding.verdict if causes else "note"
        return "passed" if worst == "note" else worst


_WORST_FIRST: dict[FindingVerdict, int] = {"failed": 0, "warned": 1, "note": 2}
