"""Conversations find what no hand-written check names, and nothing where all is legal.

    python -m tests.nightly.conversations [--honest N] [--variants N] [--flaws N] [NAME…]

The mock Provider is in this process. As it is nothing may be found in N conversations; nor may
anything fail at its variants. At each subtle flaw of conversations something has to be found that
it breaks, and in as few steps as its least example has (tests/fuzz/least_conversations.py). Where N
is 0 that part is left out.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence

from pact_conformance.counterpart import subtle_flaws, variants
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from tests.fuzz.conversing import AtTheMock
from tests.fuzz.least_conversations import LEAST

HONEST, USUAL, FEW = 20_000, 2000, 40


def tried(
    examples: int, *, seed: int = 1, flaws: Iterable[str] = (), legal: Iterable[str] = ()
) -> Tally:
    """Try conversations at a mock Provider."""
    family = AtTheMock(flaws, legal)
    try:
        pace = Pace(None, 3 * examples + 2000)
        return Campaign(family, pace, examples=examples, seed=seed).run(draw, lessen)
    finally:
        family.mock.close_loop()


def problems_of_flaw(name: str, tally: Tally) -> Iterator[str]:
    """Yield what is wrong with what was found at a flaw."""
    failed = [cause for cause in tally.causes if cause.trial.failed]
    if not failed:
        yield "nothing was found"
        return
    for cause in failed:
        if cause.requirement not in subtle_flaws.ALL[name].breaks:
            yield f"{cause.requirement} was blamed, which it does not break: {cause.words}"
    fewest = min(len(cause.example.changes) for cause in failed)
    if fewest > len(LEAST[name].changes):
        yield f"{fewest} steps are left: {failed[0].words}"


def problems_of_legal(tally: Tally) -> Iterator[str]:
    """Yield what was failed where all is legal."""
    for cause in tally.causes:
        if cause.trial.failed:
            yield f"{cause.words}: expected {cause.trial.expected}, got {cause.trial.got}"


def _told(name: str, tally: Tally, problems: Iterable[str], seconds: float) -> bool:
    found = list(problems)
    counts = ", ".join(f"{number} {what}" for what, number in tally.counts.items())
    sys.stdout.write(f"{name}: {counts}, {seconds:.1f} s of a processor\n")
    sys.stdout.writelines(f"  {problem}\n" for problem in found)
    sys.stdout.flush()
    return not found


def _each(names: Sequence[str], given: argparse.Namespace) -> Iterator[bool]:
    started = time.process_time()

    def seconds() -> float:
        nonlocal started
        before, started = started, time.process_time()
        return started - before

    if given.honest and not names:
        tally = tried(given.honest)
        yield _told("the mock Provider", tally, problems_of_legal(tally), seconds())
    for name in names or [it.name for it in variants.of("provider").values()]:
        if given.variants and name not in LEAST:
            tally = tried(given.variants, legal=[name])
            yield _told(name, tally, problems_of_legal(tally), seconds())
    for name in names or LEAST:
        if given.flaws and name in LEAST:
            tally = tried(given.flaws, flaws=[name])
            yield _told(name, tally, problems_of_flaw(name, tally), seconds())


def main() -> None:
    """Read the arguments, try all of it, and end with 1 if something is not as it has to be."""
    parser = argparse.ArgumentParser(description="Hold conversations to what they promise.")
    parser.add_argument("--honest", type=int, default=HONEST)
    parser.add_argument("--variants", type=int, default=FEW)
    parser.add_argument("--flaws", type=int, default=USUAL)
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    sys.exit(not all(list(_each(given.names, given))))


if __name__ == "__main__":
    main()
