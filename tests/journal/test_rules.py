"""Rules say what they found, and fold it into one outcome each."""

import pytest

from pact_conformance.catalogue import load
from pact_conformance.journal.exchange import Exchange, Failure
from pact_conformance.journal.rules import ALL, Finding, fold, fold_all
from pact_conformance.wire.errors import envelope

from .exchanges import HTML, REPLY, blamed, detail, exchange, noted, unauthorized


@pytest.mark.parametrize(
    ("one", "rule", "words"),
    [
        (unauthorized('bearer realm="a2a"'), "3.4-challenge", "spelt bearer"),
        (unauthorized('Bearer realm="a2a", Basic'), "3.4-no-extra-parameters", "Basic"),
        (exchange("message:send", 400, detail(reason="TOO_LONG")), "6-table", "TOO_LONG"),
    ],
)
def test_what_is_unusual_but_no_fault_is_noted(one: Exchange, rule: str, words: str) -> None:
    assert blamed(one) == {}
    assert words in noted(one)[rule]


@pytest.mark.parametrize(
    ("reason", "http", "status"),
    [
        ("CONTENT_TYPE_NOT_SUPPORTED", 415, "INVALID_ARGUMENT"),
        ("UNSUPPORTED_OPERATION", 400, "UNIMPLEMENTED"),
        ("TASK_NOT_CANCELABLE", 409, "FAILED_PRECONDITION"),
        ("INVALID_AGENT_RESPONSE", 502, "INTERNAL"),
    ],
)
def test_the_mapping_of_a2a_1_0_0_is_called_by_its_name(
    reason: str, http: int, status: str
) -> None:
    body = envelope(reason, "m", http=http, status=status)
    (rule,) = (it for it in ALL if it.requirement == "6-table")
    (cause,) = fold(rule, [exchange("message:send", http, body)]).causes

    assert "mapping of A2A 1.0.0; PACT takes 1.0.1's" in cause.finding.got


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "400 with an empty body"),
        (HTML, "400 with a body of type text/html"),
        ([], "400 with JSON that is no object"),
        ({"type": "x", "title": "y"}, "400 with problem+json (RFC 9457)"),
        ({"jsonrpc": "2.0", "error": {}}, "400 with JSON-RPC's error"),
        ({"detail": []}, "400 with the error of a framework"),
        ({"error": {"message": "x"}}, "400 with an error that has only message"),
        ({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}, "400 with an object of a, b, c, d, e …"),
    ],
)
def test_a_body_that_is_no_envelope_is_described(body: object, words: str) -> None:
    (rule,) = (it for it in ALL if it.requirement == "6-envelope")
    (cause,) = fold(rule, [exchange("message:send", 400, body, media_type="text/html")]).causes

    assert cause.finding.got == words


def test_rules_are_those_of_the_catalogue() -> None:
    ours = {
        it.id
        for it in load().requirements.values()
        if it.rule and it.role == "provider" and not it.planned
    }

    assert {rule.requirement for rule in ALL} == ours


def test_what_was_not_answered_is_judged_by_no_rule() -> None:
    unanswered = Exchange(
        **{**vars(exchange("message:send", 500)), "answer": None, "failure": Failure("closed", "x")}
    )

    assert {it.verdict for it in fold_all(ALL, [unanswered])} == {"untested"}


def test_findings_fold_into_causes_worst_first() -> None:
    silent = exchange("message:send", 401)
    spelt = unauthorized('bearer realm="a2a"')
    (rule,) = (it for it in ALL if it.requirement == "3.4-challenge")
    outcome = fold(rule, [spelt, *[silent] * 7, unauthorized('Bearer realm="a2a"')])

    assert (outcome.verdict, outcome.applied) == ("failed", 9)
    assert [(it.finding.verdict, it.count, len(it.exchanges)) for it in outcome.causes] == [
        ("failed", 7, 5),
        ("note", 1, 1),
    ]


def test_a_note_changes_no_verdict() -> None:
    (rule,) = (it for it in ALL if it.requirement == "3.4-challenge")
    outcome = fold(rule, [unauthorized('bearer realm="a2a"')])

    assert outcome.verdict == "passed"
    assert [it.finding for it in outcome.causes] == [
        Finding("note", 'WWW-Authenticate: Bearer realm="a2a"', "the scheme is spelt bearer")
    ]


def test_a_rule_that_applied_to_nothing_is_untested() -> None:
    (rule,) = (it for it in ALL if it.requirement == "6-429-retry-after")

    assert fold(rule, [exchange("message:send", 200, REPLY)]).verdict == "untested"
    assert fold(rule, []).verdict == "untested"
