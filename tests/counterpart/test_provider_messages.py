import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from pact_conformance.counterpart.provider.serving import RunningProvider
from pact_conformance.wire.schema import problems
from tests.counterpart.agent import Agent, message


class Talk:
    """Sends messages as a User."""

    def __init__(self, client: httpx.Client, interface: str, agent: Agent) -> None:
        self._client, self._interface, self._agent = client, interface, agent

    def send(self, body: object, user: str = "user-1") -> httpx.Response:
        content = {"content": body} if isinstance(body, bytes) else {"json": body}
        return self._client.post(
            f"{self._interface}/message:send",
            headers=self._agent.bearer(user) | {"Content-Type": "application/json"},
            **content,
        )

    def reply(self, body: object, user: str = "user-1") -> dict[str, Any]:
        answer = self.send(body, user)
        assert answer.status_code == 200, answer.text
        assert problems(answer.json(), "send-message-response") == []
        reply: dict[str, Any] = answer.json()["message"]
        return reply

    def reason(self, body: object, user: str = "user-1") -> str:
        answer = self.send(body, user)
        assert not answer.is_success
        assert problems(answer.json(), "error-envelope") == []
        return str(answer.json()["error"]["details"][0]["reason"])


@pytest.fixture
def talk(client: httpx.Client, brand: str, agent: Agent) -> Talk:
    return Talk(client, brand, agent)


def test_a_message_is_answered_in_a_context(talk: Talk) -> None:
    reply = talk.reply(message())

    assert reply["role"] == "ROLE_AGENT"
    assert reply["contextId"]


@pytest.mark.parametrize(
    "members",
    [
        {"parts": [{"text": "a"}, {"text": " "}]},
        {"parts": [{"text": "\u200b 🦆 𠮷", "mediaType": "text/plain", "filename": "f"}]},
        {"metadata": {"a": 1}, "extensions": ["https://x.example"], "referenceTaskIds": ["t"]},
        {"unknown": 1, "taskId": "", "contextId": ""},
        {"taskId": None, "contextId": None, "metadata": None},
    ],
)
def test_a_message_with_legal_members_is_answered(talk: Talk, members: dict[str, Any]) -> None:
    talk.reply({**message(**members), "configuration": {"historyLength": 0}, "new": []})


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"role": "ROLE_AGENT"}, "INVALID_PARAMS"),
        ({"role": "user"}, "INVALID_PARAMS"),
        ({"role": None}, "INVALID_PARAMS"),
        ({"taskId": "t"}, "TASK_NOT_FOUND"),
        ({"parts": []}, "INVALID_PARAMS"),
        ({"parts": None}, "INVALID_PARAMS"),
        ({"parts": {}}, "INVALID_PARAMS"),
        ({"parts": ["text"]}, "INVALID_PARAMS"),
        ({"parts": [{}]}, "INVALID_PARAMS"),
        ({"parts": [{"text": 1}]}, "INVALID_PARAMS"),
        ({"parts": [{"text": "a", "url": "b"}]}, "INVALID_PARAMS"),
        ({"parts": [{"text": ""}]}, "INVALID_PARAMS"),
        ({"parts": [{"text": "\t\u2003\u00a0\u3000\u0085"}]}, "INVALID_PARAMS"),
        ({"parts": [{"text": "a"}, {"data": None}]}, "CONTENT_TYPE_NOT_SUPPORTED"),
        ({"parts": [{"text": "a"}, {"data": {"a": 1}}]}, "CONTENT_TYPE_NOT_SUPPORTED"),
        ({"parts": [{"raw": "aGk="}]}, "CONTENT_TYPE_NOT_SUPPORTED"),
        ({"parts": [{"url": "https://x.example/a.png"}]}, "CONTENT_TYPE_NOT_SUPPORTED"),
        ({"parts": [{"raw": "no base64!"}]}, "INVALID_PARAMS"),
        ({"messageId": None}, "INVALID_PARAMS"),
        ({"messageId": ""}, "INVALID_PARAMS"),
        ({"messageId": 1}, "INVALID_PARAMS"),
        ({"contextId": 1}, "INVALID_PARAMS"),
        ({"contextId": "unknown"}, "INVALID_PARAMS"),
        ({"metadata": "text"}, "INVALID_PARAMS"),
        ({"extensions": [1]}, "INVALID_PARAMS"),
    ],
)
def test_a_message_that_breaks_a_rule_is_refused(
    talk: Talk, members: dict[str, Any], reason: str
) -> None:
    assert talk.reason(message(**members)) == reason


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b'{"message":[]}',
        b"\xff",
        b"[" * 100_000,
        b'{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"\\ud800"}]}}',
        b'{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"a"}],"x":NaN}}',
        b'{"configuration":[],"message":{"messageId":"m","role":"ROLE_USER","parts":[]}}',
    ],
)
def test_a_body_that_is_no_request_is_refused(talk: Talk, body: bytes) -> None:
    assert talk.reason(body) == "INVALID_PARAMS"


