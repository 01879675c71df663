"""A Brand on the stage: its script, how far it has been played, and where everything is."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import cached_property

from pydantic import JsonValue

from pact_conformance.counterpart.provider.stage.places import ENDPOINTS, OAUTH, Layout
from pact_conformance.counterpart.provider.stage.script import (
    SHORT_NAMES,
    Answer,
    Decision,
    Fault,
    Script,
    filled,
)


@dataclass
class Scene:
    """One Brand of the stage."""

    script: Script
    layout: Layout
    hosts: Mapping[str, str]
    """The URL of each host of the stage, without a path at the end."""
    domain: str | None
    """The Brand's own site, where the script gives it one."""
    answers: dict[str, "deque[Answer | None]"] = field(init=False)
    context_ids: "deque[str]" = field(init=False)
    polls: dict[str, int] = field(default_factory=dict)
    """How often each device code has been polled."""
    receipts: int = 0
    """How many receipts the Brand has given."""
    turns: dict[object, int] = field(default_factory=dict)
    """How many turns each User has had."""

    def __post_init__(self) -> None:
        given = {**self.script.answers}
        if self.script.card_answers:
            given["card"] = self.script.card_answers
        self.answers = {SHORT_NAMES.get(name, name): deque(it) for name, it in given.items() if it}
        self.context_ids = deque(self.script.context_ids)

    def end(self) -> None:
        """Have nothing more played."""
        self.script = Script(apart=self.script.apart)
        self.answers.clear()

    @property
    def brand_id(self) -> str:
        """The Brand's id."""
        return self.layout.brand_id

    @property
    def card(self) -> str:
        """The URL of the card."""
        return f"{self.hosts[self.layout.card.host]}{self.layout.card.path}"

    @property
    def interface(self) -> str:
        """The interface URL, as the card gives it."""
        return f"{self.hosts[self.layout.interface.host]}{self.layout.interface.path}"

    @property
    def issuer(self) -> str:
        """The issuer of the Brand's authorization server."""
        return f"{self.interface.removesuffix('/')}{OAUTH}"

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What strings of the script may name, for they cannot know it."""
        return {
            "interface": self.interface,
            "card": self.card,
            "issuer": self.issuer,
            "domain": self.domain or "",
            "brandId": self.brand_id,
            "base": self.hosts["main"],
            "other": self.hosts.get("other", ""),
        }

    def located(self, path: str) -> str:
        """Return the URL of what the Provider knows by a path below the interface."""
        for canonical, place in self.layout.moved():
            if path == canonical:
                return f"{self.hosts[place.host]}{place.path}"
        return f"{self.interface.removesuffix('/')}{path}"

    def endpoint(self, name: str) -> str:
        """Return the URL of one of the OAuth endpoints."""
        return self.located(ENDPOINTS[name])

    def next_answer(self, operation: str) -> Answer | None:
        """Return how the script has the next request of an operation answered; None: honestly."""
        waiting = self.answers.get(operation)
        if not waiting:
            return None
        answer = waiting[0]
        if answer is None or not answer.always:
            waiting.popleft()
        return answer

    def fill(self, value: JsonValue, now: float) -> JsonValue:
        """Return a value of the script with what it names, at a time on the Brand's clock."""
        return _dated(filled(value, dict(self.names)), now)

    def poll(self, device_code: str) -> Decision | None:
        """Count a poll, and return what the User has decided by now; None: nothing yet."""
        before = self.polls.get(device_code, 0)
        self.polls[device_code] = before + 1
        decisions = self.script.approve or ()
        if not decisions:
            return None
        flow = list(self.polls).index(device_code)
        decision = decisions[min(flow, len(decisions) - 1)]
        decides = decision.deny or decision.auto is not None
        return decision if decides and before >= decision.after_polls else None

    def next_receipt(self) -> frozenset[Fault]:
        """Count a receipt, and return what is wrong with it."""
        self.receipts += 1
        return frozenset(it.fault for it in self.script.receipts if it.of in ("all", self.receipts))

    def next_ask(self, user: object) -> str | None:
        """Count a turn of a User, and return what the Brand's agent asks back in it."""
        turn = self.turns.get(user, 0)
        self.turns[user] = turn + 1
        return self.script.asks[turn] if turn < len(self.script.asks) else None


def _dated(value: JsonValue, now: float) -> JsonValue:
    """Replace `{date}` and `{date+SECONDS}` by HTTP dates (RFC 9110 §5.6.7)."""
    if isinstance(value, list):
        return [_dated(item, now) for item in value]
    if isinstance(value, dict):
        return {name: _dated(member, now) for name, member in value.items()}
    if not isinstance(value, str) or "{date" not in value:
        return value
    head, _, rest = value.partition("{date")
    offset, brace, tail = rest.partition("}")
    if not brace or not (offset or "+0").lstrip("+-").isdigit():
        return value
    return f"{head}{formatdate(now + int(offset or 0), usegmt=True)}{tail}"
