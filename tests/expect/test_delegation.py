"""What the verbs of messages under a delegation token take, and what they refuse."""

import pytest

from pact_conformance import expect
from pact_conformance.verdicts import Deviation, Inconclusive
from pact_conformance.wire.errors import envelope
from tests.subject.answers import answer

CLAIMS = {"grantId": "g", "scopesUsed": []}
RECEIPT = {"jws": "e.f.g", "claims": CLAIMS}
MESSAGE = {"messageId": "r", "contextId": "c", "role": "ROLE_AGENT", "parts": [{"text": "Done."}]}
TASK = {
    "id": "t-1",
    "contextId": "c",
    "status": {"state": "TASK_STATE_AUTH_REQUIRED"},
    "metadata": {"pact.missingScopes": ["a"], "pact.verificationUriComplete": "https://b/?c=1"},
}


def challenged(*values: str) -> list[tuple[str, str]]:
    return [("WWW-Authenticate", value) for value in values]


@pytest.mark.parametrize(
    "values",
    [
        ('Bearer realm="a2a", error="invalid_token"',),
        ("bearer error=invalid_token,realm=a2a",),
        ('Bearer error="invalid_token", realm="a2a", error_description="expired, sorry"',),
        ('Bearer realm="a2a"', 'Bearer realm="a2a", error="invalid_token"'),
        ('Basic realm="x", Bearer realm="a2a", error="invalid_token"',),
    ],
)
def test_a_bad_delegation_token_is_refused_by_its_challenge(values: tuple[str, ...]) -> None:
    expect.bad_delegation(answer(401, b"", headers=challenged(*values)))
    expect.bad_delegation(answer(401, {"error": "invalid_token"}, headers=challenged(*values)))


GOOD = 'Bearer realm="a2a", error="invalid_token"'


@pytest.mark.parametrize(
    ("status", "body", "values"),
    [
        (401, b"", ()),
        (401, b"", ('Bearer realm="a2a"',)),
        (401, b"", ('Bearer error="invalid_token"',)),
        (401, b"", ('Bearer realm="brand", error="invalid_token"',)),
        (401, b"", ('Bearer realm="a2a", error="insufficient_scope"',)),
        (401, b"", ('DPoP realm="a2a", error="invalid_token"',)),
        (401, b"", ('Bearer realm="a2a", Basic error="invalid_token"',)),
        (401, b"", ('Bearer realm="a2a" error="invalid_token"',)),
        (403, b"", (GOOD,)),
        (400, b"", (GOOD,)),
        (200, {"message": MESSAGE}, (GOOD,)),
    ],
)
def test_any_other_answer_is_no_such_refusal(
    status: int, body: object, values: tuple[str, ...]
) -> None:
    with pytest.raises(Deviation):
        expect.bad_delegation(answer(status, body, headers=challenged(*values)))


def test_a_step_up_is_read() -> None:
    step = expect.step_up(answer(200, {"task": TASK}))

    assert (step.id, step.scopes, step.context_id) == ("t-1", ("a",), "c")
    assert step.link == "https://b/?c=1"
    assert "https" not in repr(step)


@pytest.mark.parametrize(
    "metadata", [None, {}, {"pact.missingScopes": "a"}, {"pact.missingScopes": [1]}]
)
def test_what_a_step_up_lacks_is_judged_by_other_requirements(metadata: object) -> None:
    step = expect.step_up(answer(200, {"task": {**TASK, "metadata": metadata, "contextId": None}}))

    assert (step.scopes, step.link, step.context_id) == ((), "", "")


@pytest.mark.parametrize(
    "body",
    [
        {"message": MESSAGE},
        {"task": TASK, "message": MESSAGE},
        TASK,
        {"task": {**TASK, "id": ""}},
        {"task": {**TASK, "id": 1}},
        {"task": {**TASK, "status": {"state": "TASK_STATE_FAILED"}}},
        {"task": {**TASK, "status": None}},
        {"task": []},
        [],
    ],
)
def test_anything_else_is_no_step_up(body: object) -> None:
    with pytest.raises(Deviation):
        expect.step_up(answer(200, body))


def test_a_step_up_comes_with_200() -> None:
    with pytest.raises(Deviation):
        expect.step_up(answer(403, {"task": TASK}))
    assert expect.stepped_up(answer(403, {"task": TASK})) is None
    assert expect.stepped_up(answer(200, {"message": MESSAGE})) is None
    assert expect.stepped_up(answer(200, {"task": TASK})) is not None


def with_metadata(value: object) -> dict[str, object]:
    return {"message": {**MESSAGE, "metadata": {"pact.receipt": value}}}


def test_a_receipt_is_read() -> None:
    receipt = expect.receipt(answer(200, with_metadata(RECEIPT)))

    assert (receipt.jws, receipt.claims) == ("e.f.g", CLAIMS)
    assert "e.f.g" not in repr(receipt)


@pytest.mark.parametrize(
    "body",
    [
        {"message": MESSAGE},
        {"message": {**MESSAGE, "metadata": {}}},
        {"message": {**MESSAGE, "metadata": RECEIPT}},
        {"message": {**MESSAGE, "pact.receipt": RECEIPT}},
        {"message": MESSAGE, "metadata": {"pact.receipt": RECEIPT}},
        with_metadata(None),
        with_metadata("e.f.g"),
        with_metadata({"jws": "e.f.g"}),
        with_metadata({"claims": CLAIMS}),
        with_metadata({"jws": {}, "claims": CLAIMS}),
        {"task": {**TASK, "metadata": {"pact.receipt": RECEIPT}}},
    ],
)
def test_a_reply_without_a_whole_receipt_has_none(body: object) -> None:
    with pytest.raises(Deviation):
        expect.receipt(answer(200, body))


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"message": MESSAGE}),
        (200, {"task": TASK}),
        (200, with_metadata(None)),
        (400, envelope("INVALID_PARAMS", "no")),
        (401, b""),
    ],
)
def test_an_answer_may_have_no_receipt(status: int, body: object) -> None:
    expect.no_receipt(answer(status, body))


@pytest.mark.parametrize(
    "body",
    [
        with_metadata(RECEIPT),
        with_metadata({}),
        {"task": {**TASK, "metadata": {"pact.receipt": RECEIPT}}},
        {
            "task": {
                **TASK,
                "status": {"message": {**MESSAGE, "metadata": {"pact.receipt": RECEIPT}}},
            }
        },
        {"message": MESSAGE, "metadata": {"pact.receipt": RECEIPT}},
        {"message": {**MESSAGE, "parts": [{"text": "Done."}, {"pact.receipt": RECEIPT}]}},
    ],
)
def test_a_receipt_is_found_wherever_it_stands(body: object) -> None:
    with pytest.raises(Deviation):
        expect.no_receipt(answer(200, body))


def test_a_gateway_settles_nothing() -> None:
    for verb in (expect.bad_delegation, expect.step_up, expect.receipt, expect.no_receipt):
        with pytest.raises(Inconclusive):
            verb(answer(502, b"<html>"))
