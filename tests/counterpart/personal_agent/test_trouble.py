"""What the mock personal agent does about lost answers, errors and limits (§3.4, §4.3, §6)."""

from email.utils import formatdate

import pytest

from pact_conformance.counterpart.personal_agent.failure import Unanswered
from tests.counterpart.personal_agent.brand import (
    OMAR,
    Brand,
    answer,
    error,
    lost,
    reply,
)


def goes_on(brand: Brand) -> bool:
    """Say whether the next turn works."""
    return "reply" in brand.say()


def test_a_lost_answer_is_asked_for_again_by_the_same_message(brand: Brand) -> None:
    first = brand.say()
    brand.script("send", lost(), lost(), reply("Here."))

    assert brand.say("Go on", first["conversation"])["reply"]["text"] == "Here."
    _, *sent = brand.messages()
    assert len(sent) == 3
    assert sent[0] == sent[1] == sent[2]
    tokens = {dict(it.headers)["Authorization"] for it in brand.seen("send")}
    assert len(tokens) == 4


def test_lost_answers_are_given_up(brand: Brand) -> None:
    first = brand.say()
    brand.script("send", *[lost()] * 9)

    assert "gaveUp" in brand.say(conversation=first["conversation"])
    assert len(brand.messages()) == 4
    brand.answers["send"].clear()
    assert goes_on(brand)


def test_a_first_message_that_may_have_arrived_is_not_sent_twice(brand: Brand) -> None:
    brand.script("send", lost())

    assert "gaveUp" in brand.say()
    assert len(brand.messages()) == 1


def test_a_message_that_was_never_sent_is_tried_again(brand: Brand) -> None:
    brand.script("send", Unanswered("refused", arrived=False))

    assert goes_on(brand)


def test_retries_that_are_refused_come_to_an_end(brand: Brand) -> None:
    first = brand.say()
    brand.script("send", lost(), *[error("INVALID_PARAMS")] * 20)

    assert "INVALID_PARAMS" in brand.say(conversation=first["conversation"])["gaveUp"]["reason"]
    _, *sent = brand.messages()
    assert 2 <= len(sent) <= 6
    assert all(it == sent[0] for it in sent)


def test_a_message_that_is_refused_at_once_is_not_sent_again(brand: Brand) -> None:
    brand.script("send", error("INVALID_PARAMS"))

    assert "gaveUp" in brand.say()
    assert len(brand.messages()) == 1


@pytest.mark.parametrize(
    "reason",
    ["INVALID_PARAMS", "CONTENT_TYPE_NOT_SUPPORTED", "TASK_NOT_FOUND", "INTERNAL"],
)
def test_a_refusal_is_told_and_the_conversation_stays(brand: Brand, reason: str) -> None:
    first = brand.say()
    brand.script("send", error(reason))

    assert reason in brand.say(conversation=first["conversation"])["gaveUp"]["reason"]
    assert "reply" in brand.say(conversation=first["conversation"])
    assert brand.messages()[-1]["contextId"] == "ctx-1"


def test_the_reason_is_that_of_the_first_detail(brand: Brand) -> None:
    first = brand.say()
    details = [{"@type": "x"}, {"reason": "UNSUPPORTED_OPERATION"}]
    brand.script("send", answer({"error": {"code": 400, "details": details}}, 400))

    assert "gaveUp" in brand.say(conversation=first["conversation"])
    assert len(brand.messages()) == 2


@pytest.mark.parametrize("status", [301, 401, 403, 404, 405, 429, 500, 502, 503])
@pytest.mark.parametrize("body", [None, "<html>Sorry</html>", "Sorry", "{"])
def test_an_answer_without_a_known_body_is_a_failure(
    brand: Brand, status: int, body: str | None
) -> None:
    brand.script("send", answer(body, status, content_type="text/html"))

    assert brand.say()["gaveUp"]["reason"]
    assert len(brand.messages()) == 1
    assert goes_on(brand)


@pytest.mark.parametrize(
    "body",
    [
        None,
        "null",
        {"message": None},
        {"message": {"role": "ROLE_AGENT"}},
        {"message": {"role": [], "parts": []}},
        {"task": {"status": {"state": "TASK_STATE_COMPLETED"}}},
        {"task": {"status": {"state": []}}},
        "[" * 100_000,
        '{"message": ' * 5_000,
    ],
)
def test_nonsense_is_a_failure(brand: Brand, body: object) -> None:
    brand.script("send", answer(body))

    assert brand.say()["gaveUp"]["reason"]


@pytest.mark.parametrize(
    "details", [None, [], {}, [None], [{"reason": 7}], [{"reason": ["UNSUPPORTED_OPERATION"]}]]
)
def test_an_error_without_a_reason_is_a_failure(brand: Brand, details: object) -> None:
    brand.script("send", answer({"error": {"code": 400, "details": details}}, 400))

    assert brand.say()["gaveUp"]["reason"]


def test_a_401_is_told_and_not_tried_again(brand: Brand) -> None:
    brand.script("send", answer(None, 401, www_authenticate='Bearer realm="a2a"'))

    assert "401" in brand.say()["gaveUp"]["reason"]
    assert len(brand.messages()) == 1


def test_retry_after_in_seconds_is_waited_for(brand: Brand) -> None:
    brand.script("send", answer(None, 429, retry_after="7"))

    assert "reply" in brand.say()
    assert sum(brand.waits) == pytest.approx(7, abs=0.5)


def test_retry_after_as_a_date_is_waited_for(brand: Brand) -> None:
    date, until = formatdate(1_000_000, usegmt=True), formatdate(1_000_042, usegmt=True)
    brand.script("send", answer(None, 429, retry_after=until, date=date))

    assert "reply" in brand.say()
    assert sum(brand.waits) == pytest.approx(42, abs=0.5)


def test_a_second_429_is_given_up_and_holds_for_the_next_turn(brand: Brand) -> None:
    brand.script("send", *[answer(None, 429, retry_after="30")] * 2)

    assert "gaveUp" in brand.say()
    assert "reply" in brand.say()
    assert sum(brand.waits) == pytest.approx(60, abs=0.5)


def test_a_long_limit_is_given_up_without_a_request_before_its_end(brand: Brand) -> None:
    brand.script("send", answer(None, 429, retry_after="4000"))

    assert "gaveUp" in brand.say()
    assert "gaveUp" in brand.say()
    assert len(brand.messages()) == 1
    assert "reply" in brand.say(user=OMAR)


@pytest.mark.parametrize("value", ["", "soon", "-1", "1e3", "9" * 400])
def test_a_retry_after_that_cannot_be_kept_is_no_reason_to_hurry(brand: Brand, value: str) -> None:
    brand.script("send", answer(None, 429, retry_after=value))

    assert "gaveUp" in brand.say()
    assert len(brand.messages()) == 1
