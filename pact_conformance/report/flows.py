"""A device flow (§5.3) on a time line: begun, what the User did, each poll and what it got."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qs

from pact_conformance.journal.exchange import Exchange

Kind = Literal["begun", "user", "undecided", "token", "refused"]

# With more the line is no longer read at a glance.
MOST_EVENTS = 20

# RFC 8628 §3.5: nothing is decided yet.
_UNDECIDED = frozenset({"authorization_pending", "slow_down"})


@dataclass(frozen=True)
class Event:
    """What happened once in a flow."""

    at: float
    """Seconds since the epoch."""
    brand: str
    """Tells flows of a personal agent apart; empty where the suite is the agent."""
    kind: Kind
    what: str
    answer: str
    exchange: str


@dataclass(frozen=True)
class Flow:
    """The events of one device flow, in their order."""

    events: tuple[Event, ...]

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.after(self.events[-1])

    def after(self, event: Event) -> float:
        """Return how many seconds after the begin something happened."""
        return event.at - self.events[0].at

    def place(self, event: Event) -> float:
        """Return where an event lies on a line of 1000."""
        return round(1000 * self.after(event) / self.seconds, 1) if self.seconds else 0.0

    @property
    def polls(self) -> int:
        """How often the token was asked for."""
        return sum(it.kind in {"undecided", "token", "refused"} for it in self.events)


def event(exchange: Exchange) -> Event | None:
    """Return what an exchange is in a flow; None if it belongs to none."""
    kind = _kind(exchange)
    if kind is None:
        return None
    brand = exchange.sent.url.rpartition("/")[0] if exchange.by == "agent" else ""
    what = {"begun": "begun", "user": exchange.purpose}.get(kind, "poll")
    return Event(exchange.at, brand, kind, what, _answer(exchange), exchange.id)


def flows(events: Iterable[Event]) -> tuple[Flow, ...]:
    """Return the device flows among the events of a check, the first begun first.

    What a personal agent sent is told apart by the Brand, of which each scenario has its own. Where
    several flows were begun at one Brand a line would mix them up, and there is none; nor is there
    one of a flow that was hardly polled.
    """
    brands: dict[str, list[Event]] = {}
    for each in sorted(events, key=lambda it: it.at):
        brands.setdefault(each.brand, []).append(each)
    found = (_flow(ordered) for ordered in brands.values())
    return tuple(it for it in found if it is not None)


def _flow(ordered: Sequence[Event]) -> Flow | None:
    begins = [place for place, it in enumerate(ordered) if it.kind == "begun"]
    if len(begins) != 1:
        return None
    made = Flow(tuple(_merged(ordered[begins[0] :])))
    return made if made.polls >= 2 and len(made.events) <= MOST_EVENTS else None


def _merged(events: Iterable[Event]) -> Iterator[Event]:
    """Leave out pages that lead to a next page of the same step."""
    last: Event | None = None
    for each in events:
        if last is None or (each.kind, each.what) != ("user", last.what):
            yield each
        last = each


def _kind(exchange: Exchange) -> Kind | None:
    if exchange.operation == "other":
        return "user" if exchange.by == "suite" and exchange.purpose in _STEPS else None
    if exchange.operation != "oauth":
        return None
    form = parse_qs(exchange.sent.body or "")
    if "grant_type" not in form:
        return "begun" if exchange.answer is not None and exchange.answer.status == 200 else None
    if "device_code" not in form:
        return None
    return _decided(exchange)


# What the approver goes through, by the purpose that it gives.
_STEPS = frozenset(
    {"the link that the User is shown", "login at the Brand", "decision on the consent page"}
)


def _decided(exchange: Exchange) -> Kind:
    if exchange.answer is not None and exchange.answer.status == 200:
        return "token"
    return "undecided" if _error(exchange) in _UNDECIDED else "refused"


def _answer(exchange: Exchange) -> str:
    if exchange.answer is None:
        return "no answer"
    return f"{exchange.answer.status} {_error(exchange)}".rstrip()


def _error(exchange: Exchange) -> str:
    if exchange.answer is None or exchange.answer.status == 200:
        return ""
    try:
        body: Any = json.loads(exchange.answer.body)
    except (ValueError, RecursionError):
        return ""
    error = body.get("error") if isinstance(body, dict) else None
    return error[:60] if isinstance(error, str) else ""
