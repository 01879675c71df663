"""Forged tokens blame nobody who conforms: 20,000 at the mock, and some at each of its variants.

    python -m tests.nightly.forged_tokens [--examples 20000] [--of-each 300] [VARIANT…]

The mock is fuzzed as a tester does it. A variant is asked in this process, once as an application
and once at its verifier, where the personal agent has keys of every algorithm.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pact_conformance.counterpart import variants
from pact_conformance.fuzz.campaign import Campaign
from pact_conformance.fuzz.family import Family
from pact_conformance.fuzz.forged_tokens.family import ForgedTokens
from pact_conformance.fuzz.forged_tokens.kinds import KINDS
from pact_conformance.fuzz.pace import Pace
from pact_conformance.fuzz.rounds import draw, lessen
from pact_conformance.fuzz.tally import Tally
from pact_conformance.gate import Gate
from pact_conformance.matrix.subjects import OPEN_VARIANTS
from pact_conformance.subject.preflight import _try_probes
from pact_conformance.verdicts import Unsettled
from tests.fuzz.at_the_mock import AUDIENCE, AtTheMock
from tests.fuzz.in_process import InProcess, caller
from tests.plugin.suite import CHECKOUT, command, shell


class World(InProcess):
    """A mock with a variant, and what the family needs of a run."""

    def __init__(self, variant: str) -> None:
        super().__init__(variants=[variant], max_wait=60)
        self.settings.open_audience = AUDIENCE if variant in OPEN_VARIANTS else None
        name, _ = _try_probes(self.provider)
        self.preflight = SimpleNamespace(probe=name, clock_uncertainty=1.0, clock_offset=0.0)
        self.other_caller = caller("other")
        self.gate = Gate(self.rig)


def _pace(examples: int) -> Pace:
    """Return bounds that hardly matter; what a rate limit asks for is not waited for."""
    return Pace(None, 10 * examples, sleep=lambda _: None)


def campaign(family: Family, examples: int) -> Tally:
    """Try examples."""
    return Campaign(family, _pace(examples), examples=examples, seed=1).run(draw, lessen)


def as_application(variant: str, examples: int) -> Tally:
    """Fuzz the application of a mock with a variant."""
    with closing(World(variant)) as world:
        return campaign(ForgedTokens(world.rig, _pace(examples)), examples)


def at_its_verifier(variant: str, examples: int) -> Tally:
    """Fuzz the verifier of a mock with a variant."""
    with closing(AtTheMock(variants=[variant])) as family:
        return campaign(family, examples)


WAYS: dict[str, Callable[[str, int], Tally]] = {
    "application": as_application,
    "verifier": at_its_verifier,
}


def blamed(names: Iterable[str], examples: int) -> int:
    """Fuzz variants; tell who is blamed of what, or warned, and return how many were blamed."""
    tried = wrongly = 0
    for name in names:
        for way, fuzz in WAYS.items():
            try:
                tally = fuzz(name, examples)
            except Unsettled as why:
                sys.stdout.write(f"{name}, {way}: {why.verdict}: {why}\n")
                continue
            tried += tally.tried
            if tally.stopped:
                sys.stdout.write(f"{name}, {way}: stopped after {tally.tried}: {tally.stopped}\n")
            for cause in tally.causes:
                kind = "blamed" if cause.trial.failed else "warned"
                said = f"{KINDS.said(cause.example)}: {cause.trial.got or cause.trial.warning}"
                sys.stdout.write(f"{name}, {way}: {kind}: {said}\n")
            wrongly += any(cause.trial.failed for cause in tally.causes)
            sys.stdout.flush()
    sys.stdout.write(f"{tried} examples at variants, {wrongly} of them blamed\n")
    return wrongly


def at_the_mock(examples: int) -> bool:
    """Fuzz the mock as a tester does; say whether all was tried and nothing was found."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        subprocess.run(
            command(
                "suites/fuzz/test_3_2_personal_agent_jwt.py",
                f"--pact-fuzz={examples}",
                "--pact-provider=mock",
                folder=Path(folder),
            ),
            cwd=CHECKOUT,
            env=shell(),
            stdout=subprocess.DEVNULL,
            check=False,
        )
        seconds = time.monotonic() - started
        report = json.loads(Path(folder, "report.json").read_text("utf-8"))
    family: dict[str, Any] = report["fuzzing"]["families"][0]
    counts = ", ".join(f"{number} {what}" for what, number in family["counts"].items())
    sys.stdout.write(f"the mock: {counts}, in {seconds:.0f} s; {len(family['causes'])} causes\n")
    for cause in family["causes"]:
        sys.stdout.write(f"  {cause['verdict']}: {cause['case']}\n")
    return family["counts"]["tried"] >= examples and not family["causes"]


def main() -> None:
    """Read the arguments, fuzz, and end with 1 if somebody who conforms was blamed."""
    parser = argparse.ArgumentParser(description="Fuzz those who conform with forged tokens.")
    parser.add_argument("--examples", type=int, default=20_000, help="at the mock; 0: none")
    parser.add_argument("--of-each", type=int, default=300, help="at a variant; 0: none")
    parser.add_argument("names", nargs="*", metavar="VARIANT")
    given = parser.parse_args()
    good = not given.examples or at_the_mock(given.examples)
    names = given.names or list(variants.of("provider"))
    if given.of_each:
        good = not blamed(names, given.of_each) and good
    sys.exit(not good)


if __name__ == "__main__":
    main()
