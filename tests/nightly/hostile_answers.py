"""Hostile answers find what no hand-written check names, and nothing at an agent that conforms.

    python -m tests.nightly.hostile_answers [--passes | --found | --honest | --variants]
        [--examples N] [--soon] [NAME…]

Each subtle flaw of the mock agent is held against the ordinary suite of personal agents, which has
to pass it: otherwise it is no subtle one (`--passes`). Then the usual number of scenes is played
with it: something has to be found, what is found has to be of one change, none simpler may show
something, and it has to break what the flaw breaks (`--found`; with `--soon` no more are played
then). Many are played with the agent as it is (`--honest`), and some with each of its variants,
other ones with each (`--variants`): there nothing may fail.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pact_conformance.counterpart import subtle_flaws, variants
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Impossible, Trial, Unanswered
from pact_conformance.fuzz.hostile_answers.family import HostileAnswers
from pact_conformance.fuzz.lessening import simpler
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from pact_conformance.matrix.forked import Ran, run_all
from pact_conformance.matrix.subjects import Subject
from tests.fuzz.on_the_stage import on_the_stage, tried

# What docs/settings.md calls usual, what is tried at the agent as it is, and at a variant of it.
USUAL, HONEST, FEW = 2000, 20_000, 40

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


class Watched(HostileAnswers):
    """The family, and which of its scenes was the first that showed something."""

    played = 0
    first = 0

    def attempt(self, example: Example) -> Trial:
        """Play the scene of an example, and look what came of it."""
        try:
            trial = super().attempt(example)
        except Unanswered as broken:
            self._count(broken.trial)
            raise
        self._count(trial)
        return trial

    def _count(self, trial: Trial) -> None:
        self.played += 1
        if not self.first and (trial.failed or trial.warning):
            self.first = self.played


class Soon(Campaign):
    """A campaign that ends as soon as something was found and made less of."""

    def _add(self, example: Example) -> None:
        super()._add(example)
        if any(cause.trial.failed for cause in self.tally.causes):
            self.tally.stopped = "something was found"


@dataclass(frozen=True)
class Played:
    """What a campaign came to."""

    tally: Tally
    first: int
    """The number of the scene that was the first to show something; 0: none did."""
    lesser: tuple[str, ...]
    """Examples that are simpler by one step than one that was found, and show something too."""

    def problems(self, breaks: AbstractSet[str]) -> Iterator[str]:
        """Yield what is wrong with what was found at a flaw, or that nothing was."""
        causes = self.tally.causes
        if not causes and "busy" not in self.tally.stopped:  # who hangs keeps all others waiting
            yield f"nothing was found among {self.tally.tried}; {self.tally.stopped}"
        for cause in causes:
            if len(cause.example.changes) != 1:
                yield f"{len(cause.example.changes)} changes: {cause.words}"
            if cause.trial.failed and cause.requirement not in breaks:
                yield f"{cause.requirement} was blamed, which it does not break: {cause.words}"
        for text in self.lesser:
            yield f"this is simpler than what was found, and shows something too: {text}"


def played(
    examples: int,
    *,
    flaw: str = "",
    variant: str = "",
    seed: int = 1,
    campaign: type[Campaign] = Campaign,
) -> Played:
    """Play scenes: with a stage and an agent of their own, for it may hang."""
    with (
        tempfile.TemporaryDirectory() as folder,
        on_the_stage(Path(folder)) as acts,
        acts.being(flaw=flaw, variant=variant),
    ):
        family = Watched(acts.rig(), Pace(None, 10**9))
        family._seconds = HANGING
        begun = campaign(family, Pace(None, 10**9), examples=examples, seed=seed)
        tally, first = begun.run(draw, lessen), family.first
        lesser = tuple(it.text for cause in tally.causes for it in _lesser(family, cause.example))
        return Played(tally, first, lesser)


def _lesser(family: HostileAnswers, example: Example) -> Iterator[Example]:
    for near in simpler(family, example):
        with suppress(Impossible):
            trial = tried(family, near)
            if trial.failed or trial.warning:
                yield near


def _passes(names: Sequence[str], folder: Path) -> bool:
    found = told(names, folder)
    for name, tripped in found.items():
        sys.stdout.write(f"{name}: the ordinary suite tells of it: {', '.join(tripped)}\n")
    sys.stdout.write(f"{len(names) - len(found)} of {len(names)} flaws pass the ordinary suite\n")
    return not found


def _found(names: Sequence[str], examples: int, *, soon: bool) -> bool:
    amiss: list[str] = []
    for name in names:
        it = played(examples, flaw=name, campaign=Soon if soon else Campaign)
        tally = it.tally
        said = "; ".join(cause.words for cause in tally.causes) or "nothing was found"
        stopped = f"; stopped: {tally.stopped}" if tally.stopped else ""
        counts = f"{tally.tried} tried in {tally.seconds:.0f} s, shown by scene {it.first}"
        sys.stdout.write(f"{name}: {counts}: {said}{stopped}\n")
        sys.stdout.flush()
        amiss += [f"{name}: {problem}" for problem in it.problems(subtle_flaws.ALL[name].breaks)]
    for problem in amiss:
        sys.stdout.write(f"{problem}\n")
    return not amiss


def _blamed(who: str, tally: Tally) -> bool:
    """Tell what became of one that conforms; say whether it is blamed of something."""
    counts = ", ".join(f"{number} {what}" for what, number in tally.counts.items())
    stopped = f"; stopped: {tally.stopped}" if tally.stopped else ""
    sys.stdout.write(f"{who}: {counts}, in {tally.seconds:.0f} s{stopped}\n")
    for cause in tally.causes:
        kind = "blamed" if cause.trial.failed else "warned"
        got = cause.trial.got or cause.trial.warning
        sys.stdout.write(f"  {kind}: {cause.example.text}: {cause.words}: {got}\n")
    sys.stdout.flush()
    return any(cause.trial.failed for cause in tally.causes)


def _honest(examples: int) -> bool:
    tally = played(examples).tally
    return not _blamed("the agent as it is", tally) and tally.tried >= examples


def _variants(names: Sequence[str], examples: int) -> bool:
    seeds = {name: seed for seed, name in enumerate(variants.of("personal-agent"), start=1)}
    wrongly = []
    for name in names:
        tally = played(examples, variant=name, seed=seeds[name]).tally
        wrongly += [name] if _blamed(name, tally) else []
    sys.stdout.write(f"{len(wrongly)} of {len(names)} variants blamed: {', '.join(wrongly)}\n")
    return not wrongly


def main() -> None:
    """Read the arguments, do what they ask for, and end with 1 if something is not as it has to be.

    Without one of the four all are done; names are of flaws, or of variants where those are asked.
    """
    parser = argparse.ArgumentParser(description="Hold hostile answers to what they promise.")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--passes", action="store_true", help="flaws at the ordinary suite alone")
    only.add_argument("--found", action="store_true", help="flaws at the fuzzing alone")
    only.add_argument("--honest", action="store_true", help="the agent as it is alone")
    only.add_argument("--variants", action="store_true", help="its variants alone")
    parser.add_argument("--examples", type=int, help=f"{USUAL}, {HONEST} or {FEW} of each")
    parser.add_argument("--soon", action="store_true", help="a flaw is left once it is found")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    everything = not (given.passes or given.found or given.honest or given.variants)
    flaws = given.names or list(subtle_flaws.of("personal-agent"))
    good = True
    if given.found or everything:
        good = _found(flaws, given.examples or USUAL, soon=given.soon)
    if given.passes or everything:
        with tempfile.TemporaryDirectory() as folder:
            good = _passes(flaws, Path(folder)) and good
    if given.honest or (everything and not given.names):
        good = _honest(given.examples or HONEST) and good
    if given.variants or (everything and not given.names):
        names = given.names or list(variants.of("personal-agent"))
        good = _variants(names, given.examples or FEW) and good
    sys.exit(not good)


if __name__ == "__main__":
    main()
