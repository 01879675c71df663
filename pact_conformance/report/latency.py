"""How long a Provider takes to answer, by operation: counted in bounded memory."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from pact_conformance.journal.exchange import OPERATIONS, Exchange

# A time is counted with those that are at most so many times as long.
_STEP = 1.05
_LEAST = 1e-5

# What lies below the times that are told, in percent of all answers.
PERCENT = (25, 50, 75, 95)


@dataclass
class _Times:
    """The times of one operation: how many lie in each step, and the two ends."""

    steps: Counter[int] = field(default_factory=Counter)
    least: float = math.inf
    most: float = 0.0
    unanswered: int = 0

    def add(self, seconds: float) -> None:
        self.steps[round(math.log(max(seconds, _LEAST), _STEP))] += 1
        self.least, self.most = min(self.least, seconds), max(self.most, seconds)

    def to_json(self) -> dict[str, Any]:
        answers = self.steps.total()
        return {
            "answers": answers,
            "unanswered": self.unanswered,
            "seconds": {
                "least": _rounded(self.least if answers else 0.0),
                **{f"p{it}": _rounded(self._below(it)) for it in PERCENT},
                "most": _rounded(self.most),
            },
        }

    def _below(self, percent: int) -> float:
        """Return a time that so many percent of the answers took at most; off by half a step."""
        if not self.steps:
            return 0.0
        ordered = sorted(self.steps)
        wanted = self.steps.total() * percent / 100
        counted = accumulate(self.steps[it] for it in ordered)
        step = next(it for it, sum_ in zip(ordered, counted, strict=True) if sum_ >= wanted)
        return min(max(_STEP**step, self.least), self.most)


class Latency:
    """The times of a run, as the exchanges of its journal pass by."""

    def __init__(self) -> None:
        self._times: dict[tuple[str, bool], _Times] = {}

    def note(self, exchange: Exchange) -> None:
        """Count an exchange; what the suite made slow, and pages of the login, say nothing."""
        if exchange.by != "suite" or exchange.caused or exchange.operation == "other":
            return
        answer = exchange.answer
        ran = exchange.turn and answer is not None and answer.status == 200
        times = self._times.setdefault((exchange.operation, ran), _Times())
        if answer is None:
            times.unanswered += 1
        else:
            times.add(exchange.elapsed)

    def to_json(self) -> list[dict[str, Any]]:
        """Return the times by operation, in the order in which the specification has them."""
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, Any]]:
        for operation, ran in sorted(
            self._times, key=lambda it: (OPERATIONS.index(it[0]), not it[1])
        ):
            times = self._times[operation, ran]
            yield {"operation": operation, "turn": ran, **times.to_json()}


def _rounded(seconds: float) -> float:
    return round(seconds, 6)
