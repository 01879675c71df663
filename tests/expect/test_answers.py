"""What the verbs for any answer and for messages take, what they refuse, and how they say it."""

from collections.abc import Callable

import pytest

from pact_conformance import expect
from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Deviation, Inconclusive, Measure, NotApplicable, notebook
from pact_conformance.wire.errors import envelope
from tests.subject.answers import answer

MESSAGE = {"messageId": "r", "contextId": "c", "role": "ROLE_AGENT", "parts": [{"text": "Hi"}]}
REPLY = {"message": MESSAGE}
TASK = {"task": {"id": "t"}}

Verb = Callable[[Answer], object]


def refused(verb: Verb, given: Answer) -> Deviation:
    with pytest.raises(Deviation) as ended:
        verb(given)
    return ended.value


def takes(verb: Verb, status: int, body: object = b"") -> bool:
    try:
        verb(answer(status, body))
    except Deviation:
        return False
    return True


# The statuses at the edges of what each verb takes; what a gateway says is no matter of these.
STATUSES = (199, 200, 201, 299, 300, 399, 400, 401, 402, 403, 404, 405, 406, 499, 500, 501)


@pytest.mark.parametrize(
    ("verb", "taken"),
    [
        (expect.unauthorized, {401}),
        (expect.unrouted, {404, 405}),
        (expect.past_authentication, set(STATUSES) - {401, 500, 501}),
        (expect.not_accepted, {401, 500, 501}),
        (expect.no_server_error, set(STATUSES) - {500, 501}),
        (expect.not_served, set(STATUSES) - {200, 201, 299}),
        (expect.served, {200, 201, 299}),
        (lambda given: expect.status(given, 200, 404), {200, 404}),
    ],
)
def test_a_verb_takes_these_statuses_alone(verb: Verb, taken: set[int]) -> None:
    assert {it for it in STATUSES if takes(verb, it)} == taken


SETTLING: tuple[Verb, ...] = (
    expect.settled,
    expect.unauthorized,
    expect.unrouted,
    expect.past_authentication,
    expect.no_server_error,
    expect.not_served,
    expect.served,
    expect.reply,
    expect.reply_or_task,
    expect.empty_task_list,
    expect.a2a_result,
    lambda given: expect.a2a_error(given, "INTERNAL"),
    lambda given: expect.stored_reply(given, answer(200, REPLY)),
)


@pytest.mark.parametrize("verb", SETTLING)
@pytest.mark.parametrize(
    ("status", "words", "do"),
    [
        (
            429,
            "the Provider still rate-limits after the waits that were allowed",
            "raise --pact-max-wait or the limit of the personal agent that the suite plays",
        ),
        *(
            (
                it,
                f"a gateway answered {it} for the Provider",
                "look at what stands between the suite and the Provider, and run again",
            )
            for it in (502, 503, 504)
        ),
    ],
)
def test_a_limit_and_a_gateway_settle_nothing(verb: Verb, status: int, words: str, do: str) -> None:
    with pytest.raises(Inconclusive) as ended:
        verb(answer(status, b"<html>"))

    assert (ended.value.reason, ended.value.do) == (words, do)


def test_a_limit_is_no_acceptance() -> None:
    with pytest.raises(Inconclusive):
        expect.not_accepted(answer(429))
    expect.not_accepted(answer(502))


@pytest.mark.parametrize("status", [501, 502, 503, 504])
def test_an_a2a_error_is_no_gateways(status: int) -> None:
    given = answer(status, envelope("INTERNAL", "no"))

    assert expect.settled(given) is given


