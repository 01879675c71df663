import httpx
import pytest

from pact_conformance.counterpart.provider.serving import RunningProvider
from pact_conformance.wire.card import Card
from pact_conformance.wire.schema import problems
from tests.counterpart.agent import Agent, message

A2A = "application/a2a+json"


def reason(answer: httpx.Response) -> str:
    assert answer.headers["content-type"] == A2A
    error = answer.json()["error"]
    assert error["code"] == answer.status_code
    return str(error["details"][0]["reason"])


def test_each_brand_has_a_card_of_its_own(running: RunningProvider, client: httpx.Client) -> None:
    for brand in running.brands:
        document = client.get(brand.card).raise_for_status().json()
        card = Card(document, brand.card)

        assert problems(document, "agent-card") == []
        assert card.interface is not None
        assert card.interface.url == brand.interface
        assert card.jwt_alone


@pytest.mark.parametrize("path", ["/.well-known/agent-card.json", "/tasks", "/nothing", ""])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_an_unknown_brand_is_404_without_body(
    running: RunningProvider, client: httpx.Client, agent: Agent, path: str, method: str
) -> None:
    url = running.unknown_card.removesuffix("/.well-known/agent-card.json") + path
    answer = client.request(method, url, headers=agent.bearer())

    assert (answer.status_code, answer.content) == (404, b"")


@pytest.mark.parametrize("path", ["", "/", "/nothing", "/tasks/", "/tasks/a:undo", "/tasks/a/b"])
def test_what_is_no_operation_is_404_even_without_a_token(
    client: httpx.Client, brand: str, path: str
) -> None:
    answer = client.post(brand + path)

    assert (answer.status_code, answer.content) == (404, b"")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/message:send", "POST"),
        ("DELETE", "/tasks", "GET, HEAD"),
        ("POST", "/tasks/a", "GET, HEAD"),
        ("PUT", "/tasks/a/pushNotificationConfigs", "POST, GET, HEAD"),
        ("POST", "/.well-known/agent-card.json", "GET, HEAD"),
    ],
)
def test_another_method_is_405_with_those_that_are_allowed(
    client: httpx.Client, brand: str, method: str, path: str, allow: str
) -> None:
    answer = client.request(method, brand + path)

    assert (answer.status_code, answer.content) == (405, b"")
    assert answer.headers["allow"] == allow


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("GET /tasks/a", "TASK_NOT_FOUND"),
        ("POST /tasks/a:cancel", "TASK_NOT_FOUND"),
        ("POST /message:stream", "UNSUPPORTED_OPERATION"),
        ("POST /tasks/a:subscribe", "UNSUPPORTED_OPERATION"),
        ("GET /tasks/a:subscribe", "UNSUPPORTED_OPERATION"),
        ("POST /tasks/a/pushNotificationConfigs", "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        ("GET /tasks/a/pushNotificationConfigs", "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        ("GET /tasks/a/pushNotificationConfigs/c", "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        ("DELETE /tasks/a/pushNotificationConfigs/c", "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        ("GET /extendedAgentCard", "UNSUPPORTED_OPERATION"),
    ],
)
def test_an_operation_without_tasks_or_capability_answers_its_reason(
    client: httpx.Client, brand: str, agent: Agent, operation: str, expected: str
) -> None:
    method, _, path = operation.partition(" ")

    assert client.request(method, brand + path).status_code == 401

    answer = client.request(method, brand + path, headers=agent.bearer())

    assert reason(answer) == expected


@pytest.mark.parametrize(("query", "size"), [("", 50), ("pageSize=1", 1), ("pageSize=100", 100)])
def test_the_list_of_tasks_is_empty(
    client: httpx.Client, brand: str, agent: Agent, query: str, size: int
) -> None:
    filters = (
        "contextId=x&status=TASK_STATE_WORKING&historyLength=2&includeArtifacts=true"
        "&statusTimestampAfter=2026-01-01T00:00:00.000Z&pageToken="
    )
    answer = client.get(f"{brand}/tasks?{query}&{filters}", headers=agent.bearer())

    expected = {"tasks": [], "nextPageToken": "", "pageSize": size, "totalSize": 0}

    assert answer.json() == expected
    assert answer.headers["content-type"] == A2A


@pytest.mark.parametrize(
    "query",
    [
        "pageSize=0",
        "pageSize=101",
        "pageSize=-1",
        "pageSize=ten",
        "pageSize=",
        "pageSize=1&pageSize=2",
        "pageToken=x",
        "status=DONE",
        "historyLength=-1",
        "includeArtifacts=maybe",
        "statusTimestampAfter=yesterday",
        "statusTimestampAfter=2026-01-01T00:00:00",
    ],
)
def test_a_bad_parameter_of_the_list_is_refused(
    client: httpx.Client, brand: str, agent: Agent, query: str
) -> None:
    answer = client.get(f"{brand}/tasks?{query}", headers=agent.bearer())

    assert reason(answer) == "INVALID_PARAMS"


@pytest.mark.parametrize("version", [None, "", "1.0"])
def test_version_1_0_or_none_is_served(
    client: httpx.Client, brand: str, agent: Agent, version: str | None
) -> None:
    headers = agent.bearer() | ({} if version is None else {"A2A-Version": version})

    assert client.post(f"{brand}/message:send", json=message(), headers=headers).is_success


def test_another_version_is_refused(client: httpx.Client, brand: str, agent: Agent) -> None:
    headers = agent.bearer() | {"A2A-Version": "9.9"}
    answer = client.post(f"{brand}/message:send", json=message(), headers=headers)

    assert (answer.status_code, reason(answer)) == (400, "VERSION_NOT_SUPPORTED")
    assert answer.json()["error"]["status"] == "FAILED_PRECONDITION"


def test_every_answer_is_dated_once_and_the_server_is_not_named(
    client: httpx.Client, brand: str
) -> None:
    answer = client.get(f"{brand}/tasks")

    assert len(answer.headers.get_list("date")) == 1
    assert "server" not in answer.headers
