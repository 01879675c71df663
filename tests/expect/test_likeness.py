"""A foreign context and an unknown one are told apart by what differs, and by nothing else."""

from collections.abc import Mapping, Sequence

import pytest

from pact_conformance.expect.likeness import indistinguishable
from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Deviation, Inconclusive
from tests.subject.answers import answer


def refusal(asked: str, *, headers: Sequence[tuple[str, str]] = (), **members: object) -> Answer:
    error = {"code": 400, "message": f"no context {asked}", "details": [{"reason": "X"}], **members}
    return answer(400, {"error": error}, headers=headers)


def compare(foreign: Answer, unknown: Mapping[str, Answer] | None = None) -> None:
    unknown = unknown or {"u-1": refusal("u-1"), "u-2": refusal("u-2")}
    indistinguishable(foreign, "foreign", unknown, what="a foreign context")


def test_answers_that_differ_in_the_id_that_was_asked_about_are_alike() -> None:
    compare(refusal("foreign"))


@pytest.mark.parametrize(
    ("foreign", "telling"),
    [
        (refusal("foreign", code=403), "body.error.code"),
        (refusal("foreign", message="this is somebody else's"), "body.error.message"),
        (refusal("foreign", details=[{"reason": "Y"}]), r"body.error.details\[0\].reason"),
        (refusal("foreign", details=[]), r"body.error.details\[0\].reason"),
        (refusal("foreign", owner="alice"), "body.error.owner"),
        (refusal("foreign", headers=[("X-Owner", "alice")]), "header x-owner"),
        (answer(403, refusal("foreign").body), "status"),
        (answer(400, b"no context foreign"), "body"),
        (answer(400, b""), "body"),
    ],
)
def test_whatever_tells_them_apart_is_named(foreign: Answer, telling: str) -> None:
    with pytest.raises(Deviation, match=telling):
        compare(foreign)


@pytest.mark.parametrize("held", ["4", "400", "0"])
def test_a_short_id_that_is_a_part_of_something_else_tells_nothing(held: str) -> None:
    unknown = {it: refusal(it, at="port 4400 of 4") for it in ("4820193847", "7312093847")}

    indistinguishable(refusal(held, at="port 4400 of 4"), held, unknown, what="a foreign context")


def test_what_differs_among_unknown_ones_is_noise() -> None:
    unknown = {
        name: refusal(name, headers=[("X-Request-Id", f"r{number}")], trace=number)
        for number, name in enumerate(("u-1", "u-2"))
    }
    compare(refusal("foreign", headers=[("X-Request-Id", "another")], trace="other"), unknown)


def test_a_member_that_only_some_unknown_ones_have_is_noise() -> None:
    unknown = {"u-1": refusal("u-1", hint="a"), "u-2": refusal("u-2")}

    compare(refusal("foreign"), unknown)
    compare(refusal("foreign", hint="b"), unknown)


@pytest.mark.parametrize(
    "header",
    ["Date", "Age", "Connection", "Keep-Alive", "Content-Length", "X-RateLimit-Left", "RateLimit"],
)
def test_headers_of_time_connection_and_quota_are_not_compared(header: str) -> None:
    compare(refusal("foreign", headers=[(header, "7")]))


def test_the_order_of_members_says_nothing() -> None:
    other = {"u-1": answer(400, {"a": 1, "b": 2}), "u-2": answer(400, {"b": 2, "a": 1})}

    compare(answer(400, {"b": 2, "a": 1}), other)


def test_true_and_one_are_told_apart() -> None:
    unknown = {"u-1": answer(400, {"a": 1}), "u-2": answer(400, {"a": 1})}

    with pytest.raises(Deviation, match=r"body\.a"):
        compare(answer(400, {"a": True}), unknown)


def test_an_empty_object_and_an_empty_array_are_told_apart() -> None:
    unknown = {"u-1": answer(400, {"a": []}), "u-2": answer(400, {"a": []})}

    others: list[object] = [{}, None, ""]
    for value in others:
        with pytest.raises(Deviation):
            compare(answer(400, {"a": value}), unknown)


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_an_answer_that_settles_nothing_is_not_compared(status: int) -> None:
    with pytest.raises(Inconclusive):
        compare(answer(status))
    with pytest.raises(Inconclusive):
        compare(refusal("foreign"), {"u-1": refusal("u-1"), "u-2": answer(status)})
