"""The agent as a service of the tester's."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.subject.agent import Broke, Reply
from pact_conformance.subject.agent import Reply as Said
from pact_conformance.verdicts import Notebook, notebook
from pact_conformance.wire.schema import problems
from tests.subject import servers
from tests.subject.servers import Request, Server

from .driving import CARD, JANE, driven


def answering(**told: Any) -> Callable[[Request], servers.Reply]:  # noqa: ANN401 - JSON values
    """A service that says hello, and answers everything else alike."""

    def answer(request: Request) -> servers.Reply:
        asked = json.loads(request.body)
        body = {"operations": ["connect", "say"]} if asked["operation"] == "hello" else told
        return servers.Reply(200, json.dumps({"id": asked["id"], **body}).encode())

    return answer


def failing(reply: servers.Reply) -> Callable[[Request], servers.Reply]:
    """A service that says hello, and then this."""
    good = answering()
    return lambda request: good(request) if b'"hello"' in request.body else reply


def test_the_contracts_objects_are_posted_and_the_journal_keeps_no_word(tmp_path: Path) -> None:
    answer = answering(reply={"text": "hi"}, conversation="c")
    with Server(answer) as server, driven(tmp_path, f"{server.url}/adapter?x=1") as agent:
        assert agent.say("b", JANE, "my words") == Said("hi", "c")
        assert agent.alive

    hello, said, *_ = server.requests
    assert {it.path for it in server.requests} == {"/adapter?x=1"}
    assert said.headers["Content-Type"] == "application/json"
    for it in (hello, said):
        assert it.method == "POST"
        assert problems(json.loads(it.body), "agent-request") == []
    written = (tmp_path / "journal.ndjson").read_text()
    assert "the agent is asked to say" in written
    assert "my words" not in written
    assert "jane@" not in written


@pytest.mark.parametrize("status", [400, 404, 501])
def test_one_that_knows_no_hello_offers_connect_and_say(tmp_path: Path, status: int) -> None:
    def answer(request: Request) -> servers.Reply:
        asked = json.loads(request.body)
        if asked["operation"] == "hello":
            return servers.Reply(status, b"what?")
        return servers.Reply(200, b'{"brand": "b"}')

    with Server(answer) as server, driven(tmp_path, server.url) as agent:
        assert agent.operations == ("connect", "say")
        assert agent.connect(CARD, "aud") == "b"
        assert agent.alive


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (servers.Reply(500, b"Traceback\n boom"), "answered say with 500: Traceback boom"),
        (servers.Reply(200, b"<html>"), "the answer to say is no JSON: '<html>'"),
        (servers.Reply(200, b""), "the answer to say is no JSON, but empty"),
        (servers.Reply(200, b"[]"), "the answer to say is no JSON object"),
        (servers.Reply(200, b"{}"), "must hold exactly one of"),
        (servers.Reply(200, b'{"id": 99, "reply": {"text": ""}}'), "has the id 99, the request 2"),
        (servers.Reply(200, b'"' + b"x" * 2_000_000 + b'"'), "has more than 1 MiB"),
        (servers.Reply(200, b'"' + b"x" * 10_000_000 + b'"'), "the body exceeds"),
        (servers.Reply(200, drip=True), "did not answer say"),
    ],
)
def test_a_service_that_fails_is_inconclusive(
    tmp_path: Path, reply: servers.Reply, said: str
) -> None:
    with Server(failing(reply)) as server, driven(tmp_path, server.url) as agent:
        agent.offers("say")
        started = time.monotonic()
        with notebook(Notebook(until=started + 1)), pytest.raises(Broke) as caught:
            agent.say("b", JANE, "good day")

        assert time.monotonic() - started < 4

    assert said in caught.value.reason
    assert caught.value.crashed == ("500" in said)


def test_nobody_listens(tmp_path: Path) -> None:
    with driven(tmp_path, "http://127.0.0.1:9") as agent:
        assert not agent.alive
        with pytest.raises(Broke, match="did not answer hello") as caught:
            agent.connect(CARD)

    assert "running" in caught.value.do


def test_calls_may_come_at_once(tmp_path: Path) -> None:
    both = threading.Barrier(2)
    good = answering(reply={"text": "hi"})

    def answer(request: Request) -> servers.Reply:
        if b'"hello"' not in request.body:
            both.wait(10)
        return good(request)

    said: list[object] = []
    with Server(answer) as server, driven(tmp_path, server.url) as agent:
        threads = [
            threading.Thread(target=lambda: said.append(agent.say("b", JANE, "good day")))
            for _ in range(2)
        ]
        for it in threads:
            it.start()
        for it in threads:
            it.join()

    assert said == [Reply("hi"), Reply("hi")]
