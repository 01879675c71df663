"""Changes of method and path: what is an operation of A2A, and what is none (§2.2)."""

import re
from collections.abc import Callable, Mapping

from pact_conformance.fuzz.entering import kind
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.fuzz.malformed_requests.draft import Draft
from pact_conformance.fuzz.malformed_requests.entering import either, of_http, with_body

_METHODS = (
    *("PUT", "PATCH", "DELETE", "GET", "PROPFIND", "PURGE", "COPY", "LOCK", "SEARCH", "QUERY"),
    *("LINK", "X-POST", "POSTS", "POS", "PO", "GETT", "A" * 64),
)
_IN_OTHER_CASE = ("post", "Post", "pOST")
_ASKING = ("OPTIONS", "HEAD", "TRACE")
_PATHS: Mapping[str, Callable[[str], str]] = {
    "a slash behind it": lambda it: f"{it}/",
    "two slashes before it": lambda it: f"/{it}",
    "its first letter percent-encoded": lambda it: f"%{ord(it[0]):02x}{it[1:]}",
    "all of it percent-encoded": lambda it: re.sub(
        r"[a-z]", lambda found: f"%{ord(found[0]):02X}", it
    ),
    "a colon percent-encoded": lambda it: it.replace(":", "%3A"),
    "a colon percent-encoded in lower case": lambda it: it.replace(":", "%3a"),
    "all percent-encoded twice": lambda it: f"%25{ord(it[0]):02x}{it[1:]}",
    "upper case": str.upper,
    "a dot segment percent-encoded": lambda it: f"%2e/{it}",
    "another dot segment percent-encoded": lambda it: f"x/%2e%2e/{it}",
    "a parameter": lambda it: f"{it};a=b",
    "a space behind it": lambda it: f"{it}%20",
    "NUL behind it": lambda it: f"{it}%00",
    "a line break behind it": lambda it: f"{it}%0d%0a",
    "bytes that are no UTF-8": lambda it: f"{it}%ff",
    "an overlong slash": lambda it: f"a%c0%af{it}",
    "a backslash": lambda it: f"a%5c{it}",
    "a dot behind it": lambda it: f"{it}.",
    "an extension behind it": lambda it: f"{it}.json",
    "a colon behind it": lambda it: f"{it}:",
    "`%`": lambda it: f"{it}%",
    "`%zz`": lambda it: f"{it}%zz",
    "many segments": lambda it: f"{'a/' * 500}{it}",
    "a long segment": lambda it: f"{it}{'a' * 5000}",
}
# Paths that are none of A2A's, though they begin or end like one.
_NO_PATHS = (
    *("message", "message:", "message:sen", "message:sends", "message:send2", "messages:send"),
    *("message.send", "message/send", "message::send", ":send", "xmessage:send", "message-send"),
    *("message:send:send", "message:send/x", "message%20send", "message:send%20x", "message:get"),
    *("task", "tasks/x/y", "tasks/x/cancel", "tasks/x:cancels", "tasks/x:resume", "tasks:cancel"),
    *("tasks/x/pushNotificationConfig", "agentCard", "extendedAgentCards", "tasks/x/y:cancel"),
)


def _method(draft: Draft, method: str) -> None:
    if method == draft.method:
        raise Impossible("it would change nothing")
    if method in {"GET", "POST"} and draft.operation.path.startswith("tasks"):
        raise Impossible("another operation may have this method")
    draft.method, draft.unrouted = method, True


def _asking(draft: Draft, method: str) -> None:
    draft.method, draft.asks = method, True


def _in_other_case(draft: Draft, method: str) -> None:
    with_body(draft)
    draft.method = method


def _path(draft: Draft, name: str) -> None:
    draft.path = _PATHS[name]


def _no_path(draft: Draft, path: str) -> None:
    draft.path, draft.unrouted = (lambda _: path), True


ROUTES: tuple[Kind[Draft], ...] = (
    kind(
        "method",
        "the method {0}",
        "refused",
        "2.2-wrong-method",
        of_http(_method),
        "method",
        takes=[OneOf(_METHODS)],
    ),
    either("method-asking", "the method {0}", _asking, "method", _ASKING),
    either("method-case", "the method {0}", _in_other_case, "method", _IN_OTHER_CASE),
    kind(
        "no-path",
        "the path `{0}`",
        "refused",
        "2.2-unmatched-route",
        of_http(_no_path),
        "path",
        "operation",
        takes=[OneOf(_NO_PATHS)],
    ),
    either("path", "a path with {0}", _path, "path", _PATHS),
)
"""The kinds of changes of method and path."""
