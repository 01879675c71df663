"""A run over four processes reports what a run alone does, word for word, ten times.

    python -m tests.nightly.comparisons --times 10

Times, ids and how much each process asks for itself apart: `tests.parallel.runs.settled`.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.parallel.runs import settled
from tests.plugin.suite import run


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare runs alone with runs over processes.")
    parser.add_argument("--times", type=int, default=10)
    times: int = parser.parse_args().times
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        alone = run(folder=Path(folder) / "alone")
        for number in range(1, times + 1):
            spread = run("-n", "4", folder=Path(folder) / str(number))
            same = alone.code == spread.code and settled(alone.report) == settled(spread.report)
            different += not same
            sys.stdout.write(f"{number}: {'the same' if same else spread.output}\n")
    return min(different, 1)


if __name__ == "__main__":
    sys.exit(main())
