"""Who is held against the whole where most are held against sections: others at each commit."""

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from pact_conformance.matrix.subjects import Subject, by_section


def chosen(subjects: Sequence[Subject], rotate: int) -> tuple[list[Subject], str]:
    """Return subjects by section, but each `rotate`-th whole; say in a line which those are."""
    if rotate == 0:
        return [by_section(it) for it in subjects], "all by section"
    number, said = turn()
    whole = number % rotate
    held = [
        subject if place % rotate == whole else by_section(subject)
        for place, subject in enumerate(subjects)
    ]
    return held, f"by section; whole where number % {rotate} == {whole} ({said})"


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
