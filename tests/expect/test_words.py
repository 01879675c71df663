"""A deviation says what was expected and what came, in words that lead on."""

from collections.abc import Callable

import pytest

from pact_conformance import expect
from pact_conformance.journal.answer import Answer
from pact_conformance.tokens.delegation_forgeries import load_headers
from pact_conformance.verdicts import Deviation
from pact_conformance.wire.errors import envelope
from tests.subject.answers import answer

REFUSAL = 'WWW-Authenticate: Bearer realm="a2a", error="invalid_token"'
WITHIN = "pact.receipt with a text `jws` and an object `claims`"
AUTH_REQUIRED = "TASK_STATE_AUTH_REQUIRED"
TEXT = next(row for row in load_headers() if row.id == "text")
LAX = next(row for row in load_headers() if row.id == "bare-token")

Verb = Callable[[Answer], object]


def words(verb: Verb, given: Answer) -> tuple[str, str]:
    with pytest.raises(Deviation) as ended:
        verb(given)
    return ended.value.expected, ended.value.got


def challenged(*values: str) -> Answer:
    return answer(401, headers=[("WWW-Authenticate", it) for it in values])


def task(**members: object) -> dict[str, object]:
    return {"task": {"id": "t", "status": {"state": "TASK_STATE_WORKING"}, **members}}


def with_receipt(value: object) -> dict[str, object]:
    return {"message": {"messageId": "r", "metadata": {"pact.receipt": value}}}


@pytest.mark.parametrize(
    ("given", "got"),
    [
        (challenged(), "a 401 without WWW-Authenticate"),
        (challenged('Bearer realm="a2a"', "Basic"), 'Bearer realm="a2a", Basic'),
    ],
)
def test_of_a_bad_delegation_token_the_challenges_are_told(given: Answer, got: str) -> None:
    assert words(expect.bad_delegation, given) == (REFUSAL, got)


def test_a_challenge_that_cannot_be_read_is_told_with_its_standard() -> None:
    expected, got = words(expect.bad_delegation, challenged('Bearer realm="a2a'))

    assert expected == REFUSAL
    assert got.startswith("a challenge against RFC 9110 §11: ")
    assert len(got) > len("a challenge against RFC 9110 §11: None")


@pytest.mark.parametrize(
    ("body", "got"),
    [
        ({"message": {}}, "a Message"),
        ({"task": []}, "a task that is no object"),
        (task(), "a task in TASK_STATE_WORKING"),
        (task(status=None), "a task in None"),
        (task(id="", status={"state": AUTH_REQUIRED}), "a task without an id"),
    ],
)
def test_what_is_no_step_up_is_called_what_it_is(body: object, got: str) -> None:
    assert words(expect.step_up, answer(200, body)) == (f"a task in {AUTH_REQUIRED}", got)


@pytest.mark.parametrize(
    ("body", "expected", "got"),
    [
        ({"message": {}}, "pact.receipt in the metadata of the Message", "a Message without it"),
        (with_receipt("e.f.g"), WITHIN, "pact.receipt that is no object"),
        (with_receipt({}), WITHIN, "an object of nothing"),
        (with_receipt({"sub": 1, "jws": "e.f.g"}), WITHIN, "an object of jws, sub"),
    ],
)
def test_what_is_no_receipt_is_called_what_it_is(body: object, expected: str, got: str) -> None:
    assert words(expect.receipt, answer(200, body)) == (expected, got)


def test_a_receipt_too_many_is_told() -> None:
    given = answer(200, with_receipt({}))

    assert words(expect.no_receipt, given) == (
        "an answer without pact.receipt",
        "200 with a receipt",
    )


def test_service_as_without_the_header_is_told() -> None:
    assert words(lambda it: expect.header_fate(it, LAX), answer(200, {"message": {}})) == (
        "401, or service under delegation",
        "a reply without pact.receipt, as without the header",
    )
    refused, _ = words(lambda it: expect.header_fate(it, TEXT), answer(200, {"message": {}}))
    assert refused == "401, as for every authentication failure"


@pytest.mark.parametrize(
    ("status", "body", "codes", "expected", "got"),
    [
        (400, b"no", ("a", "b"), "the OAuth error a or b", "400 with no"),
        (400, b"no", (), "an OAuth error", "400 with no"),
        (400, {"error": "c"}, ("a", "b"), "the OAuth error a or b", "400 with the OAuth error c"),
        (
            403,
            {"error": "a"},
            ("a",),
            "the OAuth error a with 400, or 401 with invalid_client",
            "403 with the OAuth error a",
        ),
        (400, envelope("INTERNAL", "x"), ("a",), "the OAuth error a", "400 with INTERNAL"),
    ],
)
def test_what_is_no_oauth_error_is_called_what_it_is(
    status: int, body: object, codes: tuple[str, ...], expected: str, got: str
) -> None:
    given = answer(status, body)

    assert words(lambda it: expect.oauth_error(it, *codes), given) == (expected, got)


@pytest.mark.parametrize(
    ("verb", "name", "members"),
    [
        (
            expect.device_response,
            "a device authorization response",
            {"device_code", "user_code", "verification_uri", "expires_in"},
        ),
        (expect.token_response, "a token response", {"access_token", "token_type"}),
    ],
)
def test_what_is_no_response_of_oauths_is_called_what_it_is(
    verb: Verb, name: str, members: set[str]
) -> None:
    assert words(verb, answer(200, b"no")) == (f"{name} in JSON", "200 with no")
    assert words(verb, answer(201, {})) == ("200", "201 with {}")
    expected, got = words(verb, answer(200, {}))
    assert expected == name
    assert got == "; ".join(f"$: {it} is missing" for it in sorted(members))


def test_members_of_the_wrong_form_are_told_without_their_values() -> None:
    kind = {"access_token": "e", "token_type": "mac"}

    assert words(expect.token_response, answer(200, kind)) == (
        "a token_type of Bearer, in any case",
        "the token_type 'mac'",
    )
    assert words(expect.token_response, answer(200, {**kind, "access_token": 1}))[1] == (
        "access_token: not the text that it must be"
    )
