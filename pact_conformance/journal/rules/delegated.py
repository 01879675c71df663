"""§5.5 and §6: where delegated authority is answered without A2A's forms (profile Delegated).

| answer                                              | judged                                |
|-----------------------------------------------------|---------------------------------------|
| 401 to a request with a delegation header           | no A2A body                           |
| any answer of an OAuth endpoint                     | no A2A body, whatever its status      |
| any other answer to a request with such a header    | no: as without one, by other rules    |

Legal and free: an empty 401; OAuth's JSON or a framework's; any status of OAuth (RFC 6749 §5.2, RFC
8628 §3.5). The rules of §3.4, 405 and 429 leave to these what these name.
"""

from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.rules.kinds import (
    OPERATIONS_OF_SUBJECT,
    has_a2a_body,
    is_delegated,
    status_of,
)
from pact_conformance.journal.rules.rule import Finding, Rule

_NO_BODY = "any body or none, but not one of A2A's"


def _is_refused(exchange: Exchange) -> bool:
    is_401 = status_of(exchange) == 401 and exchange.operation in OPERATIONS_OF_SUBJECT
    return is_401 and is_delegated(exchange) and exchange.operation != "oauth"


def _is_oauth(exchange: Exchange) -> bool:
    return exchange.operation == "oauth" and exchange.answer is not None


def _judge(exchange: Exchange) -> Finding | None:
    if not has_a2a_body(exchange):
        return None
    return Finding("failed", _NO_BODY, f"{status_of(exchange)} with an A2A body")


RULES = (
    Rule(
        "5.5-no-a2a-body",
        "no 401 to a request with a delegation token has an A2A body",
        _is_refused,
        _judge,
    ),
    Rule(
        "6-oauth-no-envelope", "no answer of an OAuth endpoint is one of A2A's", _is_oauth, _judge
    ),
)
