"""The A2A project's own SDK talks to the mock Provider as to any A2A 1.0 agent."""

import uuid
from typing import Any

import pytest

from pact_conformance.counterpart.provider.serving import RunningBrand
from tests.counterpart.agent import Agent

from .driven import Driven, RaisedError


class Talk:
    """A User of the agent at the Brand, by the SDK."""

    def __init__(self, client: Driven, agent: Agent, interface: str) -> None:
        self._client = client
        self._agent = agent
        self.interface = interface

    def do(self, name: str, **arguments: object) -> Any:  # noqa: ANN401  # JSON
        token = self._agent.token("sdk-user")
        return self._client.do(name, **{"interface": self.interface, "token": token, **arguments})

    def say(self, text: str, **further: object) -> dict[str, Any]:
        sent = {"message_id": uuid.uuid4().hex, "text": text, **further}
        (answer,) = self.do("send", **sent)
        message: dict[str, Any] = answer["message"]
        return message

    def raised(self, name: str, **arguments: object) -> str:
        with pytest.raises(RaisedError) as caught:
            self.do(name, **arguments)
        return caught.value.name


@pytest.fixture
def talk(client: Driven, agent: Agent, brand: RunningBrand) -> Talk:
    return Talk(client, agent, brand.interface)


def test_it_reads_the_card(client: Driven, brand: RunningBrand) -> None:
    card = client.do("card", interface=brand.interface)

    assert card["supportedInterfaces"][0]["url"] == brand.interface
    assert card["securitySchemes"]["paJwt"]["httpAuthSecurityScheme"]["bearerFormat"] == "JWT"


def test_a_message_is_answered(talk: Talk) -> None:
    reply = talk.say("Hello, who is there?")

    assert reply["role"] == "ROLE_AGENT"
    assert reply["contextId"]
    assert reply["parts"][0]["text"]


def test_a_conversation_goes_on(talk: Talk) -> None:
    first = talk.say("My number is 4471.")
    second = talk.say("What was it?", context_id=first["contextId"])

    assert second["contextId"] == first["contextId"]
    assert second["messageId"] != first["messageId"]


def test_a_retry_gets_the_stored_reply(talk: Talk) -> None:
    first = talk.say("Hello")
    sent = {"context_id": first["contextId"], "message_id": uuid.uuid4().hex}

    assert talk.say("Once", **sent) == talk.say("Twice", **sent)


@pytest.mark.parametrize(
    ("further", "error"),
    [
        ({"context_id": "made-up"}, "InvalidParamsError"),
        ({"text": " "}, "InvalidParamsError"),
        ({"task_id": "made-up"}, "TaskNotFoundError"),
    ],
)
def test_a_refusal_is_the_error_that_the_sdk_has_for_it(
    talk: Talk, further: dict[str, object], error: str
) -> None:
    sent = {"message_id": uuid.uuid4().hex, "text": "Hello", **further}

    assert talk.raised("send", **sent) == error


def test_a_token_that_is_none_is_no_a2a_error(talk: Talk) -> None:
    sent = {"message_id": uuid.uuid4().hex, "text": "Hello", "token": "none"}

    assert talk.raised("send", **sent) == "A2AClientError"


def test_there_are_no_tasks(talk: Talk) -> None:
    listed = talk.do("tasks")

    assert listed == {"pageSize": 50}, "protobuf leaves out what is empty"
    for cancel in (False, True):
        assert talk.raised("task", task_id="made-up", cancel=cancel) == "TaskNotFoundError"
