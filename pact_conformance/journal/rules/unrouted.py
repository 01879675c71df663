"""§2.1, §2.2 and §6: what names no Brand and no operation gets 404 or 405 without an A2A body.

| request                        | answer      | judged                                            |
|--------------------------------|-------------|---------------------------------------------------|
| card of an unknown Brand       | 404         | no A2A body; empty, HTML and other JSON are free  |
|                                | other       | no: `2.1-unknown-brand` names it                  |
| unmatched route, wrong method, | 404         | no A2A body                                       |
| operation at an unknown Brand  | 405         | no A2A body, by `6-405-no-envelope` alone         |
|                                | 401, other  | no: a check or another rule names it              |
| operation at a known Brand     | 405         | no A2A body                                       |
|                                | 404         | no: it may well be TASK_NOT_FOUND                 |
| an OAuth endpoint              | any         | no: `6-oauth-no-envelope` names it                |

A Provider that answers every wrong method with 404 has no 405 to show: it was asked, so the rule
about 405 holds.
"""

from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.rules.kinds import (
    OPERATIONS_OF_SUBJECT,
    UNROUTED,
    has_a2a_body,
    status_of,
)
from pact_conformance.journal.rules.rule import Finding, Rule

_MAY_BE_405 = OPERATIONS_OF_SUBJECT - {"oauth"}
_NO_BODY = "any body or none, but not one of A2A's"


def _found(exchange: Exchange) -> Finding | None:
    if not has_a2a_body(exchange):
        return None
    return Finding("failed", _NO_BODY, f"{status_of(exchange)} with an A2A body")


def _is_unknown_card(exchange: Exchange) -> bool:
    return exchange.operation == "unknown-brand-card" and status_of(exchange) == 404


def _is_unrouted(exchange: Exchange) -> bool:
    return exchange.operation in UNROUTED and status_of(exchange) in {404, 405}


def _judge_unrouted(exchange: Exchange) -> Finding | None:
    return _found(exchange) if status_of(exchange) == 404 else None


def _may_be_405(exchange: Exchange) -> bool:
    if status_of(exchange) == 405:
        return exchange.operation in _MAY_BE_405
    return exchange.operation == "unmatched" and status_of(exchange) == 404


def _judge_405(exchange: Exchange) -> Finding | None:
    return _found(exchange) if status_of(exchange) == 405 else None


RULES = (
    Rule(
        "2.1-unknown-brand-no-a2a-body",
        "the 404 for the card of an unknown Brand has no A2A body",
        _is_unknown_card,
        _found,
    ),
    Rule(
        "2.2-unmatched-no-a2a-body",
        "the 404 of an unmatched route or an unknown Brand has no A2A body",
        _is_unrouted,
        _judge_unrouted,
    ),
    Rule("6-405-no-envelope", "no 405 has an A2A body", _may_be_405, _judge_405),
)
