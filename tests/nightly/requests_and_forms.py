"""Odd requests and forms find what no hand-written check names, and nothing where all is legal.

    python -m tests.nightly.requests_and_forms [--honest N] [--variants N] [--flaws N] [NAME…]

For each of the two families: the mock Provider, in this process, as it is, where nothing may be
found in N examples; its variants, of which none may fail; and the subtle flaws that the family is
for. At nine in ten of these something has to be found that the flaw breaks, by a single change.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from pact_conformance.counterpart import subtle_flaws, variants
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.families import maker_of
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Cause, Tally
from pact_conformance.verdicts import Unsettled
from tests.fuzz import test_malformed_requests, test_oauth_forms
from tests.fuzz.in_process import InProcess

HONEST, USUAL, FEW = 20_000, 2000, 200

# By family, the flaws that it is for.
FLAWS: Mapping[str, Sequence[str]] = {
    "malformed-requests": tuple(test_malformed_requests.LEAST),
    "oauth-forms": tuple(test_oauth_forms.LEAST),
}

# The least share of a family's flaws that is found.
LEAST_FOUND = 0.9

# What a rate limit asks for at most, in seconds, where nobody waits.
_MOST_WAIT = 60.0


def tried(
    family: str, examples: int, *, flaws: Iterable[str] = (), legal: Iterable[str] = ()
) -> Tally:
    """Try examples of a family at a mock Provider.

    Raises:
        Unsettled: at this one it cannot be tried.
    """
    with closing(InProcess(flaws, legal, max_wait=_MOST_WAIT)) as world:
        pace = Pace(None, 20 * examples + 500, sleep=lambda _: None)
        made = maker_of(family)(world.rig, pace)
        return Campaign(made, pace, examples=examples, seed=1).run(draw, lessen)


def _failing(tally: Tally) -> list[Cause]:
    return [cause for cause in tally.causes if cause.trial.failed]


def problems_of_flaw(name: str, tally: Tally) -> Iterator[str]:
    """Yield what is wrong with what was found at a flaw."""
    breaks = subtle_flaws.ALL[name].breaks
    found = [cause for cause in tally.causes if cause.requirement in breaks]
    for cause in _failing(tally):
        if cause.requirement not in breaks:
            yield f"{cause.requirement} was blamed, which it does not break: {cause.words}"
    if found and min(len(cause.example.changes) for cause in found) > 1:
        yield f"several changes are left: {found[0].words}"


def problems_of_legal(tally: Tally) -> Iterator[str]:
    """Yield what was failed where all is legal."""
    for cause in _failing(tally):
        yield f"{cause.words}: expected {cause.trial.expected}, got {cause.trial.got}"


def _told(name: str, tally: Tally, problems: Iterable[str], seconds: float) -> bool:
    found = list(problems)
    counts = ", ".join(f"{number} {what}" for what, number in tally.counts.items())
    stopped = f", stopped: {tally.stopped}" if tally.stopped else ""
    sys.stdout.write(f"{name}: {counts}{stopped}, {seconds:.1f} s of a processor\n")
    sys.stdout.writelines(f"  {problem}\n" for problem in found)
    sys.stdout.flush()
    return not found


def _at_the_mock(family: str, examples: int) -> bool:
    started = time.process_time()
    tally = tried(family, examples)
    seconds = time.process_time() - started
    told = _told(f"{family}, the mock", tally, problems_of_legal(tally), seconds)
    return told and tally.tried >= examples


def _at_variants(family: str, names: Iterable[str], examples: int) -> Iterator[bool]:
    for name in names:
        started = time.process_time()
        try:
            tally = tried(family, examples, legal=[name])
        except Unsettled as why:
            sys.stdout.write(f"{family}, {name}: {why.verdict}: {why}\n")
            continue
        seconds = time.process_time() - started
        yield _told(f"{family}, {name}", tally, problems_of_legal(tally), seconds)


def _at_flaws(family: str, names: Sequence[str], examples: int) -> Iterator[bool]:
    found = 0
    for name in names:
        started = time.process_time()
        tally = tried(family, examples, flaws=[name])
        seconds = time.process_time() - started
        found += bool(tally.causes)
        what = name if tally.causes else f"{name} (not found)"
        yield _told(f"{family}, {what}", tally, problems_of_flaw(name, tally), seconds)
    sys.stdout.write(f"{family}: {found} of {len(names)} subtle flaws found\n")
    yield found >= LEAST_FOUND * len(names)


def _all(given: argparse.Namespace) -> Iterator[bool]:
    def wanted(names: Iterable[str]) -> list[str]:
        return [name for name in names if not given.names or name in given.names]

    for family, flaws in FLAWS.items():
        if given.honest and not given.names:
            yield _at_the_mock(family, given.honest)
        if given.variants:
            yield from _at_variants(family, wanted(variants.of("provider")), given.variants)
        if given.flaws:
            yield from _at_flaws(family, wanted(flaws), given.flaws)


def main() -> None:
    """Read the arguments, try all of it, and end with 1 if something is not as it has to be."""
    parser = argparse.ArgumentParser(description="Hold two families to what they promise.")
    parser.add_argument("--honest", type=int, default=HONEST, help="examples at the mock; 0: none")
    parser.add_argument("--variants", type=int, default=FEW, help="at a variant; 0: none")
    parser.add_argument("--flaws", type=int, default=USUAL, help="at a flaw; 0: none")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    sys.exit(not all(list(_all(given))))


if __name__ == "__main__":
    main()
