"""Runs of pytest and of `pact-conformance` in processes forked off after the imports.

Starting Python and importing what a run needs costs some two seconds of CPU, many times what most
of these runs do themselves. A server, begun with the first run, imports it all once. Each run is a
fork of it: a process of its own, with its own environment, folder and output.
"""

import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import forkserver, get_context
from pathlib import Path
from typing import Literal, TypeAlias

import pytest

from pact_conformance.cli import main

CHECKOUT = Path(__file__).resolve().parents[1]

Program: TypeAlias = Literal["pytest", "pact-conformance"]

# The server has imported the modules that pytest would rewrite, and pytest would say so.
_UNTOLD = "-W ignore::pytest.PytestAssertRewriteWarning"


@dataclass(frozen=True)
class Ended:
    """A run that has ended; its output and its errors stand together, in order."""

    returncode: int
    stdout: str


def run(
    program: Program,
    arguments: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    seconds: float,
) -> Ended:
    """Run it to its end, with nothing on its standard input.

    Where modules are to come from elsewhere, pytest has an interpreter of its own: in a fork it
    would find those that are imported already.

    Raises:
        subprocess.TimeoutExpired: it took longer than so many seconds, and was killed.
    """
    if program == "pytest" and environment.get("PYTHONPATH") != os.environ.get("PYTHONPATH"):
        return _anew(arguments, cwd, environment, seconds)
    _begin()
    with tempfile.TemporaryDirectory(prefix="forked-") as folder:
        output = Path(folder, "output.txt")
        process = get_context("forkserver").Process(
            target=_play, args=(program, list(arguments), str(cwd), dict(environment), str(output))
        )
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired([program, *arguments], seconds)
        return Ended(process.exitcode, output.read_text(encoding="utf-8"))


def _anew(
    arguments: Sequence[str], cwd: Path, environment: Mapping[str, str], seconds: float
) -> Ended:
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=seconds,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout)


@functools.cache
def _begin() -> None:
    # The server looks for modules where its environment says, not where this process does.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(CHECKOUT), prepend=os.pathsep)
        forkserver.set_forkserver_preload(["tests.forked_imports"])
        forkserver.ensure_running()


def _play(
    program: Program, arguments: list[str], cwd: str, environment: dict[str, str], output: str
) -> None:
    """Become the program: what its process would be, had it been started."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    given = os.open(os.devnull, os.O_RDONLY)
    told = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for descriptor, standard in ((given, 0), (told, 1), (told, 2)):
        os.dup2(descriptor, standard)
    sys.argv = [program, *arguments]
    if program == "pact-conformance":
        main(arguments, prog_name=program)
    os.environ["PYTEST_ADDOPTS"] = _UNTOLD
    sys.path.insert(0, cwd)
    sys.exit(int(pytest.main(arguments)))
