"""The ledger of turns: what a run may cost the Brand's agent at most, and what it has cost.

One file for all processes of a run, appended to under a lock. Every turn is entered before the
message that may buy it is sent, so a bound holds whatever the subject does, and whoever dies.

    {"plan": {"opening": 1, …}, "total": 18}              set aside before the first check
    {"id": "gw0-1", "name": "opening", "turns": 1}        taken: a message is about to go out
    {"id": "gw0-1", "spent": 1}                           settled: so many turns came of it
"""

import itertools
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pact_conformance.verdicts import Untested

# One turn is kept for messages that a Provider should refuse: it comes back when it does.
IN_RESERVE = 1

# So often somebody waits for a turn that is about to come back.
POLL_SECONDS = 0.005


class LedgerUnwritable(OSError):  # noqa: N818 - it says what is the case
    """The ledger cannot be written, so nothing bounds what the run costs."""


@dataclass(frozen=True)
class Planned:
    """A conversation that a run needs: what it costs at most, and what it goes on from."""

    name: str
    turns: int
    needs: tuple[str, ...] = ()


def total(planned: Iterable[Planned]) -> int:
    """Return the turns that these cost at most, with the one in reserve."""
    turns = sum(each.turns for each in planned)
    return turns + IN_RESERVE if turns else 0


def allot(planned: Iterable[Planned], available: int) -> dict[str, int]:
    """Choose what to hold with so many turns, the same in every run: the first that fit.

    The one in reserve comes after the first conversation: most checks need the two together.
    """
    allotted: dict[str, int] = {}
    for each in planned:
        after_first = IN_RESERVE if allotted else 0
        needs_are_held = all(need in allotted for need in each.needs)
        if needs_are_held and sum(allotted.values()) + each.turns + after_first <= available:
            allotted[each.name] = each.turns
    return allotted


@dataclass
class _Account:
    """What the lines of the file add up to."""

    planned: dict[str, int] = field(default_factory=dict)
    total: int | None = None
    taken: dict[str, tuple[str, int]] = field(default_factory=dict)
    spent: Counter[str] = field(default_factory=Counter)

    @property
    def under_way(self) -> int:
        """Turns that messages are under way for: all that may still come back."""
        return sum(turns for _, turns in self.taken.values())

    @property
    def committed(self) -> int:
        """Turns that are spent, may be under way, or are set aside."""
        return sum(self.planned.values()) + self.under_way + self.spent.total()

    def add(self, line: Mapping[str, Any]) -> None:
        if "plan" in line:
            self.planned, self.total = dict(line["plan"]), line["total"]
        elif "spent" in line:
            name, _ = self.taken.pop(line["id"])
            self.spent[name] += line["spent"]
        else:
            self.planned.pop(line["name"], None)
            self.taken[line["id"]] = (line["name"], line["turns"])


