"""Every flaw trips the same requirements in each run, and no variant is failed in one of them.

    python -m tests.nightly.flaws --times 3 [--by-section] [NAME…]

What trips by chance shows here: a requirement that one run saw broken, and another did not.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

# What came of a subject in one run: what it tripped, and what is wrong with that.
Outcome = tuple[tuple[str, ...], str]


def once(arguments: list[str], reports: Path) -> dict[str, Outcome]:
    """Run the matrix; return what came of each subject."""
    command = [sys.executable, "-m", "pact_conformance", "matrix", f"--reports={reports}"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    path = reports / "matrix.json"
    if not path.is_file():
        sys.exit(done.stdout + done.stderr)
    rows = json.loads(path.read_text(encoding="utf-8"))["subjects"]
    return {row["name"]: (tuple(row["tripped"]), row["problem"]) for row in rows}


def repeat(times: int, arguments: list[str], folder: Path) -> int:
    """Run the matrix so often; tell whose outcome differs or is wrong, and return how many."""
    outcomes: defaultdict[str, Counter[Outcome]] = defaultdict(Counter)
    for number in range(1, times + 1):
        for name, outcome in once(arguments, folder / str(number)).items():
            outcomes[name][outcome] += 1
    wrong = {name: all_ for name, all_ in outcomes.items() if len(all_) > 1 or _problem(all_)}
    for name, all_ in sorted(wrong.items()):
        sys.stdout.write(f"{name}\n")
        for (tripped, problem), count in all_.most_common():
            said = problem or "as declared"
            sys.stdout.write(f"  {count} of {times}: {said} ({', '.join(tripped) or 'nothing'})\n")
    sys.stdout.write(f"{len(outcomes)} subjects, {times} times: {len(wrong)} vary or are wrong\n")
    return len(wrong)


def _problem(outcomes: Counter[Outcome]) -> bool:
    return any(problem for _, problem in outcomes)


def main() -> None:
    """Read the arguments, repeat, and end with 1 if something varied."""
    parser = argparse.ArgumentParser(description="Repeat the matrix and compare what is tripped.")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--by-section", action="store_true", help="flaws by section, none whole")
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    arguments = [f"--at-once={given.at_once}", *given.names]
    arguments += ["--by-section", "--rotate=0"] if given.by_section else []
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(1 if repeat(given.times, arguments, Path(folder)) else 0)


if __name__ == "__main__":
    main()
