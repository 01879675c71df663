"""Other people's clients in a process of their own, asked line by line."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import environment

PROGRAM = Path(__file__).with_name("program.py")
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
FOLDER = environment.FOLDER / "clients"


class RaisedError(Exception):
    """What a library raised; `name` is its class."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(f"{name}: {said}")
        self.name = name


@dataclass(frozen=True)
class Driven:
    """The running program."""

    process: "subprocess.Popen[str]"

    def do(self, name: str, **arguments: object) -> Any:  # noqa: ANN401  # JSON
        """Have one of the program's functions called.

        Raises:
            RaisedError: the library raised something.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"do": name, **arguments}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "raised" in answer:
            raise RaisedError(answer["raised"], answer["said"])
        return answer["returned"]


def libraries() -> Path:
    """The interpreter that has the libraries of requirements.txt."""
    return environment.python(FOLDER, REQUIREMENTS)


@contextmanager
def driven(python: Path, program: Path = PROGRAM) -> Iterator[Driven]:
    """Run a program by an interpreter that has what it imports."""
    with subprocess.Popen(
        [str(python), str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Driven(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()  # this is what ends it
            process.wait(timeout=10)
