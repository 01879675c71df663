"""§6: no bad input is answered with a 5xx, and gateways speak A2A as well.

| exchange                                          | 500, 505 …   | 502-504, 52x | 501          |
|---------------------------------------------------|--------------|--------------|--------------|
| bad message, token, page size, id, Brand or route | failed       | bare: warned | other rules  |
| a good message: the Brand's agent may fail        | no           | bare: warned | other rules  |
| `GET tasks` with nothing wrong in it              | no           | bare: warned | other rules  |
| the suite made the subject fail                   | no           | no           | other rules  |

A 5xx with a reason that belongs to another status is named by `6-table`. A 501 is left to
`6-envelope` or `6-table`, for it says that an operation is missing, not that it broke.
"""

from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.rules.bad_input import is_refusal_due
from pact_conformance.journal.rules.kinds import (
    A2A_OPERATIONS,
    GATEWAY,
    a2a_error,
    status_of,
    told,
)
from pact_conformance.journal.rules.rule import Finding, Rule
from pact_conformance.wire.errors import A2A_MAPPING, MAPPING

_NOT_IMPLEMENTED = 501


def is_fault_of_server(exchange: Exchange) -> bool:
    """Say whether a 5xx stands where a refusal was due, and no other rule names it."""
    status = status_of(exchange)
    if status < 500 or status == _NOT_IMPLEMENTED or not is_refusal_due(exchange):
        return False
    error = a2a_error(exchange)
    if error is None:
        return status not in GATEWAY
    pair = MAPPING.get(error.reason or "") or A2A_MAPPING.get(error.reason or "")
    return pair is None or pair.http == status


def _judge_client_error(exchange: Exchange) -> Finding | None:
    if not is_fault_of_server(exchange):
        return None
    return Finding("failed", f"a 4xx, or service, at {exchange.operation}", told(exchange))


def _may_be_gateway(exchange: Exchange) -> bool:
    answered = exchange.answer is not None and not exchange.caused
    return answered and exchange.operation in A2A_OPERATIONS


def _judge_gateway(exchange: Exchange) -> Finding | None:
    if status_of(exchange) not in GATEWAY or a2a_error(exchange):
        return None
    return Finding("warned", "an A2A error in its envelope", told(exchange))


RULES = (
    Rule(
        "6-client-errors",
        "no bad input is answered with a 5xx",
        is_refusal_due,
        _judge_client_error,
    ),
    Rule(
        "6-gateway",
        "no gateway answers without an A2A error",
        _may_be_gateway,
        _judge_gateway,
    ),
)
