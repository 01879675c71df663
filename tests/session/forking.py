"""Forks off runs of the suite after the imports, and kills each at its moment.

    python -m tests.session.forking FOLDER MOMENT…    with the arguments of the runs on stdin

A moment is a part of the time that a run takes which is left to itself. Prints what became of each
run: how it ended, as `os.waitstatus_to_exitcode` has it.
"""

import os
import signal
import sys
import time
import traceback
from pathlib import Path

import pytest

from pact_conformance.cli import run_arguments
from pact_conformance.report import html
from pact_conformance.session import controller, start

AT_ONCE = 4
PATIENCE = 20.0

# What a run would import for itself.
WARM = (controller, html, start)


def begin(folder: Path, arguments: list[str]) -> int:
    folder.mkdir(parents=True)
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        with (folder / "terminal.txt").open("w", encoding="utf-8") as terminal:
            os.dup2(terminal.fileno(), 1)
            os.dup2(terminal.fileno(), 2)
        code = int(pytest.main(run_arguments([*arguments, f"--pact-report={folder}"])))
    except BaseException:  # noqa: BLE001 - nobody else would tell
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def until_begun(folder: Path) -> None:
    """Wait for the report that a run begins with."""
    until = time.monotonic() + PATIENCE
    while not (folder / "report.json").exists() and time.monotonic() < until:
        time.sleep(0.01)


def seconds_of_a_whole_run(folder: Path, arguments: list[str]) -> float:
    started = time.monotonic()
    os.waitpid(begin(folder, arguments), 0)
    return time.monotonic() - started


def main() -> None:
    arguments = sys.stdin.read().splitlines()
    where, moments = Path(sys.argv[1]), [float(it) for it in sys.argv[2:]]
    start.warm_up()
    whole = seconds_of_a_whole_run(where / "whole", arguments)
    for first in range(0, len(moments), AT_ONCE):
        batch = [whole * moment for moment in moments[first : first + AT_ONCE]]
        folders = [where / str(first + number) for number in range(len(batch))]
        pids = [begin(folder, arguments) for folder in folders]
        for folder in folders:
            until_begun(folder)
        begun = time.monotonic()
        for delay, pid in sorted(zip(batch, pids, strict=True)):
            time.sleep(max(0.0, begun + delay - time.monotonic()))
            os.kill(pid, signal.SIGKILL)
            print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
