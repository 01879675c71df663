"""The task operations of a Provider that has no tasks (§2.2): ordinary turns create none (§4.2)."""

import re
from datetime import datetime
from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.provider import Provider

DEFAULT_PAGE_SIZE = 50
LARGEST_PAGE_SIZE = 100

STATES = frozenset(
    f"TASK_STATE_{name}"
    for name in (
        "UNSPECIFIED",
        "SUBMITTED",
        "WORKING",
        "COMPLETED",
        "FAILED",
        "CANCELED",
        "INPUT_REQUIRED",
        "REJECTED",
        "AUTH_REQUIRED",
    )
)


async def list_tasks(provider: "Provider", call: "Call") -> "Response":
    """Serve `GET tasks`: the empty list, after its parameters have been held against A2A."""
    query = call.request.query_params
    page_size = provider.page_size(query)
    provider.check_filters(query)
    return provider.answers.result(
        {"tasks": [], "nextPageToken": "", "pageSize": page_size, "totalSize": 0}
    )


def page_size(query: "QueryParams") -> int:
    """Return the page size asked for: 1 to 100, 50 when none is (§2.2)."""
    value = one(query, "pageSize")
    if value is None:
        return DEFAULT_PAGE_SIZE
    size = whole_number(value)
    if size is None or not 1 <= size <= LARGEST_PAGE_SIZE:
        raise invalid(f"pageSize must be 1 to {LARGEST_PAGE_SIZE}")
    return size


def check_filters(query: "QueryParams") -> None:
    """Refuse filters that A2A does not know how to read; no task could match the others."""
    if one(query, "pageToken"):
        raise invalid("pageToken was not issued here")
    one(query, "contextId")
    if (one(query, "status") or "TASK_STATE_UNSPECIFIED") not in STATES:
        raise invalid("status must be a task state")
    if whole_number(one(query, "historyLength") or "0") is None:
        raise invalid("historyLength must be a whole number")
    if (one(query, "includeArtifacts") or "false") not in ("true", "false"):
        raise invalid("includeArtifacts must be true or false")
    after = one(query, "statusTimestampAfter")
    if after is not None and not _is_time(after):
        raise invalid("statusTimestampAfter must be an ISO 8601 time")


async def task_not_found(_provider: "Provider", _call: "Call") -> "Response":
    """Serve what asks for a task: there is none (§2.2)."""
    raise A2ARefusal("TASK_NOT_FOUND", "There is no such task")


def one(query: "QueryParams", name: str) -> str | None:
    """Return the one value of a parameter; two values contradict each other."""
    values = query.getlist(name)
    if len(values) > 1:
        raise invalid(f"{name} is given {len(values)} times")
    return values[0] if values else None


def whole_number(value: str) -> int | None:
    """Read a number of a query; None where it is none (or absurdly long)."""
    return int(value) if re.fullmatch(r"[0-9]{1,10}", value) else None


def _is_time(value: str) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False
