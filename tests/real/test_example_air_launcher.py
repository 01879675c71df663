"""The subject runs here, untouched: it serves its card and answers a signed message."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from .example_air import environment
from .example_air.agents import Agent
from .example_air.environment import EnvironmentUnavailableError
from .example_air.served import Served, served

AGENT = Agent("https://pa.example.com")
AUDIENCE = "an opaque audience"


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    log = tmp_path_factory.mktemp("example-air") / "stderr.txt"
    with served([AGENT], log=log, audience=AUDIENCE) as running:
        yield running


def message(text: str = "hello") -> dict[str, object]:
    return {
        "message": {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": text}]}
    }


def send(subject: Served, token: str | None, body: dict[str, object]) -> httpx.Response:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.post(f"{subject.interface}/message:send", json=body, headers=headers)


def test_the_card_names_the_interface_it_is_served_under(subject: Served) -> None:
    answer = httpx.get(subject.card)

    assert answer.status_code == 200
    assert answer.json()["supportedInterfaces"][0]["url"] == subject.interface
    assert subject.interface.startswith(subject.base)


@pytest.mark.parametrize("alg", ["ES256", "RS256"])
def test_a_signed_message_is_answered(subject: Served, alg: str) -> None:
    answer = send(subject, AGENT.token(subject.audience, alg=alg), message())

    assert subject.audience == AUDIENCE
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/a2a+json"
    assert answer.json()["message"]["role"] == "ROLE_AGENT"


def test_a_message_without_a_token_is_refused(subject: Served) -> None:
    answer = send(subject, None, message())

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'Bearer realm="a2a"'


def test_an_agent_that_is_not_registered_is_refused(subject: Served) -> None:
    stranger = Agent("https://stranger.example.com")

    assert send(subject, stranger.token(subject.audience), message()).status_code == 401


def test_the_process_ends_with_its_standard_input(tmp_path: Path) -> None:
    with served([AGENT], log=tmp_path / "stderr.txt") as running:
        assert httpx.get(running.card).status_code == 200

    with pytest.raises(httpx.ConnectError):
        httpx.get(running.card)


def test_an_environment_that_stands_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = environment.python()
    monkeypatch.setattr(environment, "_make", None)

    assert environment.python() == first


def test_what_cannot_be_installed_is_told_clearly(tmp_path: Path) -> None:
    requirements = tmp_path / "requirements.txt"
    requirements.write_text(f"{tmp_path}/no-such.whl\n")

    with pytest.raises(EnvironmentUnavailableError, match=r"requirements\.txt failed"):
        environment.python(tmp_path / "venv", requirements)
