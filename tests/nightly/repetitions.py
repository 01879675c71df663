"""Runs in a row reach the same verdicts, alone and over several processes, on a busy machine.

    python -m tests.nightly.repetitions --times 50 [--role provider]

Each run is the whole suite of a role on the built-in mock: first the Provider's as often, then the
personal agent's. Every second one is spread over four processes, and as many processes as there are
cores only burn time meanwhile.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.plugin.suite import Run, run

# By role, what aims a run at the built-in mock.
MOCKS = {"provider": {"E2E_PROVIDER": "mock"}, "personal-agent": {"E2E_AGENT": "mock"}}

# What identifies a result, and its verdict.
Results = dict[tuple[str, str, str], str]


def results(ended: Run) -> Results:
    """The verdict of every requirement, and of each case of its checks."""
    found: Results = {}
    for row in ended.report["requirements"]:
        found[row["id"], "", ""] = row["verdict"]
        for check in row["checks"]:
            found[row["id"], check["name"], check["case"]] = check["verdict"]
    return found


def difference(first: Results, other: Results) -> list[str]:
    """What the two say differently, in lines."""
    return [
        f"{' '.join(key)}: {first.get(key, 'absent')} at first, {other.get(key, 'absent')} now"
        for key in sorted(first.keys() | other.keys())
        if first.get(key) != other.get(key)
    ]


def _burn() -> None:
    while True:
        pass


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep the machine busy meanwhile."""
    burning = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(processes)]
    for process in burning:
        process.start()
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.join()


def repeat(times: int, role: str, folder: Path) -> int:
    """Run a role's suite so often; return how many runs differed from the first."""
    first: Results | None = None
    differing = 0
    seconds: Counter[str] = Counter()
    for number in range(times):
        parallel = ["-n", "4"] if number % 2 else []
        started = time.monotonic()
        ended = run(*parallel, folder=folder, environment=MOCKS[role])
        seconds["parallel" if parallel else "alone"] += round(time.monotonic() - started)
        if ended.code != 0:
            sys.stdout.write(ended.output)
        now = results(ended)
        first = now if first is None else first
        lines = difference(first, now)
        differing += bool(lines) or ended.code != 0
        for line in lines:
            sys.stdout.write(f"{role}, run {number + 1}: {line}\n")
    spent = ", ".join(f"{kind} {total} s" for kind, total in seconds.items())
    sys.stdout.write(f"{role}: {times} runs, {differing} unlike the first or failed; {spent}\n")
    return differing


def main() -> None:
    """Read the arguments, repeat, and end with 1 if a run differed."""
    parser = argparse.ArgumentParser(description="Repeat the suite and compare the verdicts.")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--role", choices=MOCKS, action="append", help="both, if none is given")
    parser.add_argument("--load", type=int, default=os.cpu_count() or 1, help="busy processes")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, load(arguments.load):
        roles = arguments.role or MOCKS
        differing = [repeat(arguments.times, role, Path(folder) / role) for role in roles]
        sys.exit(1 if any(differing) else 0)


if __name__ == "__main__":
    main()
