"""What has reached the stage: kept in order and within bounds, and awaited without polling."""

import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

LONGEST_BODY = 1 << 20
"""Bytes of a body that are kept."""

_LONGEST_PAGE = 8 << 20
"""About so many bytes of records are told at once."""

Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class SeenAnswer:
    """What a request was answered with."""

    status: int
    headers: Pairs
    body: str


@dataclass(frozen=True)
class Judgement:
    """What the Provider's own verifier says of the personal-agent JWT of a request (§3.2)."""

    ok: bool
    why: str
    """The step that refused it; empty where none did."""
    kidPublished: bool = False  # noqa: N815 - a member of JSON
    signatureGood: bool = False  # noqa: N815 - likewise
    """Whether a published key verifies the signature, whatever else is wrong."""


@dataclass(frozen=True)
class Record:
    """One request that reached the stage. Its JSON has these names."""

    at: float
    """When it arrived, by the clock of the Brand, in seconds since the epoch."""
    monotonic: float
    """When it arrived, by the machine's monotonic clock, in seconds."""
    brand: str | None
    operation: str
    method: str
    url: str
    headers: Pairs
    body: str
    verified: Judgement | None
    """None: it had no `Authorization`."""
    answer: SeenAnswer | None
    """None: the connection was closed without one."""
    truncated: bool = False
    """A body was longer than what is kept."""
    apart: bool = False
    """Whether its Brand is."""

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        headers = sum(len(name) + len(value) for name, value in self.headers)
        return 500 + headers + len(self.body) + (len(self.answer.body) if self.answer else 0)

    def to_json(self, n: int) -> dict[str, Any]:
        """Return its JSON, under its number; what it consists of is still to be told by `vars`."""
        return {"n": n, **vars(self)}


@dataclass(frozen=True)
class Page:
    """A part of what was seen."""

    seen: list[dict[str, Any]]
    next: int
    """The number to go on from."""
    end: int
    """The number that the next request will have: where it is more than `next`, there is more."""
    lost: int
    """How many came that were too many to be kept, all in all."""


class Records:
    """The records of a stage, numbered from 0.

    An agent that never stops asking must not push out what others are judged by: of each Brand the
    first ones are kept.

    Args:
        most: how many of one Brand are kept.
        most_bytes: about how many bytes of all Brands are kept.
    """

    def __init__(self, *, most: int = 5_000, most_bytes: int = 256 << 20) -> None:
        self._kept: list[Record | None] = []
        self._of: defaultdict[str | None, list[int]] = defaultdict(list)
        self._count: Counter[str | None] = Counter()
        self._lost: Counter[str | None] = Counter()
        self._bytes = 0
        self._most = most
        self._most_bytes = most_bytes
        self._arrival = asyncio.Event()
        self.ended = asyncio.Event()
        """Is set when the stage ends, so that nobody waits for anything more."""

    @property
    def next(self) -> int:
        """The number that the next record will have."""
        return len(self._kept)

    def end(self) -> None:
        """Let go of whoever waits."""
        self.ended.set()
        self._arrival.set()

    def add(self, record: Record) -> None:
        """Keep a record, if there is room, and wake whoever waits for one."""
        if self._count[record.brand] >= self._most or self._bytes >= self._most_bytes:
            self._lost[record.brand] += 1
            return
        self._of[record.brand].append(len(self._kept))
        self._kept.append(record)
        self._count[record.brand] += 1
        self._bytes += record.size
        arrival, self._arrival = self._arrival, asyncio.Event()
        arrival.set()

    def forget(self, brand: str) -> None:
        """Let go of the records of a Brand; the others keep their numbers."""
        for n in self._of.pop(brand, ()):
            record = self._kept[n]
            self._bytes -= 0 if record is None else record.size
            self._kept[n] = None

    def page(self, since: int, brand: str | None, *, most: int = 500) -> Page:
        """Return what was seen from a number on: of one Brand, or of all."""
        found: list[dict[str, Any]] = []
        size, n = 0, since
        while n < len(self._kept) and len(found) < most and size < _LONGEST_PAGE:
            record = self._kept[n]
            if record is not None and brand in (None, record.brand):
                found.append(record.to_json(n))
                size += record.size
            n += 1
        lost = self._lost.total() if brand is None else self._lost[brand]
        return Page(found, n, self.next, lost)

    async def wait(self, since: int, brand: str | None, seconds: float) -> Page:
        """Return what was seen from a number on: as soon as there is some, or when time is up."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while True:
            arrival = self._arrival
            page = self.page(since, brand)
            left = until - loop.time()
            if page.seen or left <= 0 or self.ended.is_set():
                return page
            since = page.next
            try:
                async with asyncio.timeout(left):
                    await arrival.wait()
            except TimeoutError:
                continue
