"""A delegation header with something in it is never treated as if it were absent (§5.5)."""

import pytest

from pact_conformance import expect
from pact_conformance.tokens.delegation_forgeries import load_forgeries, load_headers
from pact_conformance.verdicts import Deviation, notebook
from tests.subject.answers import answer

HEADERS = {row.id: row for row in load_headers()}
MESSAGE = {"messageId": "r", "contextId": "c", "role": "ROLE_AGENT", "parts": [{"text": "Hi"}]}
PLAIN = answer(200, {"message": MESSAGE})
DELEGATED = answer(
    200, {"message": {**MESSAGE, "metadata": {"pact.receipt": {"jws": "e.f.g", "claims": {}}}}}
)
STEP_UP = answer(200, {"task": {"id": "t", "status": {"state": "TASK_STATE_AUTH_REQUIRED"}}})
REFUSED = answer(401)


@pytest.mark.parametrize("name", HEADERS)
def test_a_refusal_is_right_for_every_value(name: str) -> None:
    with notebook() as book:
        expect.header_fate(REFUSED, HEADERS[name])

    assert book.warnings == []


@pytest.mark.parametrize("name", [it for it in HEADERS if it != "empty"])
def test_service_as_without_the_header_is_wrong(name: str) -> None:
    with pytest.raises(Deviation):
        expect.header_fate(PLAIN, HEADERS[name])


@pytest.mark.parametrize("name", HEADERS)
def test_a_failure_is_wrong(name: str) -> None:
    with pytest.raises(Deviation):
        expect.header_fate(answer(500), HEADERS[name])


def test_an_empty_value_may_be_no_header() -> None:
    expect.header_fate(PLAIN, HEADERS["empty"])


@pytest.mark.parametrize("name", ["bare-token", "other-scheme"])
@pytest.mark.parametrize("served", [DELEGATED, STEP_UP])
def test_a_token_without_its_scheme_warns_where_it_is_served(name: str, served: object) -> None:
    with notebook() as book:
        expect.header_fate(served, HEADERS[name])  # type: ignore[arg-type]

    assert len(book.warnings) == 1


@pytest.mark.parametrize("name", ["lower-case-scheme", "same-token-twice"])
def test_where_either_is_right_service_under_delegation_passes(name: str) -> None:
    with notebook() as book:
        expect.header_fate(DELEGATED, HEADERS[name])

    assert book.warnings == []


@pytest.mark.parametrize("name", ["text", "scheme-alone"])
def test_what_holds_no_token_gets_no_service_at_all(name: str) -> None:
    for served in (DELEGATED, STEP_UP):
        with pytest.raises(Deviation):
            expect.header_fate(served, HEADERS[name])


def test_a_forgery_is_refused_with_401() -> None:
    for forgery in load_forgeries():
        expect.fate(REFUSED, forgery)
        with pytest.raises(Deviation):
            expect.fate(DELEGATED, forgery)
