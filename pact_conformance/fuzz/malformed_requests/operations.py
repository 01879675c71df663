"""Other operations than a message, their queries, ids and bodies (§2.2)."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

from pact_conformance.fuzz.entering import kind, named
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.kind import Kind, OneOf, Whole
from pact_conformance.fuzz.malformed_requests.draft import Draft
from pact_conformance.fuzz.malformed_requests.entering import NO_FAILURE, of_http, suspected
from pact_conformance.fuzz.malformed_requests.written import Raw
from pact_conformance.subject.operations import CANCEL, GET, LIST, Operation
from pact_conformance.wire.media_types import JSON

_SIZE = "2.2-page-size-range"
_NO_SIZE = "2.2-page-size-invalid"
_FILTERS = "2.2-list-filters"

# No whole number from 1 to 100, however a query is read.
_NO_SIZES = (
    *("0", "-1", "-0", "101", "128", "255", "256", "257", "1000", "65537", "65586", "1000000"),
    *("2147483648", "4294967297", "4294967346", "18446744073709551617", "9" * 40, "-4294967246"),
    *("00", "000", "abc", "a5", "5a", "5;", "5,5", "5 5", "0x10", "0b1", "1_0", "5_0", "5-5"),
    *("1.5", "0.5", "50.5", "1e3", "-5", "--5", "5-", "$5", "5%", "NaN", "Infinity", "-Infinity"),
    *("null", "undefined", "None", "true", "false", "[5]", "{5}", '"5"', "'5'", "five", "V"),
    *("\u0665", "\uff15", "\u096b", "\u2164", "\u00b2", "\u2075", "\u2460", "5\u0660", "1\u066050"),
    *("../5", "5/5", "5'--", "\0", "5\0", "5\n6", "\U0001f600", "1" * 3000),
)
# Whether they are whole numbers from 1 to 100 may be read in more than one way.
_ODD_SIZES = (
    *("", " ", "05", "005", "+5", " 5", "5 ", "\t5", "5\n", "5.0", "5.", "5e0", "1e1", "1e2"),
)
_STATES = (
    *("SUBMITTED", "WORKING", "COMPLETED", "FAILED", "CANCELED", "INPUT_REQUIRED", "REJECTED"),
    *("AUTH_REQUIRED",),
)
_GOOD_FILTERS: Mapping[str, tuple[str, str]] = {
    **{f"status {it}": ("status", f"TASK_STATE_{it}") for it in _STATES},
    "includeArtifacts true": ("includeArtifacts", "true"),
    "includeArtifacts false": ("includeArtifacts", "false"),
    "a time with milliseconds": ("statusTimestampAfter", "2026-01-01T00:00:00.000Z"),
    "a time without fraction": ("statusTimestampAfter", "2026-01-01T00:00:00Z"),
    "a time of 1970": ("statusTimestampAfter", "1970-01-01T00:00:00Z"),
    "a leap day": ("statusTimestampAfter", "2024-02-29T23:59:59.999Z"),
}
_NAMES = (
    *("status", "contextId", "historyLength", "includeArtifacts", "statusTimestampAfter"),
    *("pageToken",),
)
_ODD_VALUES = (
    *("", " ", "0", "-1", "1.5", "9" * 40, "abc", "true", "TRUE", "null", "NaN", "[]", "{}"),
    *("TASK_STATE_COMPLETED", "task_state_completed", "COMPLETED", "TASK_STATE_UNSPECIFIED"),
    *("2026-02-30T00:00:00Z", "2026-06-30T23:59:60Z", "2026-01-01", "2026-01-01T24:00:00Z"),
    *("0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
    *("99999-01-01T00:00:00Z", "-2026-01-01T00:00:00Z", "2026-W01-1T00:00:00Z", "1e400"),
    *("2026-01-01T00:00:00", "2026-01-01T00:00:00.0000000001Z", "\0", "a\0b", "\n", "%", "'"),
    *('"', "\\", "../", "\u00e9", "\U0001f600", "\ufeff", "a" * 65, "a" * 2000, "__proto__"),
)
# Parts of a query that stand for nothing that A2A knows.
_QUERIES = (
    *("x-unheard-of=1", "page_size=0", "PageSize=0", "pagesize=0", "pageSize[]=0", "pageSize%00=0"),
    *("", "&", "=", "==", "?", "a", "a=b=c", ";", "a;b", "%", "%zz", "%ff", "%00", "%c0%80"),
    *("[]", "a[b][c]=1", "a.b=1", "__proto__=1", "__proto__[a]=1", "+", "a=%0d%0aX:1", "%u0041"),
    *(f"a={'b' * 3000}", "&".join(f"a{at}=1" for at in range(300))),
)
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~"
# Ids in a path that servers in front of a Provider, or its router, may have ideas about.
_IDS = (
    *("%00", "a%00b", "%ff", "%c0%ae", "%ed%a0%80", "%2e", "%2e%2e", "%2e%2e%2fa", "a%2fb", "%5c"),
    *("%25", "%2525", "a%3ab", "a:b", "a:cancel", "%3acancel", "%20", "a%20b", "+", "a+b", "%0a"),
    *("%0d%0aX:1", "a;b", "a;b=c", "a,b", "a=b", "a&b", "a@b", "a!b", "'", "%22", "%27--", "$a"),
    *("%7b%7b7%2a7%7d%7d", "%24%7ba%7d", "*", "(a)", "%3c", "%c3%a9", "%f0%9f%98%80", "%ef%bb%bf"),
    *("null", "undefined", "0", "-1", "1e400", "~", "_", "-", "__proto__", "constructor", "con"),
    *("pushNotificationConfigs", "tasks", "a" * 65, "a" * 300, "a" * 4000),
)
_BODIES: Mapping[str, str | None] = {
    "no body": None,
    "an empty body": "",
    "null": "null",
    "an empty array": "[]",
    "a text": '"a"',
    "what is no JSON": "{",
    "an unknown member": '{"x-unheard-of":1}',
    "an id of another task": '{"id":"t-another"}',
    "metadata": '{"metadata":{}}',
    "metadata that is a text": '{"metadata":"a"}',
    "a name": '{"name":"tasks/t-another"}',
    "half a pair": '{"metadata":{"a":"\\ud800"}}',
}


def _target(operation: Operation) -> Callable[[Draft], None]:
    def apply(draft: Draft) -> None:
        draft.operation, draft.method = operation, operation.method
        draft.reason = "" if operation is LIST else "TASK_NOT_FOUND"
        if operation.method == "POST":
            draft.document = dict(draft.tenant)
            return
        draft.document = None
        draft.headers = [it for it in draft.headers if it[0] != "Content-Type"]
        draft.query += [f"{name}={quote(value, safe='')}" for name, value in draft.tenant.items()]

    return apply


_list, _get, _cancel = map(_target, (LIST, GET, CANCEL))


def _queried(name: str) -> Callable[[Draft, str | int], None]:
    def apply(draft: Draft, value: str | int) -> None:
        _list(draft)
        suspected(draft, str(value))
        draft.query.append(f"{name}={quote(str(value), safe='')}")

    return apply


def _sized(draft: Draft, size: int) -> None:
    _queried("pageSize")(draft, size)
    draft.page_size = size


def _encoded(draft: Draft, size: int) -> None:
    _list(draft)
    draft.page_size = size
    draft.query.append(f"pageSize={''.join(f'%{ord(it):02X}' for it in str(size))}")


def _twice(draft: Draft, one: int, other: int) -> None:
    _list(draft)
    draft.query += [f"pageSize={one}", f"pageSize={other}"]


def _filtered(draft: Draft, name: str) -> None:
    _list(draft)
    member, value = _GOOD_FILTERS[name]
    draft.query.append(f"{member}={quote(value, safe='')}")


def _ill_filtered(draft: Draft, name: str, value: str) -> None:
    _list(draft)
    suspected(draft, value)
    draft.query.append(f"{name}={quote(value, safe='')}")


def _query(draft: Draft, part: str) -> None:
    draft.query.append(part)


def _plain_id(target: Callable[[Draft], None]) -> Callable[[Draft, int, int], None]:
    def apply(draft: Draft, first: int, length: int) -> None:
        target(draft)
        letters = _PLAIN[first:] + _PLAIN[:first]
        draft.task = f"t{letters[: length - 1]}"

    return apply


def _odd_id(target: Callable[[Draft], None]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, id_: str) -> None:
        target(draft)
        draft.task = id_

    return apply


def _body(draft: Draft, name: str) -> None:
    _cancel(draft)
    text = _BODIES[name]
    if draft.tenant:
        raise Impossible("the interface has a tenant, which the body has to name")
    draft.document = None if text is None else Raw(text)
    if text is None:
        draft.headers = [it for it in draft.headers if it[0] != "Content-Type"]


def _with_body(draft: Draft, target: str) -> None:
    (_list if target == "tasks" else _get)(draft)
    draft.document = {}
    draft.headers.append(("Content-Type", JSON))


_ID = (Whole(0, len(_PLAIN) - 1), Whole(2, 60))
_TARGET = "operation"

OPERATIONS: tuple[Kind[Draft], ...] = (
    kind("list", "GET tasks", "accepted", "2.2-list-tasks", _list, _TARGET, needs=["list"]),
    kind("get", "GET of a task", "accepted", "2.2-get-task", _get, _TARGET, needs=["get"]),
    kind("cancel", "cancelling", "accepted", "2.2-cancel-task", _cancel, _TARGET, needs=["cancel"]),
    kind(
        "page-size",
        "the pageSize {0}",
        "accepted",
        _SIZE,
        _sized,
        _TARGET,
        takes=[Whole(1, 100)],
        needs=["list"],
    ),
    kind(
        "page-size-encoded",
        "the pageSize {0}, percent-encoded",
        "accepted",
        _SIZE,
        _encoded,
        _TARGET,
        takes=[Whole(1, 100)],
        needs=["list"],
    ),
    kind(
        "page-size-wrong",
        "the pageSize `{0}`",
        "refused",
        _NO_SIZE,
        _queried("pageSize"),
        _TARGET,
        takes=[OneOf(_NO_SIZES)],
        needs=["list"],
    ),
    kind(
        "page-size-above",
        "the pageSize {0}",
        "refused",
        _NO_SIZE,
        _queried("pageSize"),
        _TARGET,
        takes=[Whole(101, 2**33)],
        needs=["list"],
    ),
    kind(
        "page-size-odd",
        "the pageSize `{0}`",
        "either",
        NO_FAILURE,
        _queried("pageSize"),
        _TARGET,
        takes=[OneOf(_ODD_SIZES)],
        needs=["list"],
    ),
    kind(
        "page-size-twice",
        "the pageSizes {0} and {1}",
        "either",
        NO_FAILURE,
        _twice,
        _TARGET,
        takes=[Whole(1, 100), Whole(1, 100)],
        needs=["list"],
    ),
    kind(
        "filter",
        "the filter {0}",
        "accepted",
        _FILTERS,
        _filtered,
        _TARGET,
        takes=[named(_GOOD_FILTERS)],
        needs=["list"],
    ),
    kind(
        "history",
        "the filter historyLength {0}",
        "accepted",
        _FILTERS,
        _queried("historyLength"),
        _TARGET,
        takes=[Whole(0, 1000)],
        needs=["list"],
    ),
    kind(
        "filter-odd",
        "the filter {0} with the value `{1}`",
        "either",
        _FILTERS,
        _ill_filtered,
        _TARGET,
        takes=[OneOf(_NAMES), OneOf(_ODD_VALUES)],
        needs=["list"],
    ),
    kind(
        "query",
        "a query with `{0}` in it",
        "either",
        NO_FAILURE,
        of_http(_query),
        "query",
        takes=[OneOf(_QUERIES)],
    ),
    *(
        kind(
            f"{name}-id",
            f"an unknown id to {name}, of {{1}} plain characters",
            "accepted",
            f"2.2-{name}-task",
            _plain_id(target),
            _TARGET,
            takes=_ID,
            needs=[name],
        )
        for name, target in (("get", _get), ("cancel", _cancel))
    ),
    *(
        kind(
            f"{name}-id-odd",
            f"the id `{{0}}` to {name}",
            "either",
            NO_FAILURE,
            of_http(_odd_id(target)),
            _TARGET,
            takes=[OneOf(_IDS)],
            needs=[name],
        )
        for name, target in (("get", _get), ("cancel", _cancel))
    ),
    kind(
        "cancel-body",
        "cancelling with {0}",
        "either",
        NO_FAILURE,
        of_http(_body),
        _TARGET,
        takes=[named(_BODIES)],
        needs=["cancel"],
    ),
    kind(
        "get-with-body",
        "a body with GET {0}",
        "either",
        NO_FAILURE,
        of_http(_with_body),
        _TARGET,
        takes=[OneOf(("tasks", "tasks/{id}"))],
        needs=["list", "get"],
    ),
)
"""The kinds of requests that are no message."""
