from typing import Any

import pytest
from hypothesis import given, settings

from pact_conformance.wire.errors import (
    A2A_MAPPING,
    MAPPING,
    envelope,
    is_a2a_body,
    read_envelope,
)
from pact_conformance.wire.schema import problems
from tests.wire.json_values import json_values


@pytest.mark.parametrize("reason", [*MAPPING, *A2A_MAPPING])
def test_an_envelope_reads_back_as_it_was_written(reason: str) -> None:
    pair = MAPPING.get(reason) or A2A_MAPPING[reason]

    error = read_envelope(envelope(reason, "why"))

    assert error is not None
    assert (error.code, error.status, error.message) == (pair.http, pair.status, "why")
    assert (error.reason, error.reason_index) == (reason, 0)


@pytest.mark.parametrize("reason", [*MAPPING, *A2A_MAPPING])
def test_an_envelope_fits_its_schema(reason: str) -> None:
    assert problems(envelope(reason, "why"), "error-envelope") == []


def test_a_reason_of_ones_own_needs_its_numbers() -> None:
    with pytest.raises(KeyError):
        envelope("TEAPOT", "why")

    own = envelope("TEAPOT", "why", http=418, status="UNKNOWN")

    assert own["error"]["code"] == 418


def test_a_reason_is_found_behind_other_details() -> None:
    body = envelope("INVALID_PARAMS", "why")
    body["error"]["details"].insert(0, {"@type": "type.googleapis.com/google.rpc.BadRequest"})

    error = read_envelope(body)

    assert error is not None
    assert (error.reason, error.reason_index) == ("INVALID_PARAMS", 1)


def test_members_of_another_type_are_read_as_missing() -> None:
    error = read_envelope(
        {"error": {"code": "400", "status": 400, "message": [], "details": ["x", {"reason": 1}]}}
    )

    assert error is not None
    assert (error.code, error.status, error.message, error.reason) == (None, None, None, None)


@pytest.mark.parametrize(
    "body",
    [
        None,
        "error",
        [],
        {},
        {"error": "invalid_scope", "error_description": "…"},
        {"error": {"message": "Not found"}},
        {"error": {"code": "not_found", "status": 404}},
        {"error": {"code": True, "status": "NOT_FOUND"}},
    ],
)
def test_other_errors_are_no_envelope(body: object) -> None:
    assert read_envelope(body) is None
    assert not is_a2a_body(body)


@pytest.mark.parametrize(
    "body",
    [
        envelope("INTERNAL", "why"),
        {"error": {"code": 401, "status": "UNAUTHENTICATED", "message": "…"}},
        {"message": {"messageId": "r", "role": "ROLE_AGENT", "parts": []}},
        {"messageId": "r", "role": "ROLE_AGENT", "parts": []},
        {"task": {"id": "t", "status": {"state": "TASK_STATE_WORKING"}}},
        {"id": "t", "status": {"state": "TASK_STATE_WORKING"}},
        {"tasks": [], "nextPageToken": ""},
        {"name": "a", "supportedInterfaces": []},
    ],
)
def test_what_an_operation_answers_is_an_a2a_body(body: dict[str, Any]) -> None:
    assert is_a2a_body(body)


@pytest.mark.parametrize(
    "body",
    [
        {"message": "Not Found"},
        {"detail": "Not Found"},
        {"status": 404, "title": "Not Found", "type": "about:blank"},
        {"error": {"message": "no", "details": ["no such brand"]}},
        {"tasks": []},
        {"status": {"state": "down"}},
    ],
)
def test_what_a_framework_answers_is_none(body: dict[str, Any]) -> None:
    assert not is_a2a_body(body)


@settings(deadline=None)
@given(json_values())
def test_no_body_is_too_odd_to_read(body: object) -> None:
    read_envelope(body)
    is_a2a_body(body)
    read_envelope({"error": body})
    is_a2a_body({"message": body, "task": body, "error": {"details": body}})
