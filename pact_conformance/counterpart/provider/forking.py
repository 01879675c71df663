"""A mock Provider in a process forked off this one, for which Python need not start anew.

A fork takes along what the other threads of a process hold at that moment, so it comes before any:
the process is forked off at once, and waits for the configuration that it is to serve.
"""

import gc
import json
import os
import selectors
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, cast

from pact_conformance.counterpart.provider.configuration import ProviderConfig
from pact_conformance.counterpart.provider.serving import RunningProvider, serve


def can_fork() -> bool:
    """Say whether a fork does no harm: only on Linux, and not beside other threads."""
    tasks = Path("/proc/self/task")
    if sys.platform != "linux" or threading.active_count() > 1 or not tasks.is_dir():
        return False
    return len(list(tasks.iterdir())) == 1


class ForkedProvider(RunningProvider):
    """A mock Provider in a forked process, which has nothing to tidy up."""

    def __init__(self, waiting: "Waiting", ready: Mapping[str, Any]) -> None:
        super().__init__(cast("subprocess.Popen[str]", None), ready)
        self._waiting = waiting

    @property
    def pid(self) -> int:
        """The process id."""
        return self._waiting.pid

    def stop(self) -> None:
        """End the process at once."""
        self._waiting.end()


class Waiting:
    """A process that waits until it is told what to serve; it ends with ours."""

    def __init__(self) -> None:
        asked, self._ask = os.pipe()
        self._told, tell = os.pipe()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # or both processes would write what waits in there
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._ask)
            os.close(self._told)
            in_child(lambda: _wait_and_serve(asked, tell))
        os.close(asked)
        os.close(tell)

    def start(
        self,
        config: ProviderConfig,
        flaws: Iterable[str] = (),
        variants: Iterable[str] = (),
        *,
        patience: float = 15.0,
    ) -> ForkedProvider:
        """Have it serve, and wait until it accepts connections.

        Raises:
            RuntimeError: it did not come up; what it said is on stderr.
        """
        asked = {"config": config.to_json(), "flaws": [*flaws], "variants": [*variants]}
        try:
            os.write(self._ask, json.dumps(asked).encode() + b"\n")
            ready = json.loads(self._line(patience))["ready"]
        except (OSError, ValueError, KeyError) as error:
            self.end()
            raise RuntimeError("the mock Provider did not start") from error
        except BaseException:
            self.end()
            raise
        return ForkedProvider(self, ready)

    def end(self) -> None:
        """End it at once, whether it serves or not; more than once does no harm."""
        if self._ask < 0:
            return
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._ask)
        os.close(self._told)
        self._ask = -1

    def _line(self, patience: float) -> bytes:
        """Return what it announces."""
        line = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self._told, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(patience):
                    raise OSError(f"nothing was announced within {patience} s")
                part = os.read(self._told, 1 << 16)
                if not part:
                    raise OSError("it has ended")
                line += part
        return line


def _wait_and_serve(asked: int, tell: int) -> int:
    # Until it serves, a signal to all processes of the terminal is the run's affair alone.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()  # what came from the parent is no garbage of this process
    with os.fdopen(asked, encoding="utf-8") as stdin:
        line = stdin.readline()
        if not line:
            return 0
        given = json.loads(line)

        def announce(ready: Mapping[str, Any]) -> None:
            os.write(tell, json.dumps(ready).encode() + b"\n")

        serve(
            ProviderConfig.from_json(given["config"]),
            log=False,
            announce=announce,
            flaws=given["flaws"],
            variants=given["variants"],
            stdin=stdin,
        )
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
