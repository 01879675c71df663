"""§3.4: every authentication failure is a 401 with `WWW-Authenticate: Bearer realm="a2a"`.

| 401 of                             | challenge | extra parameters | no A2A body            |
|------------------------------------|-----------|------------------|------------------------|
| an A2A operation                   | judged    | judged           | judged                 |
| unmatched route, unknown Brand     | judged    | judged           | judged                 |
|   each with a delegation header    |           |                  |                        |
|   and a bad token of the agent     | judged    | no: their check  | no: 5.5-no-a2a-body    |
|   and a good one                   | no: 5.5-challenge            | no: 5.5-no-a2a-body    |
| oauth, no token or a bad one       | judged    | judged           | no: 6-oauth-no-envelope|
| oauth, good token (invalid_client) | no        | no               | no: 6-oauth-no-envelope|
| the card, which needs no token     | no: its check says so        | judged                 |
| metadata, jwks, other              | no        | no               | no                     |

Legal and free: several challenges, in one header line or more; parameters in any order, spacing
and case of names; the realm quoted or not; any body that is not A2A's, OAuth's JSON included.
"""

from pact_conformance.journal.challenges import (
    Challenge,
    MalformedChallenge,
    read_challenges,
)
from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.rules.kinds import (
    OPERATIONS_OF_SUBJECT,
    has_a2a_body,
    is_delegated,
    is_known,
    status_of,
)
from pact_conformance.journal.rules.rule import Finding, Rule

REALM = "a2a"
_JUDGED_BY_BODY = (OPERATIONS_OF_SUBJECT | {"card"}) - {"oauth"}
_EXPECTED = 'WWW-Authenticate: Bearer realm="a2a"'


def _is_refused(exchange: Exchange) -> bool:
    """Say whether it is a 401 to the personal agent's token, or to the lack of one."""
    if status_of(exchange) != 401 or exchange.operation not in OPERATIONS_OF_SUBJECT:
        return False
    may_be_for_other_reasons = exchange.operation == "oauth" or is_delegated(exchange)
    return not (may_be_for_other_reasons and is_known(exchange))


def _is_refused_without_delegation(exchange: Exchange) -> bool:
    return _is_refused(exchange) and not is_delegated(exchange)


def _is_any_401(exchange: Exchange) -> bool:
    if status_of(exchange) != 401 or is_delegated(exchange):
        return False
    return exchange.operation in _JUDGED_BY_BODY


def _challenges(exchange: Exchange) -> tuple[Challenge, ...]:
    answer = exchange.answer
    return read_challenges(", ".join(answer.all("www-authenticate"))) if answer else ()


def _bearer(challenges: tuple[Challenge, ...]) -> Challenge | None:
    """Return the challenge of PACT among others, or the nearest thing to it."""
    bearers = [it for it in challenges if it.scheme.lower() == "bearer"]
    ours = [it for it in bearers if it.get("realm") == REALM]
    return next(iter(ours or bearers), None)


def _judge_challenge(exchange: Exchange) -> Finding | None:
    if exchange.answer is None or not exchange.answer.all("www-authenticate"):
        return Finding("failed", _EXPECTED, "a 401 without WWW-Authenticate")
    try:
        challenges = _challenges(exchange)
    except MalformedChallenge as error:
        return Finding("failed", _EXPECTED, f"a challenge against RFC 9110 §11: {error}")
    bearer = _bearer(challenges)
    if bearer is None:
        schemes = ", ".join(it.scheme for it in challenges) or "none"
        return Finding("failed", _EXPECTED, f"no challenge of scheme Bearer, but {schemes}")
    realm = bearer.get("realm")
    if realm != REALM:
        got = "no realm" if realm is None else f"the realm {realm!r}"
        return Finding("failed", _EXPECTED, got)
    if bearer.scheme != "Bearer":
        return Finding("note", _EXPECTED, f"the scheme is spelt {bearer.scheme}")
    return None


def _judge_extra(exchange: Exchange) -> Finding | None:
    try:
        challenges = _challenges(exchange)
    except MalformedChallenge:
        return None  # 3.4-challenge names it
    bearer = _bearer(challenges)
    if bearer is None:
        return None
    names = sorted(name for name, _ in bearer.parameters if name != "realm")
    if names:
        return Finding("warned", _EXPECTED, f"further parameters: {', '.join(names)}")
    if len(challenges) > 1:
        others = sorted({it.scheme for it in challenges if it is not bearer})
        return Finding("note", _EXPECTED, f"further challenges: {', '.join(others)}")
    return None


def _judge_body(exchange: Exchange) -> Finding | None:
    if not has_a2a_body(exchange):
        return None
    return Finding("failed", "any body or none, but not one of A2A's", "401 with an A2A body")


RULES = (
    Rule(
        "3.4-challenge",
        "every 401 carries the challenge Bearer with the realm a2a",
        _is_refused,
        _judge_challenge,
    ),
    Rule(
        "3.4-no-extra-parameters",
        "the challenge of a failed token has no parameter beside the realm",
        _is_refused_without_delegation,
        _judge_extra,
    ),
    Rule("3.4-no-a2a-body", "no 401 has an A2A body", _is_any_401, _judge_body),
)
