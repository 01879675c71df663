"""§6: the form of A2A errors. Each deviation is blamed by the one rule that names it.

| deviation                                                      | rule           |
|----------------------------------------------------------------|----------------|
| 400 403 409 422 501, or 500 where failing is legal, no envelope| 6-envelope     |
| `status`, `message`, `details` or an `@type` missing or odd    | 6-envelope     |
| `code` missing, not a number, or not the HTTP status           | 6-code         |
| ErrorInfo, reason or domain not in `details[0]`                | 6-reason-first |
| HTTP status or `status` not those of the reason                | 6-table        |
| a bare 500 where a refusal is due                              | 6-client-errors|
| a bare 502 503 504                                             | 6-gateway      |

Never judged here: 401, 405, 429; a bare 404, 406, 408, 411, 413, 414, 415, 431 and the like, which
HTTP itself or a gateway answers with; a bare 400 or 403 to a bad token of either kind, where 401
was due: its check names it; an answer too long for the record.
"""

from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.rules.kinds import (
    A2A_OPERATIONS,
    a2a_error,
    is_known,
    may_be_delegated,
    status_of,
    told,
)
from pact_conformance.journal.rules.rule import Finding, Rule
from pact_conformance.journal.rules.server_errors import is_fault_of_server
from pact_conformance.wire.errors import A2A_MAPPING, DOMAIN, ERROR_INFO, MAPPING, A2AError
from pact_conformance.wire.schema import problems

_ENVELOPE = "an object `error` with code, status, message and details"
_FIRST = "details[0] is an ErrorInfo with reason and the domain a2a-protocol.org"
_NEEDS_ENVELOPE = frozenset({400, 403, 409, 422, 500, 501})

_OF_1_0_0 = "this is the mapping of A2A 1.0.0; PACT takes 1.0.1's"
_HTTP_OF_1_0_0 = frozenset({409, 415, 501, 502})


def _is_a2a_error(exchange: Exchange) -> bool:
    return a2a_error(exchange) is not None


def _is_operation_error(exchange: Exchange) -> bool:
    if a2a_error(exchange) is not None:
        return True
    answer = exchange.answer
    return (
        answer is not None
        and exchange.operation in A2A_OPERATIONS
        and answer.status in _NEEDS_ENVELOPE
        and not answer.truncated
        and is_known(exchange)
        and may_be_delegated(exchange)
        and not is_fault_of_server(exchange)
    )


def _judge_envelope(exchange: Exchange) -> Finding | None:
    error = a2a_error(exchange)
    if error is None:
        return Finding("failed", _ENVELOPE, told(exchange))
    found = problems(_for_schema(exchange, error), "error-envelope")
    return Finding("failed", _ENVELOPE, "; ".join(found)) if found else None


def _for_schema(exchange: Exchange, error: A2AError) -> dict[str, object]:
    """Return the envelope with what other rules judge put right, so that only the rest is seen."""
    answer = exchange.answer
    body = dict(answer.json["error"]) if answer else {}
    body["code"] = 400
    if error.details:
        first, *rest = error.details
        if isinstance(first, dict):
            kind = {"@type": ERROR_INFO} if isinstance(first.get("@type"), str) else {}
            first = {**kind, "reason": "ANY", "domain": DOMAIN}
        body["details"] = [first, *rest]
    return {"error": body}


def _judge_code(exchange: Exchange) -> Finding | None:
    error, status = a2a_error(exchange), status_of(exchange)
    if error is None or error.code == status:
        return None
    got = "a code that is missing or no number" if error.code is None else f"code {error.code}"
    return Finding("failed", f"code {status}, the HTTP status", got)


def _judge_reason_first(exchange: Exchange) -> Finding | None:
    error = a2a_error(exchange)
    first = error.details[0] if error and error.details else None
    if error is None or not isinstance(first, dict) or not isinstance(first.get("@type"), str):
        return None  # 6-envelope names it
    if error.reason_index not in {0, None}:
        return Finding("failed", _FIRST, f"the reason stands in details[{error.reason_index}]")
    if error.reason is None:
        return Finding("failed", _FIRST, "no reason in any detail")
    if first["@type"] != ERROR_INFO:
        return Finding("failed", _FIRST, f"the reason stands in a {first['@type']}")
    if first.get("domain") != DOMAIN:
        return Finding("failed", _FIRST, f"the domain is {first.get('domain')!r}")
    return None


def _has_reason(exchange: Exchange) -> bool:
    error = a2a_error(exchange)
    return error is not None and error.reason is not None


def _judge_table(exchange: Exchange) -> Finding | None:
    error, http = a2a_error(exchange), status_of(exchange)
    if error is None or error.reason is None:
        return None
    pair = MAPPING.get(error.reason) or A2A_MAPPING.get(error.reason)
    if pair is None:
        return Finding(
            "note", "a reason of PACT §6 or of A2A 1.0.1", f"the reason {error.reason!r}"
        )
    # where code and HTTP status differ, 6-code names it; where the name is missing, 6-envelope
    http_is_wrong = http != pair.http and error.code == http
    name_is_wrong = error.status not in {pair.status, None}
    if not http_is_wrong and not name_is_wrong:
        return None
    got = f"{error.reason} with {http} and {error.status}"
    if (http_is_wrong and http in _HTTP_OF_1_0_0) or error.status == "UNIMPLEMENTED":
        got = f"{got}: {_OF_1_0_0}"
    return Finding("failed", f"{error.reason} with {pair.http} and {pair.status}", got)


RULES = (
    Rule(
        "6-envelope",
        "every A2A error is an envelope with code, status, message and details",
        _is_operation_error,
        _judge_envelope,
    ),
    Rule(
        "6-code",
        "the code of every A2A error is the HTTP status of the answer",
        _is_a2a_error,
        _judge_code,
    ),
    Rule(
        "6-reason-first",
        "the first detail of every A2A error gives its reason",
        _is_a2a_error,
        _judge_reason_first,
    ),
    Rule(
        "6-table",
        "every reason comes with the HTTP status and the status name of the table",
        _has_reason,
        _judge_table,
    ),
)
