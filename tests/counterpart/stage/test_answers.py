"""Answers of a script: in place of the honest ones, changed, late, or not at all."""

import time
from email.utils import parsedate_to_datetime

import httpx
import pytest

from tests.counterpart.stage.acting import Acting


def test_answers_are_given_one_a_request_and_then_honest_ones(acts: Acting) -> None:
    scene = acts.stage.open(answers={"message:send": [{"status": 503}, None, {"status": 429}]})

    assert [acts.say(scene).status_code for _ in range(4)] == [503, 200, 429, 200]


def test_an_answer_may_stay(acts: Acting) -> None:
    scene = acts.stage.open(answers={"get": [{"status": 404, "always": True}]})
    tasks = f"{scene.interface}/tasks/1"

    assert [acts.client.get(tasks).status_code for _ in range(3)] == [404] * 3


def test_an_answer_has_status_headers_and_json_or_text(acts: Acting) -> None:
    error = {"error": {"code": 400}}
    scene = acts.stage.open(
        answers={
            "message:send": [
                {"status": 400, "body": error},
                {"status": 404, "text": "<p>gone</p>", "contentType": "text/html"},
                {"status": 401, "headers": {"WWW-Authenticate": ['Bearer realm="a2a"', "Basic"]}},
            ]
        }
    )
    first, second, third = (acts.say(scene) for _ in range(3))

    assert first.json() == error
    assert first.headers["content-type"] == "application/a2a+json"
    assert (second.text, second.headers["content-type"]) == ("<p>gone</p>", "text/html")
    assert third.headers.get_list("www-authenticate") == ['Bearer realm="a2a"', "Basic"]
    assert third.content == b""
    assert all("date" in it.headers for it in (first, second, third))


def test_what_has_no_body_of_its_own_changes_the_honest_answer(acts: Acting) -> None:
    typed = {"contentType": "application/a2a+json; charset=utf-8", "headers": {"X-Odd": "1"}}
    scene = acts.stage.open(answers={"message:send": [typed]})
    reply = acts.say(scene)

    assert reply.headers["content-type"] == "application/a2a+json; charset=utf-8"
    assert reply.headers["x-odd"] == "1"
    assert reply.json()["message"]["role"] == "ROLE_AGENT"


def test_a_patch_is_merged_into_the_honest_answer(acts: Acting) -> None:
    patch = {"message": {"parts": [{"text": "a"}, {"text": "b"}], "messageId": None}}
    scene = acts.stage.open(answers={"message:send": [{"patch": patch}]})
    message = acts.say(scene).json()["message"]

    assert message["parts"] == [{"text": "a"}, {"text": "b"}]
    assert "messageId" not in message
    assert message["contextId"]


def test_a_connection_is_closed_before_or_after_the_request_is_processed(acts: Acting) -> None:
    lost = [{"close": True}, {"close": True, "process": True}]
    scene = acts.stage.open(answers={"message:send": lost})
    for _ in range(2):
        with pytest.raises(httpx.RemoteProtocolError):
            acts.say(scene, messageId="m-1")
    reply = acts.say(scene)

    assert reply.status_code == 200
    assert [it.answer and it.answer.status for it in scene.seen()] == [None, None, 200]


def test_a_lost_reply_is_stored_all_the_same(acts: Acting) -> None:
    lost = [None, {"close": True, "process": True}]
    scene = acts.stage.open(answers={"message:send": lost})
    context = acts.say(scene).json()["message"]["contextId"]
    with pytest.raises(httpx.RemoteProtocolError):
        acts.say(scene, "goodbye", messageId="m-1", contextId=context)
    again = acts.say(scene, "goodbye", messageId="m-1", contextId=context)

    assert again.status_code == 200
    assert acts.say(scene, contextId=context).status_code == 400


def test_an_answer_is_seen_before_its_delay_is_over(acts: Acting) -> None:
    scene = acts.stage.open(answers={"message:send": [{"delay": 0.4}]})
    start = time.monotonic()
    acts.say(scene)

    assert time.monotonic() - start >= 0.4
    assert scene.seen("message:send")[0].monotonic - start < 0.4


def test_strings_of_a_script_name_what_it_cannot_know(acts: Acting) -> None:
    limited = {"status": 429, "headers": {"Retry-After": "{date+7}"}}
    interfaces = [{"url": "{other}/grpc/{brandId}", "protocolBinding": "GRPC"}]
    scene = acts.stage.open(
        cardPatch={"supportedInterfaces": [*interfaces, {"url": "{interface}"}]},
        answers={"message:send": [limited]},
    )
    answer = acts.say(scene)
    dates = [parsedate_to_datetime(answer.headers[it]) for it in ("retry-after", "date")]

    assert [it["url"] for it in acts.card(scene)["supportedInterfaces"]] == [
        f"{acts.running.other}/grpc/{scene.brand_id}",
        scene.interface,
    ]
    assert 6 <= (dates[0] - dates[1]).total_seconds() <= 8


def test_cards_are_answered_otherwise_and_are_other_documents(acts: Acting) -> None:
    missing = acts.stage.open(cardAnswers=[{"status": 404}])
    other = acts.stage.open(card={"name": "Nobody"})
    patched = acts.stage.open(cardPatch={"description": None, "skills": []}, name="Café Ω")

    assert [acts.client.get(missing.card).status_code for _ in range(2)] == [404, 200]
    assert acts.card(other) == {"name": "Nobody"}
    assert "description" not in acts.card(patched)
    assert acts.card(patched)["name"] == "Café Ω Support"


@pytest.mark.parametrize(
    "script",
    [
        {"nme": "x"},
        {"answers": {"no such": []}},
        {"answers": {"token": [{"status": "200"}]}},
        {"approve": {"auto": "some"}},
        {"domain": {"serves": True, "redirect": 302}},
        {"needs": {"x": ["not:there"]}},
        {"cardPath": "relative"},
        {"interval": -1},
        {"scopes": {"a b": "c"}},
    ],
)
def test_a_wrong_script_is_refused(acts: Acting, script: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="open_brand: script"):
        acts.stage.open(**script)
