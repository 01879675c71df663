"""A2A errors as PACT §6 writes them: reasons, their HTTP status, and the envelope around them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
"""The `@type` of the detail that carries the reason."""

DOMAIN = "a2a-protocol.org"
"""The `domain` of A2A's own reasons."""


class Pair(NamedTuple):
    """What goes with a reason: the HTTP status (also `error.code`) and `error.status`."""

    http: int
    status: str


MAPPING: Mapping[str, Pair] = MappingProxyType(
    {
        "INVALID_PARAMS": Pair(400, "INVALID_ARGUMENT"),
        "CONTENT_TYPE_NOT_SUPPORTED": Pair(400, "INVALID_ARGUMENT"),
        "UNSUPPORTED_OPERATION": Pair(400, "FAILED_PRECONDITION"),
        "PUSH_NOTIFICATION_NOT_SUPPORTED": Pair(400, "FAILED_PRECONDITION"),
        "TASK_NOT_FOUND": Pair(404, "NOT_FOUND"),
        "INTERNAL": Pair(500, "INTERNAL"),
    }
)
"""The table of PACT §6."""

A2A_MAPPING: Mapping[str, Pair] = MappingProxyType(
    {
        "TASK_NOT_CANCELABLE": Pair(400, "FAILED_PRECONDITION"),
        "EXTENDED_AGENT_CARD_NOT_CONFIGURED": Pair(400, "FAILED_PRECONDITION"),
        "EXTENSION_SUPPORT_REQUIRED": Pair(400, "FAILED_PRECONDITION"),
        "VERSION_NOT_SUPPORTED": Pair(400, "FAILED_PRECONDITION"),
        "INVALID_AGENT_RESPONSE": Pair(500, "INTERNAL"),
    }
)
"""Reasons of A2A 1.0.1 that PACT's table leaves out; §2.2 lets them stand as A2A defines them."""


@dataclass(frozen=True)
class A2AError:
    """An A2A error as it was found; a member that is missing or of another type is None."""

    code: int | None
    status: str | None
    message: str | None
    reason: str | None
    """The first `reason` in `details`, wherever it stands."""
    details: tuple[object, ...]
    reason_index: int | None
    """Where in `details` the reason stands; PACT wants 0 (§6)."""


def envelope(
    reason: str, message: str, *, http: int | None = None, status: str | None = None
) -> dict[str, Any]:
    """Return the error body for a reason.

    Raises:
        KeyError: the reason is in neither table, and `http` and `status` do not say what goes
            with it.
    """
    if http is None or status is None:
        known = MAPPING.get(reason) or A2A_MAPPING[reason]
        http, status = http or known.http, status or known.status
    info = {"@type": ERROR_INFO, "reason": reason, "domain": DOMAIN}
    return {"error": {"code": http, "status": status, "message": message, "details": [info]}}


def read_envelope(value: object) -> A2AError | None:
    """Return what an error body says, or None where it is no A2A / AIP-193 envelope.

    It is one when `error` is an object with a list of `details`, or with a number `code` and a text
    `status`. That leaves out OAuth's `{"error": "invalid_scope"}` and the bodies of frameworks.
    """
    error = value.get("error") if isinstance(value, dict) else None
    if not isinstance(error, dict):
        return None
    code, status, message = error.get("code"), error.get("status"), error.get("message")
    details = error.get("details")
    has_numbers = _is_integer(code) and isinstance(status, str)
    if not (isinstance(details, list) or has_numbers):
        return None
    details = tuple(details) if isinstance(details, list) else ()
    index, reason = _first_reason(details)
    return A2AError(
        code=code if _is_integer(code) else None,
        status=status if isinstance(status, str) else None,
        message=message if isinstance(message, str) else None,
        reason=reason,
        details=details,
        reason_index=index,
    )


def is_a2a_body(value: object) -> bool:
    """Say whether a JSON value is an A2A answer: an error envelope, or what an operation returns.

    Where PACT wants "no A2A body" (§2.1, §2.2, §3.4) any other body may stand, a framework's
    `{"message": "Not Found"}` among them.
    """
    if not isinstance(value, dict):
        return False
    return _is_error_body(value) or any(recognises(value) for recognises in _RESULTS)


def _is_error_body(value: dict[str, Any]) -> bool:
    error = read_envelope(value)
    if error is None:
        return False
    has_info = any(isinstance(it, dict) and it.get("@type") == ERROR_INFO for it in error.details)
    return has_info or (error.code is not None and error.status is not None)


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value and isinstance(value.get("parts"), list)


def _is_task(value: object) -> bool:
    status = value.get("status") if isinstance(value, dict) else None
    state = status.get("state") if isinstance(status, dict) else None
    return isinstance(state, str) and state.startswith("TASK_STATE_")


def _is_task_list(value: dict[str, Any]) -> bool:
    paging = value.keys() & {"nextPageToken", "pageSize", "totalSize"}
    return isinstance(value.get("tasks"), list) and bool(paging)


_RESULTS = (
    _is_message,
    _is_task,
    lambda value: _is_message(value.get("message")),
    lambda value: _is_task(value.get("task")),
    _is_task_list,
    lambda value: isinstance(value.get("supportedInterfaces"), list),
)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _first_reason(details: tuple[object, ...]) -> tuple[int | None, str | None]:
    for index, detail in enumerate(details):
        reason = detail.get("reason") if isinstance(detail, dict) else None
        if isinstance(reason, str):
            return index, reason
    return None, None
