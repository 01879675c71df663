"""What a rule found is said with what was expected and what came, in words that lead on."""

import pytest

from pact_conformance.journal.exchange import Exchange, Operation
from pact_conformance.journal.rules import ALL, Finding, fold
from pact_conformance.wire.errors import envelope
from pact_conformance.wire.media_types import JSON

from .exchanges import (
    BAD_DELEGATION,
    CHALLENGE,
    HTML,
    INTERNAL,
    INVALID_PARAMS,
    NOT_FOUND,
    REPLY,
    delegated,
    detail,
    error,
    exchange,
    oauth,
    unauthorized,
)

RULES = {rule.requirement: rule for rule in ALL}

NO_A2A_BODY = "any body or none, but not one of A2A's"
CHALLENGED = 'WWW-Authenticate: Bearer realm="a2a"'
ENVELOPE = "an object `error` with code, status, message and details"
FIRST = "details[0] is an ErrorInfo with reason and the domain a2a-protocol.org"
WHEN = "Retry-After with a number of seconds or an HTTP date"
OF_1_0_0 = "this is the mapping of A2A 1.0.0; PACT takes 1.0.1's"


def found(rule: str, one: Exchange) -> list[Finding]:
    return [cause.finding for cause in fold(RULES[rule], [one]).causes]


def sent_back(status: int, body: object, **parts: object) -> Exchange:
    return exchange("message:send", status, body, **parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "one", "expected", "got"),
    [
        (
            "2-response-media-type",
            sent_back(200, REPLY, media_type=JSON),
            "application/a2a+json on the result of message:send",
            "application/json, which A2A 1.0.0 used; PACT takes the type of 1.0.1",
        ),
        (
            "2-response-media-type",
            exchange("tasks/{id}", 404, NOT_FOUND, media_type="text/plain"),
            "application/a2a+json on the error of tasks/{id}",
            "text/plain",
        ),
        (
            "2-response-media-type",
            exchange("tasks", 200, "{}"),
            "application/a2a+json on the result of tasks",
            "no Content-Type",
        ),
        (
            "2.1-unknown-brand-no-a2a-body",
            exchange("unknown-brand-card", 404, NOT_FOUND),
            NO_A2A_BODY,
            "404 with an A2A body",
        ),
        (
            "2.2-unmatched-no-a2a-body",
            exchange("unmatched", 404, NOT_FOUND),
            NO_A2A_BODY,
            "404 with an A2A body",
        ),
        (
            "6-405-no-envelope",
            exchange("tasks", 405, INVALID_PARAMS),
            NO_A2A_BODY,
            "405 with an A2A body",
        ),
        (
            "3.4-no-a2a-body",
            unauthorized('Bearer realm="a2a"', body=INVALID_PARAMS),
            NO_A2A_BODY,
            "401 with an A2A body",
        ),
        ("3.4-challenge", sent_back(401, ""), CHALLENGED, "a 401 without WWW-Authenticate"),
        (
            "3.4-challenge",
            unauthorized('Basic realm="x", DPoP'),
            CHALLENGED,
            "no challenge of scheme Bearer, but Basic, DPoP",
        ),
        ("3.4-challenge", unauthorized(","), CHALLENGED, "no challenge of scheme Bearer, but none"),
        ("3.4-challenge", unauthorized("Bearer"), CHALLENGED, "no realm"),
        ("3.4-challenge", unauthorized('Bearer realm="b"'), CHALLENGED, "the realm 'b'"),
        (
            "5.5-no-a2a-body",
            delegated("message:send", 401, INVALID_PARAMS, BAD_DELEGATION),
            NO_A2A_BODY,
            "401 with an A2A body",
        ),
        ("6-oauth-no-envelope", oauth(400, INVALID_PARAMS), NO_A2A_BODY, "400 with an A2A body"),
        (
            "6-429-no-envelope",
            sent_back(429, INVALID_PARAMS),
            NO_A2A_BODY,
            "429 with an A2A body",
        ),
        ("6-429-retry-after", sent_back(429, ""), WHEN, "no Retry-After"),
        (
            "6-429-retry-after",
            exchange("message:send", 429, "", ("Retry-After", "soon")),
            WHEN,
            "a Retry-After that is neither",
        ),
        ("6-envelope", sent_back(400, {}), ENVELOPE, "400 with an object of nothing"),
        ("6-envelope", sent_back(400, HTML), ENVELOPE, "400 with a body of type unknown"),
        (
            "6-envelope",
            sent_back(400, error(message=None, status=None)),
            ENVELOPE,
            "error: message is missing; error: status is missing",
        ),
        ("6-code", sent_back(400, error(code=404)), "code 400, the HTTP status", "code 404"),
        (
            "6-code",
            sent_back(400, error(code="400")),
            "code 400, the HTTP status",
            "a code that is missing or no number",
        ),
        (
            "6-reason-first",
            sent_back(400, error(details=[{"@type": "x"}, *INVALID_PARAMS["error"]["details"]])),
            FIRST,
            "the reason stands in details[1]",
        ),
        (
            "6-reason-first",
            sent_back(400, detail(reason=None)),
            FIRST,
            "no reason in any detail",
        ),
        (
            "6-reason-first",
            sent_back(400, detail(domain="b.example")),
            FIRST,
            "the domain is 'b.example'",
        ),
        (
            "6-reason-first",
            sent_back(400, detail(**{"@type": "type.example/Other"})),
            FIRST,
            "the reason stands in a type.example/Other",
        ),
        (
            "6-table",
            sent_back(404, envelope("INVALID_PARAMS", "m", http=404)),
            "INVALID_PARAMS with 400 and INVALID_ARGUMENT",
            "INVALID_PARAMS with 404 and INVALID_ARGUMENT",
        ),
        (
            "6-table",
            sent_back(
                409,
                envelope("TASK_NOT_CANCELABLE", "m", http=409, status="FAILED_PRECONDITION"),
            ),
            "TASK_NOT_CANCELABLE with 400 and FAILED_PRECONDITION",
            f"TASK_NOT_CANCELABLE with 409 and FAILED_PRECONDITION: {OF_1_0_0}",
        ),
        (
            "6-client-errors",
            sent_back(500, INTERNAL),
            "a 4xx, or service, at message:send",
            "500 with an error that has only code, details, message, status",
        ),
    ],
)
def test_what_fails_is_said(rule: str, one: Exchange, expected: str, got: str) -> None:
    assert found(rule, one) == [Finding("failed", expected, got)]


