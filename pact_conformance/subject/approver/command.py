"""`cmd:…`: a command of the tester plays the User; JSON on its standard input and output."""

import os
import shlex
import signal
import subprocess
import tempfile
from contextlib import suppress
from typing import IO

from pact_conformance.subject.approver.another import SHOWN, AnotherProgram
from pact_conformance.subject.approver.clock import Limit
from pact_conformance.verdicts import Inconclusive

# Bytes of an answer that are read.
_MOST = 1024 * 1024

_DO = "run the command by hand; docs/approver.md says what it is given"


class CommandApprover(AnotherProgram):
    """Starts the command once for each errand."""

    name = "command"

    def _ask(self, request: str, limit: Limit) -> str:
        # Files and no pipes: a browser that the command leaves behind would keep a pipe open.
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
            try:
                process = subprocess.Popen(  # noqa: S603 - the tester's own command
                    shlex.split(self._how.removeprefix("cmd:")),
                    stdin=subprocess.PIPE,
                    stdout=said,
                    stderr=complained,
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                raise Inconclusive(f"the approver cannot be started: {error}", do=_DO) from error
            code = _finish(process, request, limit)
            answer, complaint = (_text(it) for it in (said, complained))
        if code is None:
            raise Inconclusive(f"the approver did not end in time{_quoted(complaint)}", do=_DO)
        if code != 0:
            raise Inconclusive(
                f"the approver ended with {code}{_quoted(complaint or answer)}", do=_DO
            )
        return answer


def _finish(process: "subprocess.Popen[bytes]", request: str, limit: Limit) -> int | None:
    """Hand the request over and wait; return the exit code, or None if it had to be ended."""
    with suppress(OSError):  # one that does not read it may answer all the same
        assert process.stdin is not None
        process.stdin.write(request.encode())
        process.stdin.close()
    try:
        return process.wait(max(0.0, limit.left))
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the command and what it has started."""
    if process.poll() is None:
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(_MOST).decode("utf-8", "replace")


def _quoted(said: str) -> str:
    lines = said.strip().splitlines()
    return f": {lines[-1].strip()[:SHOWN]}" if lines else ", and said nothing"
