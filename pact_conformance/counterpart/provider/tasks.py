"""The task operations (§2.2). Ordinary turns create no task (§4.2), only step-ups do (§5.5)."""

import re
from datetime import datetime
from typing import TYPE_CHECKING

from pact_conformance.counterpart.provider.delegation.step_up import step_up_task
from pact_conformance.counterpart.provider.refusals import A2ARefusal, invalid

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams
    from starlette.responses import Response

    from pact_conformance.counterpart.provider.call import Call
    from pact_conformance.counterpart.provider.delegation.step_up import StepUp
    from pact_conformance.counterpart.provider.provider import Provider

WAITING = "TASK_STATE_AUTH_REQUIRED"
"""The state of a step-up until it is cancelled."""

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
    """Serve `GET tasks`: the caller's own step-ups (§5.5), and mostly none."""
    query = call.request.query_params
    page_size = provider.page_size(query)
    provider.check_filters(query)
    found = [it for it in provider.own_tasks(provider, call) if _passes(it, query)]
    start = _start(found, query)
    page = found[start : start + page_size]
    is_last = start + page_size >= len(found)
    return provider.answers.result(
        {
            "tasks": [step_up_task(provider, it) for it in page],
            "nextPageToken": "" if is_last else page[-1].id,
            "pageSize": page_size,
            "totalSize": len(found),
        }
    )


def own_tasks(provider: "Provider", call: "Call") -> "list[StepUp]":
    """Return the tasks of the caller at this Brand, the latest first: nobody else's (§5.5)."""
    assert call.user is not None
    assert call.brand is not None
    owner = provider.conduct.owner(call.user, call.brand.id)
    return [it for it in provider.delegation.step_ups.all() if it.owner == owner]


def find_task(provider: "Provider", call: "Call") -> "StepUp":
    """Return the task of the path, if it is the caller's own.

    Raises:
        A2ARefusal: there is none, or it is somebody else's: one answer for both.
    """
    assert call.user is not None
    assert call.brand is not None
    owner = provider.conduct.owner(call.user, call.brand.id)
    task = provider.delegation.step_ups.get(call.path_members["id"])
    if task is None or task.owner != owner:
        raise A2ARefusal("TASK_NOT_FOUND", "There is no such task")
    return task


async def get_task(provider: "Provider", call: "Call") -> "Response":
    """Serve `GET tasks/{id}` (§2.2): TASK_NOT_FOUND, but for the caller's own step-ups."""
    return provider.answers.result(step_up_task(provider, provider.find_task(provider, call)))


async def cancel_task(provider: "Provider", call: "Call") -> "Response":
    """Serve `tasks/{id}:cancel`: whoever cancels a step-up has no use for its link any more."""
    task = provider.find_task(provider, call)
    if task.state != WAITING:
        raise A2ARefusal("TASK_NOT_CANCELABLE", "The task has ended")
    task.state = "TASK_STATE_CANCELED"
    if task.code.decision == "pending":
        task.code.deny()
    return provider.answers.result(step_up_task(provider, task))


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
    """Refuse filters that A2A does not know how to read."""
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


def _passes(task: "StepUp", query: "QueryParams") -> bool:
    status, after = query.get("status"), query.get("statusTimestampAfter")
    return (
        query.get("contextId") in (None, "", task.context_id)
        and status in (None, "", "TASK_STATE_UNSPECIFIED", task.state)
        and (after is None or task.now > datetime.fromisoformat(after).timestamp())
    )


def _start(found: "list[StepUp]", query: "QueryParams") -> int:
    """Return where a page starts: after the task that the token names, the last one before."""
    token = one(query, "pageToken")
    if not token:
        return 0
    ids = [task.id for task in found]
    if token not in ids:
        raise invalid("pageToken was not issued here")
    return ids.index(token) + 1


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
