"""Who is held against the whole where most are held against sections: others at each commit."""

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from pact_conformance.matrix.subjects import Subject, by_section


def chosen(
    subjects: Sequence[Subject], rotate: int, *, share: int = 1, agents: int = 1
) -> tuple[list[Subject], str]:
    """Return subjects by section, but each `rotate`-th whole; say in a line which those are.

    Args:
        subjects: everybody.
        rotate: of so many one is held against the whole; 0: none is.
        share: of so many variants one is run at all; the others have their turn at other commits.
        agents: of so many flaws and variants of the mock personal agent one is run, likewise.
    """
    number, said = turn()
    whole = number % rotate if rotate else -1
    held = [
        subject if rotate and place % rotate == whole else by_section(subject)
        for place, subject in enumerate(subjects)
        if _has_its_turn(subject, place - number, share, agents)
    ]
    told = ["by section", *([f"one in {rotate} whole"] if rotate else [])]
    told += [f"one variant in {share}"] if share > 1 else []
    told += [f"one of the personal agent's in {agents}"] if agents > 1 else []
    return held, "; ".join(told) + (f" ({said})" if len(told) > 1 else "")


def _has_its_turn(subject: Subject, turns: int, share: int, agents: int) -> bool:
    """Say whether a subject is run at all, so many turns after or before its own."""
    if subject.kind == "honest":
        return True
    if subject.role == "personal-agent":
        return turns % agents == 0
    return subject.kind != "variant" or turns % share == 0


def turn() -> tuple[int, str]:
    """Return a number that is another at each commit, and what it is.

    Not how many commits there are: a shallow clone has one. Without git, the day.
    """
    command = ["git", "log", "-1", "--format=%ct"]
    try:
        ran = subprocess.run(  # noqa: S603 - git, if there is one
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
        return int(ran.stdout), f"second {int(ran.stdout)}, when the commit was made"
    except (OSError, subprocess.CalledProcessError, ValueError):
        day = int(time.time()) // 86400
        return day, f"day {day}, for want of git"