@pytest.mark.parametrize(
    ("rule", "one", "finding"),
    [
        (
            "3.4-no-extra-parameters",
            unauthorized('Bearer realm="a2a", scope="s", error="x"'),
            Finding("warned", CHALLENGED, "further parameters: error, scope"),
        ),
        (
            "6-gateway",
            sent_back(502, HTML, media_type="text/html"),
            Finding("warned", "an A2A error in its envelope", "502 with a body of type text/html"),
        ),
        (
            "6-429-retry-after",
            sent_back(429, "", credentials="forged"),
            Finding("warned", WHEN, "no Retry-After"),
        ),
        (
            "3.4-no-extra-parameters",
            unauthorized('Bearer realm="a2a", DPoP, Basic'),
            Finding("note", CHALLENGED, "further challenges: Basic, DPoP"),
        ),
        (
            "3.4-challenge",
            unauthorized('BEARER realm="a2a"'),
            Finding("note", CHALLENGED, "the scheme is spelt BEARER"),
        ),
        (
            "6-table",
            sent_back(400, detail(reason="TOO_LONG")),
            Finding("note", "a reason of PACT §6 or of A2A 1.0.1", "the reason 'TOO_LONG'"),
        ),
    ],
)
def test_what_warns_or_is_noted_is_said_likewise(
    rule: str, one: Exchange, finding: Finding
) -> None:
    assert found(rule, one) == [finding]


def test_a_challenge_that_cannot_be_read_is_told_with_its_standard() -> None:
    (finding,) = found("3.4-challenge", unauthorized('Bearer realm="a2a'))

    assert (finding.verdict, finding.expected) == ("failed", CHALLENGED)
    assert finding.got.startswith("a challenge against RFC 9110 §11: ")
    assert not finding.got.endswith("None")


def test_a_rule_that_applies_and_finds_nothing_passes() -> None:
    outcome = fold(RULES["2-response-media-type"], [sent_back(200, REPLY)])

    assert (outcome.verdict, outcome.causes, outcome.applied) == ("passed", (), 1)


@pytest.mark.parametrize(
    ("rule", "operation", "status", "applied"),
    [
        ("6-405-no-envelope", "unmatched", 405, 1),
        ("6-405-no-envelope", "unmatched", 404, 1),
        ("6-405-no-envelope", "unmatched", 400, 0),
        ("6-405-no-envelope", "tasks", 405, 1),
        ("6-405-no-envelope", "tasks", 404, 0),
        ("6-405-no-envelope", "oauth", 405, 0),
        ("2.2-unmatched-no-a2a-body", "unmatched", 404, 1),
        ("2.2-unmatched-no-a2a-body", "unmatched", 405, 1),
        ("2.2-unmatched-no-a2a-body", "unmatched", 406, 0),
        ("2.2-unmatched-no-a2a-body", "tasks", 404, 0),
        ("2-response-media-type", "tasks", 300, 0),
    ],
)
def test_a_route_that_is_none_may_get_either_status(
    rule: str, operation: Operation, status: int, applied: int
) -> None:
    one = exchange(operation, status, "{}")

    assert fold(RULES[rule], [one]).applied == applied


def test_one_challenge_is_no_further_one() -> None:
    assert found("3.4-no-extra-parameters", exchange("message:send", 401, "", CHALLENGE)) == []


def test_the_names_of_five_members_are_all_told() -> None:
    (finding,) = found("6-envelope", sent_back(400, dict.fromkeys("edcba", 1)))

    assert finding.got == "400 with an object of a, b, c, d, e"
