"""The A2A operations below an interface URL, as a table of routes (§2.2).

All capabilities are declared false on the card, so streaming, push notifications and the extended
card answer what A2A has for undeclared capabilities.
"""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.convertors import Convertor, register_url_convertor
from starlette.routing import compile_path

from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.refusals import A2ARefusal, NoSuchRoute, WrongMethod
from pact_conformance.counterpart.provider.sending import send_message
from pact_conformance.counterpart.provider.tasks import cancel_task, get_task, list_tasks

if TYPE_CHECKING:
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.provider import Provider

Handler = Callable[["Provider", Call], Awaitable["Response"]]


class _Id(Convertor[str]):
    """A segment of the path without a colon, which begins A2A's verbs."""

    regex = "[^/:]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("id", _Id())


@dataclass(frozen=True)
class Operation:
    """One method and path, and what serves it."""

    name: str
    method: str
    path: str
    handle: Handler
    public: bool = False
    """Whether it is served without authentication: the card alone (§3.2), and what §5.1 and §5.3
    have for everybody."""
    is_a2a: bool = True
    """False: an OAuth endpoint or a page (§5)."""
    takes_delegation: bool = False
    """Whether a delegation token is looked at: with messages alone (§5.5)."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The path as a regular expression."""
        return compile_path(self.path)[0]


class Operations:
    """The routes of an interface, found by path and method."""

    def __init__(self, *operations: Operation) -> None:
        self._rows = {operation.name: operation for operation in operations}

    def __iter__(self) -> Iterator[Operation]:
        return iter(self._rows.values())

    def __getitem__(self, name: str) -> Operation:
        return self._rows[name]

    def add(self, operation: Operation) -> None:
        """Add a route, or put another in the place of the one with its name."""
        self._rows[operation.name] = operation

    def drop(self, name: str) -> None:
        """Take a route out."""
        del self._rows[name]

    def handle(self, name: str, handler: Handler) -> None:
        """Let another handler serve a route."""
        self._rows[name] = replace(self._rows[name], handle=handler)

    def match(self, method: str, path: str) -> tuple[Operation, dict[str, str]]:
        """Return the operation of a request, and the members of its path.

        Raises:
            NoSuchRoute: no operation has this path.
            WrongMethod: some have, but with other methods.
        """
        allowed: list[str] = []
        for operation in self._rows.values():
            found = operation.pattern.match(path)
            if found is None:
                continue
            if method == operation.method or (method == "HEAD" and operation.method == "GET"):
                return operation, found.groupdict()
            allowed += [operation.method] + (["HEAD"] if operation.method == "GET" else [])
        if allowed:
            raise WrongMethod(allowed)
        raise NoSuchRoute(path)


async def serve_card(provider: "Provider", call: Call) -> "Response":
    """Serve the Brand's Agent Card, to anybody (§2.1)."""
    assert call.brand is not None
    return provider.answers.card(provider.card(call.brand, provider.base))


async def unsupported(_provider: "Provider", _call: Call) -> "Response":
    """Serve an operation whose capability the card does not declare (A2A)."""
    raise A2ARefusal("UNSUPPORTED_OPERATION", "This agent does not support the operation")


async def no_push_notifications(_provider: "Provider", _call: Call) -> "Response":
    """Serve the operations on push notification configs, a capability not declared (A2A)."""
    raise A2ARefusal("PUSH_NOTIFICATION_NOT_SUPPORTED", "Push notifications are not supported")


CARD = "/.well-known/agent-card.json"
_TASK = "/tasks/{id:id}"
_CONFIGS = f"{_TASK}/pushNotificationConfigs"
_CONFIG = f"{_CONFIGS}/{{configId:id}}"


def operations() -> Operations:
    """Return the table of §2.2 with A2A's further operations.

    A2A's text subscribes by POST, its proto annotation by GET; both are served.
    """
    return Operations(
        Operation("send", "POST", "/message:send", send_message, takes_delegation=True),
        Operation("list", "GET", "/tasks", list_tasks),
        Operation("get", "GET", _TASK, get_task),
        Operation("cancel", "POST", f"{_TASK}:cancel", cancel_task),
        Operation("card", "GET", CARD, serve_card, public=True),
        Operation("stream", "POST", "/message:stream", unsupported),
        Operation("subscribe", "POST", f"{_TASK}:subscribe", unsupported),
        Operation("subscribe by GET", "GET", f"{_TASK}:subscribe", unsupported),
        Operation("create push config", "POST", _CONFIGS, no_push_notifications),
        Operation("list push configs", "GET", _CONFIGS, no_push_notifications),
        Operation("get push config", "GET", _CONFIG, no_push_notifications),
        Operation("delete push config", "DELETE", _CONFIG, no_push_notifications),
        Operation("extended card", "GET", "/extendedAgentCard", unsupported),
    )
