"""A change to the code that decides makes one of its fast unit tests fail: mutation testing.

    python -m tests.nightly.mutants --minutes 90 [--at-once 2] [--go-on] [PACKAGE…]

mutmut changes one thing at a time, and runs the tests that reach it; `[tool.mutmut]` in
pyproject.toml says in which modules and with which tests. What was not come to in time is told, and
lowers no score. `mutmut results` and `mutmut show NAME` say afterwards what survived.
"""

import argparse
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
MUTANTS = CHECKOUT / "mutants"

# The packages, as mutmut names what is in them, and the least percentage of their mutants that has
# to be found. docs/mutation-testing.md says which mutants survive, and why.
PACKAGES = {
    "report": ("report.", 95),
    "verdicts": ("verdicts.", 95),
    "expect": ("expect.", 95),
    "journal": ("journal.rules.", 90),
    "tokens": ("tokens.", 75),
    "catalogue": ("catalogue.", 75),
}

FOUND = ("killed", "timeout")
NOT_TRIED = ("not checked", "check was interrupted by user", "skipped")

# How mutmut tells of one mutant.
_LINE = re.compile(r"^\s*pact_conformance\.(?P<name>\S+): (?P<status>.+)$", re.MULTILINE)


def mutmut(*arguments: str) -> list[str]:
    """Return the command line of mutmut."""
    return [str(Path(sys.executable).with_name("mutmut")), *arguments]


def try_mutants(packages: Sequence[str], *, minutes: float, at_once: int) -> int:
    """Run mutmut until it has tried all, or the time is up; return its exit code."""
    patterns = [f"pact_conformance.{PACKAGES[it][0]}*" for it in packages]
    command = mutmut("run", f"--max-children={at_once}", *patterns)
    process = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.DEVNULL)
    try:
        return process.wait(60 * minutes)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        process.wait()
        return 0


def counted(told: str) -> dict[str, Counter[str]]:
    """Count what `mutmut results --all true` tells, by package and status."""
    counts: dict[str, Counter[str]] = {it: Counter() for it in PACKAGES}
    for line in _LINE.finditer(told):
        for package, (prefix, _) in PACKAGES.items():
            if line["name"].startswith(prefix):
                counts[package][line["status"]] += 1
    return counts


def score(counts: Mapping[str, int]) -> float | None:
    """Return the percentage of the mutants tried that a test found; None where none was tried."""
    tried = sum(number for status, number in counts.items() if status not in NOT_TRIED)
    return 100 * sum(counts.get(it, 0) for it in FOUND) / tried if tried else None


def judge(counts: Mapping[str, Counter[str]], packages: Sequence[str]) -> bool:
    """Tell the score of each package, and say whether all are what they have to be."""
    good = True
    for package in packages:
        floor = PACKAGES[package][1]
        reached = score(counts[package])
        said = ", ".join(f"{number} {status}" for status, number in counts[package].most_common())
        shown = "nothing was tried" if reached is None else f"{reached:.1f} %"
        below = reached is None or reached < floor
        sys.stdout.write(
            f"{package}: {shown}{f', below {floor} %' if below else ''} ({said or 'no mutants'})\n"
        )
        good = good and not below
    return good


def main() -> None:
    """Read the arguments, try the mutants, and end with 1 if too many survived."""
    parser = argparse.ArgumentParser(description="Change the code that decides; see who notices.")
    parser.add_argument("--minutes", type=float, default=90.0, help="then it stops")
    parser.add_argument("--at-once", type=int, default=1, help="so many processes")
    parser.add_argument("--go-on", action="store_true", help="keep what was tried before")
    parser.add_argument("packages", nargs="*", choices=[[], *PACKAGES], metavar="PACKAGE")
    given = parser.parse_args()
    packages = given.packages or list(PACKAGES)
    if not given.go_on:
        shutil.rmtree(MUTANTS, ignore_errors=True)  # it knows no test that has changed
    code = try_mutants(packages, minutes=given.minutes, at_once=given.at_once)
    told = subprocess.run(
        mutmut("results", "--all", "true"), cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    good = judge(counted(told.stdout), packages)
    sys.exit(code or not good)


if __name__ == "__main__":
    main()
