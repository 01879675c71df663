"""Hostile answers find what no hand-written check names: the subtle flaws of the mock agent.

    python -m tests.nightly.hostile_answers [--passes | --found] [--examples N] [NAME…]

First each is held against the ordinary suite of personal agents, which has to pass it: otherwise it
is no subtle one. Then the usual number of scenes is played with it: something has to be found, what
is found has to be of one change, and has to break what the flaw breaks.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pact_conformance.counterpart import subtle_flaws
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.hostile_answers.kinds import KINDS
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from pact_conformance.matrix.forked import Ran, run_all
from pact_conformance.matrix.subjects import Subject
from tests.fuzz.on_the_stage import on_the_stage

# What docs/settings.md calls usual.
USUAL = 2000

# Seconds that a call may take which never ends: that one is met a few times.
HANGING = 2.0


def told(names: Sequence[str], reports: Path) -> dict[str, list[str]]:
    """Hold flaws against the ordinary suite; return what it tells of each, where it tells of it."""
    found: dict[str, list[str]] = {}

    def ended(ran: Ran) -> None:
        tripped = sorted(ran.with_verdict("failed", "warned", "inconclusive"))
        if tripped or not ran.well:
            found[ran.subject.name] = tripped or [f"the run ended with {ran.exit_code}"]

    subjects = [Subject(it, "flaw", "delegated", role="personal-agent") for it in names]
    if not run_all(subjects, reports, at_once=1, ended=ended):
        sys.exit("interrupted")
    return found


def played(name: str, examples: int) -> Tally:
    """Play scenes with a flaw: with a stage and an agent of their own, for it may hang."""
    with tempfile.TemporaryDirectory() as folder, on_the_stage(Path(folder)) as acts:
        family = acts.family()
        family._seconds = HANGING
        with acts.being(flaw=name):
            campaign = Campaign(family, Pace(None, 10**9), examples=examples, seed=1)
            return campaign.run(draw, lessen)


def problems(name: str, tally: Tally) -> Iterator[str]:
    """Yield what is wrong with what was found, or that nothing was."""
    breaks = subtle_flaws.ALL[name].breaks
    causes = tally.causes
    if not causes and "busy" not in tally.stopped:  # a call that hangs keeps all others waiting
        yield f"{name}: nothing was found among {tally.tried}; {tally.stopped}"
    for cause in causes:
        if len(cause.example.changes) != 1:
            yield f"{name}: {len(cause.example.changes)} changes: {cause.words}"
        if cause.trial.failed and cause.requirement not in breaks:
            yield f"{name}: {cause.requirement} was blamed, which it does not break"


def _passes(names: Sequence[str], folder: Path) -> bool:
    found = told(names, folder)
    for name, tripped in found.items():
        sys.stdout.write(f"{name}: the ordinary suite tells of it: {', '.join(tripped)}\n")
    sys.stdout.write(f"{len(names) - len(found)} of {len(names)} flaws pass the ordinary suite\n")
    return not found


def _found(names: Sequence[str], examples: int) -> bool:
    amiss: list[str] = []
    for name in names:
        tally = played(name, examples)
        said = "; ".join(KINDS.said(it.example) for it in tally.causes) or "nothing was found"
        sys.stdout.write(f"{name}: {tally.tried} tried in {tally.seconds:.0f} s: {said}\n")
        sys.stdout.flush()
        amiss += problems(name, tally)
    for problem in amiss:
        sys.stdout.write(f"{problem}\n")
    return not amiss


def main() -> None:
    """Read the arguments, do both, and end with 1 if something is not as it has to be."""
    parser = argparse.ArgumentParser(description="Hold the agent's subtle flaws to what they are.")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--passes", action="store_true", help="the ordinary suite alone")
    only.add_argument("--found", action="store_true", help="the fuzzing alone")
    parser.add_argument("--examples", type=int, default=USUAL)
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    names = given.names or list(subtle_flaws.of("personal-agent"))
    good = given.passes or _found(names, given.examples)
    if not given.found:
        with tempfile.TemporaryDirectory() as folder:
            good = _passes(names, Path(folder)) and good
    sys.exit(not good)


if __name__ == "__main__":
    main()