@pytest.mark.parametrize(
    ("body", "got"),
    [
        (envelope("INVALID_PARAMS", "no"), "400 with INVALID_PARAMS"),
        (b" \n", "400 with an empty body"),
        (b"a\n  b", "400 with a b"),
        (b"x" * 160, "400 with " + "x" * 160),
        (b"x" * 161, "400 with " + "x" * 160 + "…"),
        (
            {"error": {"code": 400, "status": "X"}},
            '400 with {"error": {"code": 400, "status": "X"}}',
        ),
    ],
)
def test_what_came_is_said_in_a_few_words(body: object, got: str) -> None:
    assert refused(expect.served, answer(400, body)).got == got


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        (lambda given: expect.status(given, 200, 201), "200 or 201"),
        (expect.unauthorized, "401, as for every authentication failure"),
        (expect.not_accepted, "401, or a failure, but no acceptance"),
        (expect.unrouted, "404 or 405"),
        (expect.served, "the message to be served"),
        (expect.reply, "the message to be served"),
        (expect.a2a_result, "200"),
        (
            lambda given: expect.a2a_error(given, "INTERNAL", "INVALID_PARAMS"),
            "the A2A error INTERNAL or INVALID_PARAMS",
        ),
    ],
)
def test_a_refusal_says_what_was_expected(verb: Verb, expected: str) -> None:
    found = refused(verb, answer(403, b"no"))

    assert (found.expected, found.got) == (expected, "403 with no")
    assert str(found) == f"expected {expected}; got 403 with no"


@pytest.mark.parametrize(
    ("verb", "status", "expected"),
    [
        (expect.not_served, 200, "a refusal"),
        (expect.no_server_error, 500, "an answer below 500"),
        (expect.past_authentication, 401, "an answer from behind authentication"),
    ],
)
def test_so_does_a_refusal_of_the_other_kind(verb: Verb, status: int, expected: str) -> None:
    found = refused(verb, answer(status, b"x"))

    assert (found.expected, found.got) == (expected, f"{status} with x")


def test_an_a2a_error_is_known_by_its_reason() -> None:
    given = answer(400, envelope("INVALID_PARAMS", "no"))
    with notebook() as book:
        assert expect.a2a_error(given, "INTERNAL", "INVALID_PARAMS") is given.error

    assert book.warnings == []
    found = refused(lambda it: expect.a2a_error(it, "INTERNAL"), given)
    assert (found.expected, found.got) == ("the A2A error INTERNAL", "400 with INVALID_PARAMS")


def test_another_reason_may_be_accepted_with_a_warning() -> None:
    given = answer(400, envelope("INVALID_PARAMS", "no"))
    with notebook() as book:
        expect.a2a_error(given, "INTERNAL", "TASK_NOT_FOUND", warned=["INVALID_PARAMS"])

    assert book.warnings == [
        "INVALID_PARAMS came; INTERNAL or TASK_NOT_FOUND is expected",
    ]


@pytest.mark.parametrize("status", [200, 399])
def test_an_a2a_error_comes_with_the_status_of_an_error(status: int) -> None:
    given = answer(status, envelope("INVALID_PARAMS", "no"))

    refused(lambda it: expect.a2a_error(it, "INVALID_PARAMS"), given)
    refused(lambda it: expect.a2a_error(it, "INTERNAL", warned=["INVALID_PARAMS"]), given)


def test_a_result_is_json_with_200() -> None:
    assert expect.a2a_result(answer(200, {"a": 1})) == {"a": 1}
    assert expect.a2a_result(answer(200, b"null")) is None
    assert refused(expect.a2a_result, answer(201, {})).expected == "200"
    found = refused(expect.a2a_result, answer(200, b"<p>"))
    assert (found.expected, found.got) == ("200 with a JSON body", "200 with <p>")


@pytest.mark.parametrize("body", [REPLY, TASK, {**TASK, "more": 1}])
def test_a_reply_or_a_task_is_returned(body: dict[str, object]) -> None:
    assert expect.reply_or_task(answer(200, body)) == body


