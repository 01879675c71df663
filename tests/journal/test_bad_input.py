"""Which requests show by themselves that they have to be refused."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import pytest

from pact_conformance.journal.exchange import Credentials, Exchange, Header, Operation
from pact_conformance.journal.rules.bad_input import is_refusal_due

from .exchanges import DEVICE_FORM, FORM_TYPE, HELLO, POLL_FORM, exchange, oauth

GOOD: dict[str, Any] = {"messageId": "m-1", "role": "ROLE_USER", "parts": [{"text": "Hello"}]}


def message(changes: Mapping[str, object]) -> str:
    """A request whose message has members changed; None takes one out."""
    changed = {name: it for name, it in {**GOOD, **changes}.items() if it is not None}
    return json.dumps({"message": changed})


def send(body: str | None, *headers: Header, operation: Operation = "message:send") -> Exchange:
    return exchange(operation, 500, sent=body, sent_headers=headers)


@pytest.mark.parametrize("operation", ["message:send", "message:stream"])
@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("A2A-Version", "1.0"),),
        (("Content-Type", "application/json"),),
        (("Content-Type", "application/a2a+json; charset=utf-8"),),
    ],
)
def test_a_good_message_may_be_served(operation: Operation, headers: tuple[Header, ...]) -> None:
    assert not is_refusal_due(send(HELLO, *headers, operation=operation))


@pytest.mark.parametrize(
    "header", [("A2A-Version", "9.9"), ("A2A-Version", ""), ("Content-Type", "text/plain")]
)
def test_a_message_with_another_header_may_have_to_be_refused(header: Header) -> None:
    assert is_refusal_due(send(HELLO, header))


@pytest.mark.parametrize(
    "changes",
    [
        {"role": "ROLE_AGENT"},
        {"role": None},
        {"messageId": None},
        {"messageId": ""},
        {"messageId": 1},
        {"messageId": ["m"]},
        {"taskId": "t"},
        {"parts": None},
        {"parts": []},
        {"parts": {"text": "Hello"}},
        {"parts": ["Hello"]},
        {"parts": [{"text": "\u2003"}]},
        {"parts": [{"text": "Hello"}, {"text": ""}]},
        {"parts": [{"text": "Hello", "data": {}}]},
        {"parts": [{"text": 1}]},
    ],
)
def test_a_message_against_the_rules_has_to_be_refused(changes: Mapping[str, object]) -> None:
    assert is_refusal_due(send(message(changes)))


@pytest.mark.parametrize("body", [None, "", "{", "[]", '"message"', "{}", '{"message": []}'])
def test_so_has_what_is_no_message(body: str | None) -> None:
    assert is_refusal_due(send(body))


@pytest.mark.parametrize(
    ("query", "due"),
    [
        ("", False),
        ("?pageSize=1", False),
        ("?pageSize=100", False),
        ("?pageSize=0", True),
        ("?pageSize=101", True),
        ("?pageSize=", True),
        ("?pageSize=-1", True),
        ("?pageSize=1000000", True),
        ("?pageSize=00010", False),
        ("?pageSize=50&pageSize=101", True),
        ("?pageSize=" + quote("\u0665"), True),
        ("?other=0", False),
    ],
)
def test_a_page_has_one_to_a_hundred_tasks(query: str, *, due: bool) -> None:
    one = exchange("tasks", 500, method="GET", url=f"https://p/a2a/b/tasks{query}", sent=None)

    assert is_refusal_due(one) is due


@pytest.mark.parametrize(
    ("form", "due"),
    [
        (DEVICE_FORM, False),
        (POLL_FORM, False),
        ("grant_type=refresh_token&refresh_token=x", False),
        ("grant_type=&refresh_token=x", True),
        ("grant_type=password", True),
        (f"{POLL_FORM}&grant_type=refresh_token", True),
        ("", True),
    ],
)
def test_a_form_has_one_of_the_two_grants_or_none(form: str, *, due: bool) -> None:
    assert is_refusal_due(oauth(500, sent=form)) is due


def test_a_form_is_of_the_type_of_forms() -> None:
    assert is_refusal_due(oauth(500, sent=POLL_FORM, sent_headers=()))
    assert not is_refusal_due(oauth(500, sent=POLL_FORM, sent_headers=FORM_TYPE))


@pytest.mark.parametrize(
    ("operation", "due"),
    [
        ("extended-card", False),
        ("tasks/{id}", True),
        ("tasks/{id}:cancel", True),
        ("push-config", True),
        ("unmatched", True),
        ("unknown-brand", True),
        ("metadata", False),
        ("jwks", False),
        ("other", False),
    ],
)
def test_other_operations_are_refused_unless_they_may_be_declared(
    operation: Operation, *, due: bool
) -> None:
    assert is_refusal_due(exchange(operation, 500)) is due


@pytest.mark.parametrize(
    ("credentials", "due"), [("good", False), ("other", False), ("forged", True), ("none", True)]
)
def test_without_a_good_token_everything_is_refused(credentials: Credentials, *, due: bool) -> None:
    assert is_refusal_due(exchange("message:send", 500, sent=HELLO, credentials=credentials)) is due


def test_the_card_is_served_to_whoever_asks_without_a_token() -> None:
    assert not is_refusal_due(exchange("card", 500, credentials="none"))
    assert is_refusal_due(exchange("card", 500, credentials="forged"))


def test_a_forged_delegation_token_is_refused_whatever_the_message_is() -> None:
    assert is_refusal_due(exchange("message:send", 500, sent=HELLO, delegation="forged"))
    assert not is_refusal_due(exchange("message:send", 500, sent=HELLO, delegation="good"))


def test_what_the_suite_made_fail_is_nobodys() -> None:
    assert not is_refusal_due(exchange("message:send", 500, caused=True))
