"""The routes of A2A 1.0 HTTP+JSON, relative to the interface URL (§2.2)."""

from typing import NamedTuple
from urllib.parse import quote

from pact_conformance.journal.exchange import Operation as OperationName


class Operation(NamedTuple):
    """One operation: its name in the journal, its method and its path."""

    name: OperationName
    method: str
    path: str

    def below(self, interface: str, **ids: str) -> str:
        """Return the URL of the operation at `interface`, used verbatim but for one slash."""
        filled = self.path.format(**{key: quote(value, safe="") for key, value in ids.items()})
        return f"{interface.removesuffix('/')}/{filled}"


SEND = Operation("message:send", "POST", "message:send")
STREAM = Operation("message:stream", "POST", "message:stream")
LIST = Operation("tasks", "GET", "tasks")
GET = Operation("tasks/{id}", "GET", "tasks/{id}")
CANCEL = Operation("tasks/{id}:cancel", "POST", "tasks/{id}:cancel")
# A2A's text says POST, its proto annotation says GET: a Provider may route either.
SUBSCRIBE = (
    Operation("tasks/{id}:subscribe", "POST", "tasks/{id}:subscribe"),
    Operation("tasks/{id}:subscribe", "GET", "tasks/{id}:subscribe"),
)
PUSH = {
    "create": Operation("push-config", "POST", "tasks/{id}/pushNotificationConfigs"),
    "list": Operation("push-config", "GET", "tasks/{id}/pushNotificationConfigs"),
    "get": Operation("push-config", "GET", "tasks/{id}/pushNotificationConfigs/{config}"),
    "delete": Operation("push-config", "DELETE", "tasks/{id}/pushNotificationConfigs/{config}"),
}
EXTENDED_CARD = Operation("extended-card", "GET", "extendedAgentCard")
