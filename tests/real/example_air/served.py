"""Example Air as a process of its own, for as long as a test needs it."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import environment

from .agents import Agent

LAUNCHER = Path(__file__).with_name("launcher.py")
FOLDER = environment.FOLDER / "agent-runtimes"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")


@dataclass(frozen=True)
class Served:
    """Where it is served, the audience that it assigns, and what plays its User and its host."""

    card: str
    interface: str
    audience: str
    base: str
    approver: str
    hooks: str


def interpreter() -> Path:
    """The interpreter that has the subject."""
    return environment.python(FOLDER, REQUIREMENTS)


@contextmanager
def served(agents: Sequence[Agent], *, log: Path, audience: str | None = None) -> Iterator[Served]:
    """Run the subject with these personal agents registered; what it complains of goes to `log`."""
    settings = {"agents": [agent.registration() for agent in agents], "audience": audience}
    with (
        log.open("w") as complaints,
        subprocess.Popen(
            [str(interpreter()), str(LAUNCHER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(settings) + "\n")
        process.stdin.flush()
        ready = process.stdout.readline()
        if not ready:
            process.wait()
            raise RuntimeError(f"Example Air did not start:\n{log.read_text()}")
        try:
            yield Served(**json.loads(ready))
        finally:
            process.stdin.close()  # this is what ends it
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
