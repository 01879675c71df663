"""Whether two kinds of requests take different times: paired samples, and a test of ranks.

The two are sent in turns, in an order that chance decides, so that whatever slows the network or
the machine down slows both. Of the differences of the pairs Wilcoxon's signed-rank test says how
likely chance makes them; it assumes nothing about how times are distributed. A difference counts
if it is large enough to be seen over a network, too unlikely to be chance, and there again, in the
same direction, in another round.
"""

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pact_conformance import expect
from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Untested

# Pairs of a round: when all agree, chance makes that once in 10^11.
PAIRS = 40

# Two of so many have to tell of the same.
ROUNDS = 3

# A first pair opens connections and fills caches; it is not counted.
WARMING = 2

# What chance may have made more often is chance.
UNLIKELY = 1e-4

# What nobody sees over a network: less than a millisecond, or than a tenth of the whole.
LEAST_SECONDS = 0.001
LEAST_SHARE = 0.1

Ask = Callable[[int], Answer]
"""Sends a request of its kind, told the number of the pair."""


@dataclass(frozen=True)
class Compared:
    """Two series of times, in pairs."""

    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def difference(self) -> float:
        """The median of how much longer the second took, in seconds."""
        return statistics.median(b - a for a, b in zip(self.first, self.second, strict=True))

    @property
    def p(self) -> float:
        """How likely chance alone makes differences like these."""
        return signed_rank(
            [b - a for a, b in zip(self.first, self.second, strict=True)],
        )

    @property
    def tells(self) -> bool:
        """Whether the difference is large and no chance."""
        whole = min(statistics.median(self.first), statistics.median(self.second))
        large = abs(self.difference) >= max(LEAST_SECONDS, LEAST_SHARE * whole)
        return large and self.p < UNLIKELY


def signed_rank(differences: Sequence[float]) -> float:
    """Return the two-sided p of Wilcoxon's signed-rank test, by its normal approximation.

    Differences of nothing are left out; equal ones share the mean of their ranks, and the variance
    is made smaller by that.
    """
    found = sorted((it for it in differences if it), key=abs)
    count = len(found)
    if not count:
        return 1.0
    positive, ties, start = 0.0, 0.0, 0
    while start < count:
        end = start
        while end < count and abs(found[end]) == abs(found[start]):
            end += 1
        same, rank = end - start, (start + 1 + end) / 2
        positive += rank * sum(it > 0 for it in found[start:end])
        ties += same**3 - same
        start = end
    mean = count * (count + 1) / 4
    variance = count * (count + 1) * (2 * count + 1) / 24 - ties / 48
    if variance <= 0:
        return 1.0
    distance = max(0.0, abs(positive - mean) - 0.5)
    return 2 * statistics.NormalDist().cdf(-distance / variance**0.5)


def compared(first: Ask, second: Ask, *, pairs: int = PAIRS, chance: random.Random) -> Compared:
    """Send pairs of both kinds, and return how long the answers took.

    Raises:
        Untested: they are answered differently, so that nobody needs a clock to tell them apart.
        Inconclusive: a rate limit outlived its waits, or a gateway answered.
    """
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(WARMING + pairs):
        kinds = [0, 1]
        chance.shuffle(kinds)
        # A rate limit or a gateway says nothing of how long the Provider takes.
        answers = {kind: expect.settled((first, second)[kind](number)) for kind in kinds}
        if answers[0].status != answers[1].status:
            got = f"{answers[0].status} and {answers[1].status}"
            raise Untested(f"the two are answered differently anyway, by {got}")
        if number >= WARMING:
            for kind, answer in answers.items():
                times[kind].append(answer.elapsed)
    return Compared(tuple(times[0]), tuple(times[1]))


def must_take_as_long(first: tuple[str, Ask], second: tuple[str, Ask]) -> None:
    """Demand that two kinds of requests take the same time, and say what was measured.

    Args:
        first: what it is called, and what sends it.
        second: likewise.

    Raises:
        Deviation: one takes longer, and did so again.
        Untested: they are answered differently.
        Inconclusive: see `compared`.
    """
    chance = random.Random()  # noqa: S311 - an order, no secret
    (name, ask), (other, ask_other) = first, second
    rounds = [compared(ask, ask_other, chance=chance)]
    # Once may be chance. Where the second round shows less than the first a third one decides.
    while rounds[0].tells and len(rounds) < ROUNDS and not _shown(rounds):
        rounds.append(compared(ask, ask_other, chance=chance))
    last = rounds[-1]
    for what, times in ((name, last.first), (other, last.second)):
        expect.measured(f"median for {what}", 1000 * statistics.median(times), "ms")
    expect.measured("median of the paired differences", 1000 * last.difference, "ms")
    expect.measured("p (Wilcoxon's signed-rank test)", last.p)
    expect.measured("pairs", sum(len(it.first) for it in rounds))
    slower, faster = (other, name) if last.difference > 0 else (name, other)
    expect.that(
        not _shown(rounds),
        f"the same time for {name} and {other}",
        f"{1000 * abs(last.difference):.2f} ms more for {slower} than for {faster}, in two rounds",
    )


def _shown(rounds: Sequence[Compared]) -> bool:
    """Say whether two rounds, the first and the last, tell of the same."""
    first, last = rounds[0], rounds[-1]
    same_way = (first.difference > 0) == (last.difference > 0)
    return len(rounds) > 1 and first.tells and last.tells and same_way
