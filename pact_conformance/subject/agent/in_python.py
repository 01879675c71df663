"""`python:module:factory`: the agent is an object of the tester's, in this process."""

import asyncio
import contextlib
import contextvars
import inspect
import queue
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pact_conformance.subject.agent import contract
from pact_conformance.subject.agent.log import Log
from pact_conformance.subject.agent.results import Broke
from pact_conformance.subject.agent.way import GUIDE, Asked, Limit, shown
from pact_conformance.verdicts import Unsettled

# Seconds that a call which ran out of time gets before the next one gives up on it.
GRACE = 10.0

_ENDING = 5.0


@dataclass
class _Job:
    """A call on its way through the agent's thread."""

    work: Callable[[], Any]
    done: threading.Event = field(default_factory=threading.Event)
    value: Any = None
    error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self.work()
        except BaseException as error:  # noqa: BLE001 - whatever comes out of the tester's code
            self.error = error
        self.done.set()


class _Worker:
    """A thread for all calls; nothing waits for it when the process ends.

    An agent may keep to one thread, and one that never comes back must not keep the run.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def do(self, work: Callable[[], Any]) -> _Job:
        """Begin a piece of work, what it returns awaited if need be."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True, name="agent")
            self._thread.start()
        context = contextvars.copy_context()
        job = _Job(lambda: context.run(self._finished, work))
        self._jobs.put(job)
        return job

    def _run(self) -> None:
        while True:
            self._jobs.get().run()

    def _finished(self, work: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever it returns
        value = work()
        if not inspect.isawaitable(value):
            return value
        return asyncio.run_coroutine_threadsafe(_awaited(value), self._events()).result()

    def _events(self) -> asyncio.AbstractEventLoop:
        """Return a loop that goes on between calls: connections and tasks belong to it."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            run = self._loop.run_forever
            threading.Thread(target=run, daemon=True, name="agent's events").start()
        return self._loop


async def _awaited(value: Any) -> Any:  # noqa: ANN401 - whatever it returns
    return await value


class PythonWay:
    """Calls methods that have the operations' names; they take and return the contract's objects.

    Args:
        adapter: the object.
        log: keeps where an exception came from.
        name: python, or mock for the built-in agent.
        owned: whether to close it at the end, if it can be closed.
    """

    concurrent = False
    patience = None
    lost = 0

    def __init__(
        self, adapter: object, log: Log, *, name: str = "python", owned: bool = True
    ) -> None:
        self.name = name
        self._adapter = adapter
        self._log = log
        self._owned = owned
        self._worker = _Worker()
        self._late: _Job | None = None
        self._crashed = False

    @property
    def offered(self) -> frozenset[str]:
        """The operations that there are methods for."""
        return frozenset(
            it for it in contract.OPERATIONS if callable(getattr(self._adapter, it, None))
        )

    @property
    def alive(self) -> bool:
        """Whether no exception came out of the last call."""
        return not self._crashed

    def ask(self, asked: Asked, limit: Limit) -> Any:  # noqa: ANN401 - whatever it returns
        """Call the method (see `Way.ask`)."""
        operation = asked["operation"]
        self._wait_for_the_late_one(limit)
        self._log.begin()
        method = getattr(self._adapter, operation)
        job = self._worker.do(lambda: method(dict(asked)))
        if not job.done.wait(limit.need()):
            self._late = job
            raise Broke(
                f"{operation} did not return within {limit.seconds:.0f} s",
                do=f"let it give up in time, or set E2E_TEST_TIMEOUT_MS higher ({GUIDE})",
                late=True,
            )
        if job.error is not None:
            raise self._failed(operation, job.error)
        self._crashed = False
        return _with_id(job.value, asked)

    def _wait_for_the_late_one(self, limit: Limit) -> None:
        if self._late is not None and not self._late.done.wait(min(GRACE, limit.need())):
            raise Broke(
                "the agent is still busy with an earlier call that ran out of time",
                do="let the adapter's methods give up in time",
            )
        self._late = None

    def _failed(self, operation: str, error: BaseException) -> BaseException:
        if isinstance(error, Unsettled):  # it came from the suite's own side of the built-in agent
            return error
        self._crashed = True
        for line in "".join(traceback.format_exception(error)).splitlines():
            self._log.add(line)
        return Broke(
            f"{operation} raised {type(error).__name__}: {shown(str(error))}",
            do="see agent.stderr.log beside the report, and correct the agent or its adapter",
            crashed=True,
        )

    def close(self) -> None:
        """Close the object, if it is ours to close and can be closed."""
        close = getattr(self._adapter, "close", None)
        stuck = self._late is not None and not self._late.done.is_set()
        if self._owned and callable(close) and not stuck:
            with contextlib.suppress(RuntimeError):
                self._worker.do(close).done.wait(_ENDING)
        self._log.close()


def _with_id(told: Any, asked: Asked) -> Any:  # noqa: ANN401 - whatever it returned
    """Return the answer with the request's id, which a method need not repeat."""
    return {"id": asked["id"], **told} if isinstance(told, dict) else told
