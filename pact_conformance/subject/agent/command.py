"""`cmd:…`: the agent is a program of the tester's that speaks lines of JSON.

One process answers all calls. One that ends is started again by the next call, and one that is
still busy with a call that ran out of time is ended first: what it had in memory is then gone.
"""

import json
import queue
import threading
from collections.abc import Iterator
from typing import Any

from pact_conformance.subject.agent import contract
from pact_conformance.subject.agent.log import Log
from pact_conformance.subject.agent.process import Process
from pact_conformance.subject.agent.results import Broke
from pact_conformance.subject.agent.way import GUIDE, LONGEST, Asked, Limit, shown

# Seconds that a call which ran out of time gets before the process is ended.
GRACE = 10.0

# So many lines that are no answer are held against one that stands on several.
_MOST_LINES = 200

# So often a process may end before it has answered anything, until it is given up.
TRIES = 3

_LATE = (
    "let it end each answer with a newline, flush it, and give up in time; or set "
    f"E2E_TEST_TIMEOUT_MS higher ({GUIDE})"
)

_LINES = f"the contract is one JSON object a line, and logs go to stderr ({GUIDE})"


class CommandWay:
    """Starts the command with the first call.

    Args:
        how: `cmd:` and the command.
        log: keeps its standard error, and what is no answer on its standard output.
    """

    name = "cmd"
    concurrent = False
    patience = None
    offered = contract.DEFAULT | {"hello"}

    def __init__(self, how: str, log: Log) -> None:
        self._command = how.removeprefix("cmd:")
        self._log = log
        self._process: Process | None = None
        self._changing = threading.Lock()
        self._closed = False
        self._asked = 0
        self._answered = 0
        self._futile = 0
        self._starts = 0
        self._noise: list[str] = []
        self.lost = 0
        """How often it has ended in a call, or was ended in one."""

    @property
    def alive(self) -> bool:
        """Whether the process runs, or was not needed yet."""
        return self._process is None or self._process.code is None

    def ask(self, asked: Asked, limit: Limit) -> Any:  # noqa: ANN401 - whatever it writes
        """Write a line and read one (see `Way.ask`)."""
        operation, number = asked["operation"], asked["id"]
        self._log.begin()
        self._noise.clear()
        process = self._ready(operation, limit)
        self._asked = number
        process.write(json.dumps(asked).encode() + b"\n")
        for told in self._objects(process, operation, limit):
            if told.get("id") == number:
                self._answered, self._futile = number, 0
                return told
            if "id" not in told and contract.looks_like_answer(told):
                # It is the answer, as no other call is under way.
                self._answered, self._futile = number, 0
                raise Broke(
                    f"the answer to {operation} does not repeat the id of the request", do=_LINES
                )
        raise Broke(
            f"{operation} was not answered within {limit.seconds:.0f} s{self._beside()}",
            do=_LINES if self._noise else _LATE,
            late=True,
        )

    def _ready(self, operation: str, limit: Limit) -> Process:
        """Return a process that waits for a call."""
        process = self._process
        if process is not None and process.code is None and self._answered < self._asked:
            self._wait_for_the_late_one(process, limit)
        if process is None or process.code is not None:
            return self._start(operation)
        return process

    def _wait_for_the_late_one(self, process: Process, limit: Limit) -> None:
        grace = Limit(min(GRACE, limit.need()))
        try:
            for told in self._objects(process, "", grace):
                if told.get("id") == self._asked:
                    return
        except Broke:
            return
        process.end()
        self.lost += 1

    def _start(self, operation: str) -> Process:
        if self._futile >= TRIES:
            raise Broke(
                f"the agent was started {TRIES} times and answered nothing{self._last()}",
                do=f"run {shown(self._command)} by hand",
                crashed=True,
            )
        with self._changing:
            if self._closed:
                raise Broke(f"the run is over, and {operation} is not asked any more")
            try:
                self._process = Process(self._command, self._log.add)
            except (OSError, ValueError) as error:
                raise Broke(
                    f"the agent cannot be started: {error}", do="correct E2E_AGENT", crashed=True
                ) from error
        self._futile += 1
        self._starts += 1
        return self._process

    def _objects(self, process: Process, operation: str, limit: Limit) -> Iterator[dict[str, Any]]:
        """Yield the JSON objects that are written until the limit.

        Raises:
            Broke: the process ends, or a line is too long.
        """
        while limit.left > 0:
            try:
                line = process.lines.get(timeout=limit.left)
            except queue.Empty:
                return
            told = self._read(line, process, operation)
            if told is not None:
                yield told

    def _read(self, line: bytes | None, process: Process, operation: str) -> dict[str, Any] | None:
        if line is None:
            self.lost += 1
            raise Broke(
                f"the agent ended{_how(process.code)} when it was asked to {operation}"
                f"{self._beside()}",
                do="see agent.stderr.log beside the report",
                crashed=True,
            )
        if len(line) > LONGEST:
            self._answered = self._asked
            raise Broke(f"the agent wrote a line of more than {LONGEST >> 20} MiB", do=_LINES)
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            told = None
        if isinstance(told, dict):
            return told
        self._take_noise(line.decode("utf-8", "replace"), operation)
        return None

    def _take_noise(self, text: str, operation: str) -> None:
        """Keep a line that is no answer.

        Raises:
            Broke: with the lines before it, it is one.
        """
        if not text.strip():
            return
        self._noise.append(text)
        del self._noise[:-_MOST_LINES]
        self._log.add(f"(stdout) {text}", tells=False)
        if operation and text == "}" and _indented(self._noise).get("id") == self._asked:
            self._answered, self._futile = self._asked, 0
            raise Broke(f"the answer to {operation} stands on several lines", do=_LINES)

    def _beside(self) -> str:
        """Return what else it said meanwhile."""
        noise = self._noise[-1] if self._noise else ""
        said = f"; it wrote a line that is no answer: {shown(noise)!r}" if noise else ""
        return f"{said}{self._last()}"

    def _last(self) -> str:
        last = self._log.last
        said = f"; the last on stderr: {shown(last)}" if last else ""
        again = self._starts - 1
        times = "once" if again == 1 else f"{again} times"
        return said + (f" (it was started again {times})" if again else "")

    def close(self) -> None:
        """End the process and what it has started."""
        with self._changing:
            self._closed = True
            process = self._process
        if process is not None:
            process.end()
        self._log.close()


def _indented(lines: list[str]) -> dict[str, Any]:
    """Return the object that the last of some lines make together; empty where they make none."""
    begun = [number for number, line in enumerate(lines) if line == "{"]
    try:
        told = json.loads("\n".join(lines[begun[-1] :])) if begun else {}
    except (ValueError, RecursionError):
        told = {}
    return told if isinstance(told, dict) else {}


def _how(code: int | None) -> str:
    if code is None:
        return ""
    return f" with exit code {code}" if code >= 0 else f" by signal {-code}"
