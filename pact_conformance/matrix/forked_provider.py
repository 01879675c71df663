"""A mock Provider in a forked process, in place of one for which Python starts anew."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NoReturn, cast

from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.serving import RunningProvider, serve


class ForkedProvider(RunningProvider):
    """A mock Provider in a forked process, which has nothing to tidy up."""

    def __init__(self, pid: int, ready: Mapping[str, Any]) -> None:
        super().__init__(cast("subprocess.Popen[str]", None), ready)
        self._pid = pid

    @property
    def pid(self) -> int:
        """The process id."""
        return self._pid

    def stop(self) -> None:
        """End the process at once."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def start_forked(
    config: ProviderConfig, flaws: Iterable[str] = (), variants: Iterable[str] = ()
) -> ForkedProvider:
    """Fork off a mock Provider and wait until it accepts connections.

    Raises:
        RuntimeError: it did not come up.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        in_child(lambda: _serve(config, flaws, variants, reading, writing))
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as announced:
        line = announced.readline()
    if not line:
        os.waitpid(pid, 0)
        raise RuntimeError("the mock Provider did not start")
    return ForkedProvider(pid, json.loads(line)["ready"])


def _serve(
    config: ProviderConfig,
    flaws: Iterable[str],
    variants: Iterable[str],
    reading: int,
    writing: int,
) -> int:
    os.close(reading)

    def announce(ready: Mapping[str, Any]) -> None:
        os.write(writing, json.dumps(ready).encode() + b"\n")

    serve(config, log=False, announce=announce, flaws=flaws, variants=variants)
    return 0


def in_child(work: Callable[[], int]) -> NoReturn:
    """Do the work and end the process, whatever happens; never return into the parent's code."""
    code = 70
    try:
        code = work()
    except BaseException:  # noqa: BLE001 - the child has no one to raise to
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
