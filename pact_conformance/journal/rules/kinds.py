"""Which kind of answer an exchange shows: the distinctions that several rules share.

The same status means different things at different places:

| operation               | status               | what it is                                    |
|-------------------------|----------------------|-----------------------------------------------|
| an A2A operation        | 400 403 409 422 500  | an A2A error, with or without its envelope    |
|                         | 404                  | an A2A error if it has an envelope, else a    |
|                         |                      | route that is missing: for its own check      |
|                         | 401 405 429          | never an A2A error (§6)                       |
|                         | 408 411 413 414 415  | HTTP's own, or a gateway's; an A2A error only |
|                         | 431 502 503 504 …    | if a reason says so                           |
| unmatched, unknown      | 404 405              | never an A2A error (§2.1, §2.2)               |
| Brand                   |                      |                                               |
| oauth                   | any                  | OAuth's (RFC 6749 §5, RFC 8628 §3)            |
| card, metadata, jwks    | any                  | no A2A answer                                 |
| other                   | any                  | not the subject's                             |
"""

from collections.abc import Iterable

from pact_conformance.journal.exchange import Exchange
from pact_conformance.journal.json_value import NOT_JSON
from pact_conformance.wire.errors import A2AError, is_a2a_body, read_envelope
from pact_conformance.wire.media_types import essence

A2A_OPERATIONS = frozenset(
    {
        "message:send",
        "message:stream",
        "tasks",
        "tasks/{id}",
        "tasks/{id}:cancel",
        "tasks/{id}:subscribe",
        "push-config",
        "extended-card",
    }
)
"""Operations of A2A, asked for at a Brand that exists."""

UNROUTED = frozenset({"unmatched", "unknown-brand"})
"""Requests that name no A2A operation, or one of a Brand that does not exist."""

OPERATIONS_OF_SUBJECT = A2A_OPERATIONS | UNROUTED | {"unknown-brand-card", "oauth"}
"""Where the Provider answers as PACT's server, the public documents aside."""

NEVER_A2A = frozenset({401, 405, 429})
"""Statuses that §6 says are no A2A errors."""

GATEWAY = frozenset({502, 503, 504, *range(520, 531)})
"""What a gateway answers when the Provider behind it does not; 52x is what a large one made up."""

_OF_THE_OPERATION = frozenset({400, 403, 404, 409, 422, 500, 501})
"""Statuses that an operation itself answers with; others may come from before it."""


def status_of(exchange: Exchange) -> int:
    """Return the answer's status; 0 if there is no answer."""
    return 0 if exchange.answer is None else exchange.answer.status


def has_a2a_body(exchange: Exchange) -> bool:
    """Say whether the answer's body is one of A2A's."""
    return exchange.answer is not None and is_a2a_body(exchange.answer.json)


def a2a_error(exchange: Exchange) -> A2AError | None:
    """Return the A2A error that an A2A operation answered with, if it did.

    Gateways of some clouds write their own errors in the same envelope, but without a reason.
    """
    answer = exchange.answer
    if answer is None or exchange.operation not in A2A_OPERATIONS or answer.status in NEVER_A2A:
        return None
    error = read_envelope(answer.json)
    if error is not None and answer.status not in _OF_THE_OPERATION and error.reason is None:
        return None
    return error


def is_known(exchange: Exchange) -> bool:
    """Say whether the request came with a good token, its own or somebody else's."""
    return exchange.credentials in {"good", "other"}


def is_delegated(exchange: Exchange) -> bool:
    """Say whether the request came with a delegation header, whatever is in it (§5.5)."""
    return exchange.sent.header("x-a2a-user-delegation") is not None


def may_be_delegated(exchange: Exchange) -> bool:
    """Say whether no delegation token of the request is known to be bad: a good one, or none."""
    return exchange.delegation in {"good", "none"}


def told(exchange: Exchange) -> str:
    """Describe status and body in words that are equal for equal causes."""
    answer = exchange.answer
    if answer is None:
        return "no answer"
    return f"{answer.status} with {_body(exchange)}"


def _body(exchange: Exchange) -> str:
    answer = exchange.answer
    if answer is None or not answer.body:
        return "an empty body"
    value = answer.json
    if value is NOT_JSON:
        return f"a body of type {essence(answer.header('content-type')) or 'unknown'}"
    if not isinstance(value, dict):
        return "JSON that is no object"
    for members, name in _SHAPES:
        if members <= value.keys():
            return name
    if isinstance(value.get("error"), dict):
        return f"an error that has only {_names(value['error'].keys())}"
    return f"an object of {_names(value.keys())}"


_SHAPES = (
    ({"jsonrpc"}, "JSON-RPC's error"),
    ({"type", "title"}, "problem+json (RFC 9457)"),
    ({"detail"}, "the error of a framework"),
)


def _names(members: Iterable[str]) -> str:
    names = sorted(members)
    shown = ", ".join(names[:5]) or "nothing"
    return f"{shown} …" if len(names) > 5 else shown