class Ledger:
    """The turns of a run as one process sees them; thread-safe.

    Args:
        path: the file; None keeps the ledger in memory, for a single process.
        limit: the most turns that the run may cost; None sets no bound.
        worker: the process, as it is called in the journal.
        shared: other processes write to the file as well.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        limit: int | None = None,
        worker: str = "main",
        shared: bool = False,
    ) -> None:
        self.limit = limit
        self._path = path
        self.worker = worker
        self._numbers = itertools.count(1)
        self._account = _Account()
        self._read = 0
        self._mutex = threading.RLock()
        self._lock: AbstractContextManager[Any] = nullcontext()
        if path is not None and shared:
            # Imported where there are several processes: it loads asyncio, which costs a start.
            from filelock import FileLock  # noqa: PLC0415

            self._lock = FileLock(f"{path}.lock", poll_interval=POLL_SECONDS)

    def plan(self, planned: Iterable[Planned]) -> frozenset[str]:
        """Set aside what conversations cost; return the names of those that the bound allows.

        The first process of a run to ask decides for all.
        """
        planned = tuple(planned)
        with self._open() as account:
            if account.total is None:
                left = self._left(account)
                allotted = {each.name: each.turns for each in planned}
                if left is not None:
                    allotted = allot(planned, left)
                self._append({"plan": allotted, "total": total(planned)})
                return frozenset(allotted)
            held = {name for name, _ in account.taken.values()} | set(account.spent)
            return frozenset(set(account.planned) | held)

    def take(self, name: str, turns: int, *, until: float | None = None) -> str:
        """Enter turns before the messages that may buy them are sent; return the entry's id.

        Args:
            name: whose they are: a conversation's or a check's.
            turns: how many; what a plan set aside for the name counts first.
            until: by `time.monotonic`: how long to wait for turns of others that are under way, if
                those are enough.

        Raises:
            Untested: the bound does not allow them.
        """
        while True:
            with self._open() as account:
                left = self._left(account)
                short = 0 if left is None else turns - left - account.planned.get(name, 0)
                if short <= 0:
                    entry = f"{self.worker}-{next(self._numbers)}"
                    self._append({"id": entry, "name": name, "turns": turns})
                    return entry
                in_time = until is not None and time.monotonic() < until
                waiting = in_time and short <= account.under_way
            if not waiting:
                raise self.used_up()
            time.sleep(POLL_SECONDS)

    def settle(self, entry: str, spent: int) -> None:
        """Say how many turns came of an entry; the rest may be spent by others."""
        with self._open():
            self._append({"id": entry, "spent": spent})

    def note(self, name: str, spent: int) -> None:
        """Enter turns that came unasked: of messages that nothing was set aside for."""
        with self._open():
            entry = f"{self.worker}-{next(self._numbers)}"
            self._append({"id": entry, "name": name, "turns": spent})
            self._append({"id": entry, "spent": spent})

    def abandon(self, worker: str) -> None:
        """Settle what a process left behind that died: each turn may have been spent."""
        with self._open() as account:
            left = {id_: it for id_, it in account.taken.items() if id_.startswith(f"{worker}-")}
            for entry, (_, turns) in left.items():
                self._append({"id": entry, "spent": turns})

    def used_up(self) -> Untested:
        """Return what a check ends with that the bound cuts off."""
        with self._open() as account:
            total, committed = account.total or 0, account.committed
        limit = self.limit or 0
        if 0 < total <= limit:
            do = "raise it: a subject that serves what it should refuse costs more than planned"
        else:
            do = f"run with --pact-max-turns={max(total, committed + 1, limit + 1)}"
        return Untested(self.too_few, do=do)

    @property
    def too_few(self) -> str:
        """Why something is cut off, the same all through the run: `so_far` changes."""
        return f"--pact-max-turns={self.limit} leaves too few turns for this"

    @property
    def so_far(self) -> str:
        """What the run has cost, next to what was planned."""
        return f"{sum(self.spent().values())} spent, {self.planned} planned"

    @property
    def planned(self) -> int:
        """The most turns that the run needs, as far as was known before."""
        with self._open() as account:
            return account.total or 0

    def spent(self) -> Mapping[str, int]:
        """Return the turns by whose they were; what is under way counts in full."""
        with self._open() as account:
            spent = account.spent.copy()
            for name, turns in account.taken.values():
                spent[name] += turns
        return {name: turns for name, turns in spent.items() if turns}

    def close(self) -> None:
        """Take away the lock, after every other process has ended."""
        if self._path is not None:
            self._path.with_name(f"{self._path.name}.lock").unlink(missing_ok=True)

    def _left(self, account: _Account) -> int | None:
        return None if self.limit is None else self.limit - account.committed

    @contextmanager
    def _open(self) -> Iterator[_Account]:
        """Keep others out, and see what they have written."""
        with self._mutex, self._lock:
            self._refresh()
            yield self._account

    def _refresh(self) -> None:
        if self._path is None or not self._path.is_file():
            return
        with self._path.open("rb") as lines:
            lines.seek(self._read)
            for line in lines:
                if not line.endswith(b"\n"):
                    return  # a full disk took only part of it; nothing was sent for it
                self._read += len(line)
                try:
                    self._account.add(json.loads(line))
                except ValueError as error:
                    raise LedgerUnwritable(
                        f"the ledger of turns {self._path} is damaged: {error}"
                    ) from error

    def _append(self, line: Mapping[str, Any]) -> None:
        if self._path is None:
            self._account.add(line)
            return
        text = json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n"
        try:
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                written = os.write(file, text)
            finally:
                os.close(file)
        except OSError as error:
            raise LedgerUnwritable(
                f"the ledger of turns {self._path} cannot be written: {error.strerror or error}"
            ) from error
        if written != len(text):
            raise LedgerUnwritable(
                f"the ledger of turns {self._path} took only part of a line: disk full?"
            )
        self._refresh()
