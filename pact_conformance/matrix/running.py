"""Running the matrix: who has a turn, what came of it, and the two files that say so."""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pact_conformance.catalogue import load
from pact_conformance.catalogue.requirement import Role
from pact_conformance.matrix import document, page, rotation
from pact_conformance.matrix.forked import Ran, run_all
from pact_conformance.matrix.gathering import Gathering
from pact_conformance.matrix.pairs import sample
from pact_conformance.matrix.subjects import Subject, by_section, subjects
from pact_conformance.matrix.telling import Telling


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Who is run, and against what."""

    names: tuple[str, ...] = ()
    """Flaws and variants; none: all of them."""
    role: Role | None = None
    whole: bool = True
    rotate: int = 10
    share: int = 1
    agents: int = 1
    pairs: int = 0


def chosen(choice: Choice) -> tuple[list[Subject], str]:
    """Return the subjects, and say in a line who they are and what they are held against.

    Raises:
        LookupError: nothing has one of the names.
    """
    everybody = [
        it for it in subjects(choice.names) if it.kind == "honest" or choice.role in {None, it.role}
    ]
    held, told = everybody, "each against the whole suite of its role"
    if not choice.whole:
        held, told = rotation.chosen(
            everybody, choice.rotate, share=choice.share, agents=choice.agents
        )
    if not choice.pairs:
        return held, told
    number, said = rotation.turn()
    drawn = sample(_paired(everybody, choice.role), choice.pairs, number)
    told += f"; {len(drawn)} pair{'' if len(drawn) == 1 else 's'} of flaws by section ({said})"
    return held + [by_section(it) for it in drawn], told


def _paired(everybody: list[Subject], role: Role | None) -> list[Subject]:
    """Return whose flaws are paired: theirs, or everybody's where none of them has one."""
    if any(it.kind == "flaw" for it in everybody):
        return everybody
    return [it for it in subjects() if role in {None, it.role}]


def run(choice: Choice, reports: Path, *, at_once: int) -> int:
    """Run the matrix and write `matrix.json` and `matrix.html`; return the exit code.

    0: everything is as declared; 1: there are findings; 2: it was interrupted.

    Raises:
        LookupError: nothing has one of the names.
        OSError: the folder cannot be written.
    """
    started = time.time()
    everybody, told = chosen(choice)
    reports.mkdir(parents=True, exist_ok=True)
    telling = Telling(sys.stdout, len(everybody))
    telling.say(f"{len(everybody)} subjects: {told}")
    gathered = Gathering(reports.resolve(), telling.say)

    def ended(ran: Ran) -> Subject | None:
        again = gathered.ended(ran)
        if again is None:
            telling.step()
        return again

    try:
        whole = run_all(everybody, reports, at_once=at_once, ended=ended)
    finally:
        telling.close()
    course = document.Course(started, time.time(), told, partial=not whole)
    built = document.build(load(), gathered, course)
    written = document.write(built, reports), page.write(built, reports)
    for line in summary(built, took=course.finished - course.started):
        telling.say(line)
    telling.say(f"{written[1]}\n{written[0]} holds the same for programs")
    if not whole:
        return 2
    return 1 if built["findings"] else 0


def summary(built: Mapping[str, Any], *, took: float) -> list[str]:
    """Return what is said at the end: every finding, the counts, and what it cost."""
    counted = [_counted(role, it) for role, it in built["counts"].items() if any(it.values())]
    found = len(built["findings"])
    verdict = f"{found} finding{'s' if found > 1 else ''}" if found else "everything is as declared"
    if built["partial"]:
        verdict = f"interrupted; so far {verdict}"
    cost = f"{took:.0f} s, {built['cpu_seconds']:.0f} s of CPU"
    return [*built["findings"], *counted, f"{verdict}, in {cost}"]


def _counted(role: str, counts: Mapping[str, int]) -> str:
    return f"{role}: " + ", ".join(f"{count:,} {noun}" for noun, count in counts.items())
