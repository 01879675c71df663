"""Bodies of `message:send`, legal and malformed, read from `fixtures/bodies` (§4.1).

Each is a good body with one thing changed, or no JSON at all.
"""

import copy
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from pact_conformance.assets import folder
from pact_conformance.wire.errors import MAPPING
from pact_conformance.wire.messages import new_id, send_request, user_message

Served = Literal["never", "warn", "either", "should", "must"]
"""Whether a Provider may answer with a reply: a breach; a warning; as it likes; refusing warns;
refusing is a breach."""

TEXT = "Hello, I have a question."


@dataclass(frozen=True)
class Body:
    """One row of the data."""

    id: str
    comment: str
    """What is wrong and why it matters, or why it is fine."""
    requirement: tuple[str, ...]
    """The requirements that it shows."""
    served: Served
    reasons: tuple[str, ...] = ()
    """The reasons that a refusal may have."""
    accepts_warn: tuple[str, ...] = ()
    """The reasons that a refusal had better not have, but may."""
    change: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    """What to change in a good body, step by step."""
    raw: str | None = None
    """What to send instead of a body."""
    rewrite: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What to change in the bytes of the body."""

    @property
    def http(self) -> int:
        """The status that is due: 200 where it is to be served, else that of its reason (§6)."""
        if self.served in ("must", "should"):
            return 200
        return MAPPING[self.reasons[0]].http

    @property
    def may_take_a_turn(self) -> bool:
        """Whether a conformant Provider may run its agent on it."""
        return self.served != "never"

    def render(
        self,
        message_id: str | None = None,
        context_id: str | None = None,
        text: str = TEXT,
        *,
        request: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the body to send; `request` holds further members of the request, as a tenant.

        What does not come from a good body has no use for the arguments.
        """
        if self.raw is not None:
            return _rewritten(self.raw.encode(), self.rewrite)
        message = user_message(text, message_id=message_id, context_id=context_id)
        good = send_request(message, **(request or {}))
        body: Any = good
        for step in self.change:
            body = _changed(body, step)
        written = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        return _rewritten(written.encode(), self.rewrite)


@cache
def load(requirement: str | None = None) -> tuple[Body, ...]:
    """Return all bodies in the order of the files, or those that show a requirement."""
    if requirement is not None:
        return tuple(it for it in load() if requirement in it.requirement)
    found = []
    for path in sorted((folder("fixtures") / "bodies").glob("*.toml")):
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["body"]
        found += [_body(row) for row in rows]
    return tuple(found)


def _body(row: Mapping[str, Any]) -> Body:
    names = ("requirement", "reasons", "accepts_warn", "change")
    lists: dict[str, Any] = {name: tuple(row.get(name, ())) for name in names}
    return Body(**{**row, **lists})


def _changed(body: Any, step: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    """Return a body after one step; its path is made of names and numbers with dots between."""
    *way, last = [int(it) if it.isdigit() else it for it in step["at"].split(".")]
    changed = copy.deepcopy(body)
    holder = changed
    for name in way:
        holder = holder[name]
    if "remove" in step:
        del holder[last]
    elif "append" in step:
        holder[last].append(step["append"])
    else:
        holder[last] = _value(step)
    return changed


def _value(step: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    if "new_id" in step:
        return new_id(step["new_id"])
    if "nested" in step:
        return _nested(step["nested"])
    return json.loads(step["json"]) if "json" in step else step["to"]


def _nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"in": value}
    return value


def _rewritten(body: bytes, rewrite: Mapping[str, Any]) -> bytes:
    if "find" in rewrite:
        found = rewrite["find"].encode()
        new = bytes.fromhex(rewrite["hex"]) if "hex" in rewrite else rewrite["with"].encode()
        if found not in body:
            raise ValueError(f"{rewrite['find']!r} is not in the body")
        body = body.replace(found, new, 1)
    if "encoding" in rewrite:
        body = body.decode().encode(rewrite["encoding"])
    body = body[: len(body) - rewrite.get("cut", 0)]
    return _joined(rewrite.get("before"), body, rewrite.get("after"))


def _joined(before: str | None, body: bytes, after: str | None) -> bytes:
    parts: Sequence[bytes] = ((before or "").encode(), body, (after or "").encode())
    return b"".join(parts)