@pytest.mark.parametrize("body", [{}, {**REPLY, **TASK}, ["message"], "task", None])
def test_neither_or_both_is_no_answer(body: object) -> None:
    found = refused(expect.reply_or_task, answer(200, body))

    assert found.expected == "an object with exactly one of message and task"
    assert found.got.startswith("200 with ")


def test_a_reply_or_a_task_comes_with_200() -> None:
    refused(expect.reply_or_task, answer(201, REPLY))


def test_a_reply_is_a_message() -> None:
    assert expect.reply(answer(200, REPLY)) == MESSAGE
    for body in (TASK, MESSAGE, [MESSAGE], {"message": "Hi"}, b"Hi"):
        found = refused(expect.reply, answer(200, body))
        assert found.expected == "a Message in reply"
        assert found.got.startswith("200 with ")


def test_a_stored_reply_equals_the_first() -> None:
    first = answer(200, REPLY)
    expect.stored_reply(answer(200, b' {"message":' + first.body.split(b":", 1)[1]), first)
    for other in (answer(201, REPLY), answer(200, {"message": {**MESSAGE, "messageId": "s"}})):
        found = refused(lambda it: expect.stored_reply(it, first), other)
        assert found.expected == "the stored reply, equal to the first"
        assert found.got.startswith(f"{other.status} with {{")
        assert ', where the first was 200 with {"message"' in found.got


def test_a_conversation_that_was_closed_settles_nothing() -> None:
    closed = answer(400, envelope("UNSUPPORTED_OPERATION", "closed"))
    with pytest.raises(Inconclusive) as ended:
        expect.stored_reply(closed, answer(200, REPLY))

    assert ended.value.reason == (
        "the conversation seems to be closed: the repeat got UNSUPPORTED_OPERATION"
    )
    assert ended.value.do == ("test with a Brand whose agent does not end the conversation at once")
    other = answer(400, envelope("INVALID_PARAMS", "no"))
    refused(lambda it: expect.stored_reply(it, answer(200, REPLY)), other)


def test_a_list_of_tasks_is_empty() -> None:
    body = {"tasks": [], "nextPageToken": ""}
    assert expect.empty_task_list(answer(200, body)) == body
    others: list[object] = [{}, {"tasks": [{"id": "t"}]}, {"tasks": None}, [], {"Tasks": []}]
    for other in others:
        found = refused(expect.empty_task_list, answer(200, other))
        assert found.expected == "an empty ListTasksResponse"
        assert found.got.startswith("200 with ")


def test_a_remark_goes_into_the_open_notebook() -> None:
    with notebook() as book:
        expect.warn("w")
        expect.note("n")
        expect.warn_unless(holds=True, remark="kept")
        expect.warn_unless(holds=False, remark="broken")

    assert (book.warnings, book.notes) == (["w", "broken"], ["n"])


def test_what_was_measured_goes_there_as_well() -> None:
    with notebook() as book:
        expect.measured("exchanges in all", 3)
        expect.measured("the longest wait", 1.5, "s")

    assert book.measures == [
        Measure("exchanges in all", 3, ""),
        Measure("the longest wait", 1.5, "s"),
    ]


def test_a_check_demands_what_no_other_verb_names() -> None:
    expect.that(holds=True, expected="4", got=4)
    with pytest.raises(Deviation, match=r"^expected 4; got 5$") as ended:
        expect.that(holds=False, expected="4", got=5)

    assert (ended.value.expected, ended.value.got) == ("4", "5")


def test_what_came_is_asked_for_only_where_a_demand_does_not_hold() -> None:
    expect.that(holds=True, expected="4", got=lambda: pytest.fail("it was asked"))
    with pytest.raises(Deviation, match=r"^expected 4; got 5$"):
        expect.that(holds=False, expected="4", got=lambda: 5)


def test_what_the_subject_does_not_offer_is_not_applicable() -> None:
    with pytest.raises(NotApplicable) as ended:
        expect.absent("no Delegated")

    assert (ended.value.reason, ended.value.do) == ("no Delegated", "")