def test_every_conversation_has_a_context_of_its_own(talk: Talk) -> None:
    first, second = talk.reply(message()), talk.reply(message())
    further = talk.reply(message(contextId=first["contextId"]))

    assert first["contextId"] != second["contextId"]
    assert further["contextId"] == first["contextId"]


def test_a_foreign_context_is_answered_like_an_unknown_one(
    running: RunningProvider, talk: Talk, client: httpx.Client, agent: Agent
) -> None:
    reply = talk.reply(message())
    elsewhere = Talk(client, running.brands[1].interface, agent)
    continued = message(contextId=reply["contextId"])
    answers = [
        talk.send(continued, user="user-2"),
        elsewhere.send(continued),
        talk.send(message(contextId="unknown")),
    ]

    assert {answer.status_code for answer in answers} == {400}
    assert len({answer.content for answer in answers}) == 1
    assert len({tuple(answer.headers) for answer in answers}) == 1
    assert talk.reply(continued)["contextId"] == reply["contextId"]


def test_a_repeated_message_gets_the_stored_reply(talk: Talk) -> None:
    first = message()
    reply = talk.reply(first)
    first["message"]["contextId"] = reply["contextId"]
    second = message(contextId=reply["contextId"])
    later = talk.reply(second)

    assert talk.reply(first) == reply
    assert talk.reply(second) == later
    assert later["parts"] != reply["parts"]


def test_a_repeated_message_is_refused_while_the_first_is_answered(talk: Talk) -> None:
    context = talk.reply(message())["contextId"]
    slow = message("Take your time, please", contextId=context)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(talk.send, [slow, slow]))

    assert sorted(answer.status_code for answer in answers) == [200, 400]


def test_a_closed_conversation_takes_no_messages(talk: Talk) -> None:
    last = message("Goodbye!")
    reply = talk.reply(last)
    more = message(contextId=reply["contextId"])
    last["message"]["contextId"] = reply["contextId"]

    assert talk.reason(more) == "UNSUPPORTED_OPERATION"
    assert talk.reason(more, user="user-2") == "INVALID_PARAMS"
    assert talk.reply(last) == reply


def test_a_failure_of_the_agent_is_an_internal_error(talk: Talk) -> None:
    answer = talk.send(message("Please fail now"))

    assert answer.status_code == 500
    assert answer.json()["error"]["status"] == "INTERNAL"


def test_repeat_says_the_rest(talk: Talk) -> None:
    assert talk.reply(message("Repeat Grüße 🦆"))["parts"][0]["text"].endswith(": Grüße 🦆")


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 200),
        ("Application/A2A+JSON; charset=utf-8", 200),
        (None, 200),
        ("text/plain", 400),
    ],
)
def test_the_content_types_of_json_are_taken(
    client: httpx.Client, brand: str, agent: Agent, content_type: str | None, status: int
) -> None:
    headers = agent.bearer() | ({} if content_type is None else {"Content-Type": content_type})
    answer = client.post(
        f"{brand}/message:send", content=json.dumps(message()).encode(), headers=headers
    )

    assert answer.status_code == status
