"""§6: a 429 is no A2A error, and says when to try again.

Judged when seen, never provoked by flooding. `Retry-After` is a number of seconds or an HTTP date
(RFC 9110 §10.2.3). §6 speaks of limits on a personal agent: a limit that a request without good
credentials meets is the network's, so that a missing header only warns there.

| 429 of                                              | no A2A body | Retry-After        |
|-----------------------------------------------------|-------------|--------------------|
| an operation, unrouted, with a good token           | judged      | judged             |
| the same without one                                | judged      | missing: warned    |
| OAuth: slow_down and other errors of OAuth's        | no: 6-oauth | no: RFC 8628 §3.5  |
|                                                     | -no-envelope| says when          |
|   anything else                                     | likewise    | as for operations  |
| card, metadata, jwks, other                         | no          | no                 |
"""

import re
from email.utils import parsedate_to_datetime

from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.rules.kinds import (
    OPERATIONS_OF_SUBJECT,
    has_a2a_body,
    is_known,
    status_of,
)
from pact_conformance.journal.rules.rule import Finding, Rule

_SECONDS = re.compile(r"[0-9]{1,10}")
_DATE = re.compile(r"[A-Za-z]{3,9}, .*GMT|[A-Z][a-z]{2} .*[0-9]{4}")


def _is_limited(exchange: Exchange) -> bool:
    return status_of(exchange) == 429 and exchange.operation in OPERATIONS_OF_SUBJECT


def _may_have_a2a_body(exchange: Exchange) -> bool:
    return _is_limited(exchange) and exchange.operation != "oauth"


def _says_when(exchange: Exchange) -> bool:
    return _is_limited(exchange) and not _is_oauth_error(exchange)


def _is_oauth_error(exchange: Exchange) -> bool:
    """Say whether it is an OAuth error of an OAuth endpoint: a poll that came too soon is one."""
    body = exchange.answer.json if exchange.answer else None
    is_error = isinstance(body, dict) and isinstance(body.get("error"), str)
    return exchange.operation == "oauth" and is_error


def _judge_body(exchange: Exchange) -> Finding | None:
    if not has_a2a_body(exchange):
        return None
    return Finding("failed", "any body or none, but not one of A2A's", "429 with an A2A body")


def _judge_retry_after(exchange: Exchange) -> Finding | None:
    value = exchange.answer.header("retry-after") if exchange.answer else None
    if value is not None and (_SECONDS.fullmatch(value.strip()) or _is_date(value.strip())):
        return None
    got = "no Retry-After" if value is None else "a Retry-After that is neither"
    return Finding(
        "failed" if is_known(exchange) else "warned",
        "Retry-After with a number of seconds or an HTTP date",
        got,
    )


def _is_date(value: str) -> bool:
    try:
        parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return False
    return _DATE.fullmatch(value) is not None


RULES = (
    Rule("6-429-no-envelope", "no 429 has an A2A body", _may_have_a2a_body, _judge_body),
    Rule(
        "6-429-retry-after",
        "every 429 says when to try again",
        _says_when,
        _judge_retry_after,
    ),
)
