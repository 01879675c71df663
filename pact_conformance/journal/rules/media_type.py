"""§2: A2A responses use `application/a2a+json` (fairness: results and errors of operations, only).

| answer of an A2A operation                        | judged                                     |
|---------------------------------------------------|--------------------------------------------|
| 2xx with a JSON body                              | `application/a2a+json`                     |
| 2xx of stream or subscribe                        | that, or `text/event-stream`               |
| 2xx without a body (204 of a delete)              | no                                         |
| 2xx with something that is no JSON                | no: its own check says what is missing     |
| an A2A error, whatever its status                 | `application/a2a+json`                     |
| 401, 405, 429, bare 404, 413, 503 and the like    | no: these are no A2A responses             |
| an error body in another shape                    | no: `6-envelope` names it                  |
"""

from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.json_value import NOT_JSON
from pact_conformance.journal.rules.kinds import A2A_OPERATIONS, a2a_error
from pact_conformance.journal.rules.rule import Finding, Rule
from pact_conformance.wire.media_types import A2A_JSON, EVENT_STREAM, JSON, essence

_STREAMS = frozenset({"message:stream", "tasks/{id}:subscribe"})


def _is_a2a_answer(exchange: Exchange) -> bool:
    answer = exchange.answer
    if answer is None or exchange.operation not in A2A_OPERATIONS:
        return False
    if not 200 <= answer.status < 300:
        return a2a_error(exchange) is not None
    return bool(answer.body) and (answer.json is not NOT_JSON or _may_be_json(exchange))


def _may_be_json(exchange: Exchange) -> bool:
    """Judge a body too long for the record, and a stream, by the type alone."""
    answer = exchange.answer
    return answer is not None and (answer.truncated or exchange.operation in _STREAMS)


def _judge(exchange: Exchange) -> Finding | None:
    answer = exchange.answer
    found = essence(answer.header("content-type")) if answer else ""
    if found == A2A_JSON or (found == EVENT_STREAM and exchange.operation in _STREAMS):
        return None
    got = found or "no Content-Type"
    if found == JSON:
        got += ", which A2A 1.0.0 used; PACT takes the type of 1.0.1"
    kind = "error" if a2a_error(exchange) else "result"
    return Finding("failed", f"{A2A_JSON} on the {kind} of {exchange.operation}", got)


RULES = (
    Rule(
        "2-response-media-type",
        "every A2A answer has the media type application/a2a+json",
        _is_a2a_answer,
        _judge,
    ),
)
