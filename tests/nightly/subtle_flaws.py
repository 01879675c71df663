"""Forged tokens find what no hand-written check names: the subtle flaws of how tokens are verified.

    python -m tests.nightly.subtle_flaws [--passes | --found] [--whole] [NAME…]

First each is held against the ordinary suite (against §3 alone, or with `--whole` against all of
PACT Identity), which has to pass it: otherwise it is no subtle one. Then forged tokens are fuzzed
at it as a tester would, with the usual number of examples: nine in ten have to be found within a
minute each, and what is found has to be the least example of its kind.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from pact_conformance.counterpart import subtle_flaws
from pact_conformance.fuzz.example import Change, Example, parse
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.kinds import KINDS
from pact_conformance.fuzz.kind import OneOf, Parameter
from pact_conformance.matrix.forked import Ran, run_all
from pact_conformance.matrix.subjects import Subject
from tests.fuzz.at_the_mock import AtTheMock
from tests.plugin.suite import CHECKOUT, command, shell

# What docs/settings.md calls usual, the least share that is found, and the seconds that one may
# take: of a processor, for what else the machine does says nothing about the fuzzing.
USUAL = 2000
LEAST_FOUND = 0.9
MOST_SECONDS = 60.0

SECTIONS = frozenset({"3.1", "3.2", "3.4"})


@dataclass(frozen=True)
class Search:
    """What fuzzing came to at one flaw."""

    name: str
    seconds: float
    """Of a processor: the run's and its mock Provider's. They take turns, so on a quiet machine it
    is what a clock shows."""
    tried: int
    examples: tuple[Example, ...]
    """The least ones of what failed, or warned where nothing fails."""
    astray: tuple[str, ...]
    """Requirements that it blamed, and the flaw does not break."""
    lesser: tuple[str, ...]
    """Examples that fail too, and are simpler than one that was found."""

    @property
    def found(self) -> bool:
        """Whether something was found, soon enough."""
        return bool(self.examples) and self.seconds <= MOST_SECONDS

    @property
    def line(self) -> str:
        """The search in a line."""
        said = "; ".join(KINDS.said(it) for it in self.examples) or "nothing was found"
        return f"{self.name}: {self.seconds:.1f} s, {self.tried} tried: {said}"

    @property
    def problems(self) -> Iterator[str]:
        """Yield what is wrong with what was found; not that nothing was."""
        for example in self.examples:
            if len(example.changes) != 1:
                yield f"{self.name}: {len(example.changes)} changes: {KINDS.said(example)}"
        for text in self.lesser:
            yield f"{self.name}: this is simpler, and fails too: {text}"
        for requirement in self.astray:
            yield f"{self.name}: {requirement} was blamed, which it does not break"


def of_tokens() -> Iterator[str]:
    """Yield the names of the flaws in how tokens are verified; others are for other families."""
    for name, flaw in subtle_flaws.of("provider").items():
        if flaw.apply.__module__.rpartition(".")[2].startswith("provider_3_2_"):
            yield name


def caught(names: Iterable[str], reports: Path, *, whole: bool) -> dict[str, list[str]]:
    """Hold flaws against the ordinary suite; return what it tells of each, where it tells of it."""
    told: dict[str, list[str]] = {}

    def ended(ran: Ran) -> None:
        tripped = sorted(ran.with_verdict("failed", "warned", "inconclusive"))
        if tripped or not ran.well:
            told[ran.subject.name] = tripped or [f"the run ended with {ran.exit_code}"]

    subjects = [
        Subject(it, "flaw", "identity", sections=None if whole else SECTIONS) for it in names
    ]
    if not run_all(subjects, reports, at_once=1, ended=ended):
        sys.exit("interrupted")
    return told


def search(name: str, folder: Path, examples: int) -> Search:
    """Fuzz one flaw, as a tester does."""
    before = getrusage(RUSAGE_CHILDREN)
    arguments = (
        "suites/fuzz/test_3_2_personal_agent_jwt.py",
        f"--pact-fuzz={examples}",
        "--pact-provider=mock",
        f"--pact-mock-flaws={name}",
    )
    subprocess.run(
        command(*arguments, folder=folder),
        cwd=CHECKOUT,
        env=shell(),
        stdout=subprocess.DEVNULL,
        check=False,
    )
    after = getrusage(RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    report = json.loads((folder / "report.json").read_text("utf-8"))
    family = report["fuzzing"]["families"][0]
    failed = [it for it in family["causes"] if it["verdict"] == "failed"] or family["causes"]
    found = tuple(parse(it["example"]) for it in failed)
    breaks = subtle_flaws.ALL[name].breaks
    astray = sorted({it["requirement"] for it in failed} - breaks)
    lesser = tuple(it.text for example in found for it in failing_below(name, example))
    return Search(name, seconds, family["counts"]["tried"], found, tuple(astray), lesser)


def failing_below(name: str, example: Example) -> Iterator[Example]:
    """Yield the examples that are simpler by one step and fail too, at the verifier alone."""
    family = AtTheMock([name])
    try:
        for other in below(example):
            try:
                failed = family.attempt(other).failed
            except Impossible:
                continue
            if failed:
                yield other
    finally:
        family.close()


def below(example: Example) -> Iterator[Example]:
    """Yield the examples with a change less, or with any simpler value in place of one."""
    changes = example.changes
    for place, change in enumerate(changes):
        before, behind = changes[:place], changes[place + 1 :]
        if len(changes) > 1:
            yield KINDS.example((*before, *behind))
        for number, parameter in enumerate(KINDS.all[change.kind].takes):
            values = change.values
            for value in _simpler(parameter, values[number]):
                lesser = Change(change.kind, (*values[:number], value, *values[number + 1 :]))
                yield KINDS.example((*before, lesser, *behind))


def _simpler(parameter: Parameter, value: object) -> Sequence[str | int | float | bool | None]:
    if isinstance(parameter, OneOf):
        places = [it == value and type(it) is type(value) for it in parameter.values]
        return parameter.values[: places.index(True)]
    assert isinstance(value, int)
    least = parameter.least
    return sorted({least, (least + value) // 2, value - 1} & {*range(least, value)})


def _passes(names: Sequence[str], folder: Path, *, whole: bool) -> bool:
    told = caught(names, folder, whole=whole)
    for name, tripped in told.items():
        sys.stdout.write(f"{name}: the ordinary suite tells of it: {', '.join(tripped)}\n")
    passed = len(names) - len(told)
    sys.stdout.write(f"{passed} of {len(names)} flaws pass the ordinary suite\n")
    return not told


def _found(names: Sequence[str], folder: Path, examples: int) -> bool:
    searches: list[Search] = []
    for name in names:
        searches.append(search(name, folder / name, examples))
        sys.stdout.write(f"{searches[-1].line}\n")
        sys.stdout.flush()
    problems = [it for each in searches for it in each.problems]
    for problem in problems:
        sys.stdout.write(f"{problem}\n")
    found = [it for it in searches if it.found]
    longest = max((it.seconds for it in found), default=0.0)
    sys.stdout.write(
        f"{len(found)} of {len(names)} found with {examples} examples, in {longest:.1f} s at most; "
        f"{len(problems)} problems\n"
    )
    return len(found) >= LEAST_FOUND * len(names) and not problems


def main() -> None:
    """Read the arguments, do both, and end with 1 if something is not as it has to be."""
    parser = argparse.ArgumentParser(description="Hold the subtle flaws to what makes them so.")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--passes", action="store_true", help="the ordinary suite alone")
    only.add_argument("--found", action="store_true", help="the fuzzing alone")
    parser.add_argument("--whole", action="store_true", help="against all of PACT Identity")
    parser.add_argument("--examples", type=int, default=USUAL)
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    names = given.names or list(of_tokens())
    with tempfile.TemporaryDirectory() as folder:
        good = True
        if not given.passes:
            good = _found(names, Path(folder), given.examples)
        if not given.found:
            good = _passes(names, Path(folder), whole=given.whole) and good
    sys.exit(not good)


if __name__ == "__main__":
    main()
