"""The guide for those who test a personal agent says what is so."""

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pact_conformance.subject.agent import GaveUp, Reply
from pact_conformance.subject.agent.contract import ASKED, MEMBERS
from pact_conformance.wire.schema import problems
from tests.subject.agent.driving import CARD, JANE, driven

from .tree import text

GUIDE = text("docs/testing-a-personal-agent.md")
OBJECTS = [json.loads(it) for it in re.findall(r"`(\{.*?\})`(?= \||\.| )", GUIDE)]
REQUESTS = [it for it in OBJECTS if "operation" in it]
ANSWERS = [it for it in OBJECTS if "operation" not in it]
BLOCKS = dict(re.findall(r"```python (\w+)\n(.*?)```", GUIDE, re.DOTALL))

MYAPP = """
from dataclasses import dataclass

class Failure(Exception):
    pass

@dataclass
class Turn:
    text: str
    conversation: str

class Agent:
    ASYNC def find_brand(self, card, audience):
        if "gone" in card:
            raise Failure("no such card")
        return "brand"

    ASYNC def chat(self, brand, user, text, conversation):
        return Turn(f"{user}: {text}", conversation or "new")

agent = Agent()
"""


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda it: it["operation"])
def test_every_request_is_one(request_: object) -> None:
    assert problems(request_, "agent-request") == []


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_every_answer_is_one(answer: object) -> None:
    assert problems(answer, "agent-answer") == []


def test_every_operation_is_there() -> None:
    assert {it["operation"] for it in REQUESTS} == {"hello", *ASKED}
    held = {name for it in ANSWERS for name in it}
    assert {name for names in MEMBERS.values() for name in names} <= held


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The example for HTTP, started as one starts it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "adapter:app", "--port", str(port)]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/pact-test"
        process.terminate()


@pytest.mark.parametrize("way", ["http", "cmd", "python"])
def test_every_example_works(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = MYAPP.replace("ASYNC ", "async " if way == "http" else "")
    (tmp_path / "myapp.py").write_text(code)
    (tmp_path / "adapter.py").write_text(BLOCKS[way])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    try:
        if way == "http":
            with serving(tmp_path) as url:
                _speak(tmp_path, url)
        else:
            how = {"cmd": f"cmd:{sys.executable} adapter.py", "python": "python:adapter:Adapter"}
            _speak(tmp_path, how[way])
    finally:
        for name in ("adapter", "myapp"):
            sys.modules.pop(name, None)


def _speak(folder: Path, how: str) -> None:
    with driven(folder, how) as agent:
        assert agent.operations == ("connect", "say")
        assert agent.connect(CARD, "aud") == "brand"
        assert agent.connect(f"{CARD}/gone", "aud") == GaveUp("no such card")
        assert agent.say("brand", JANE, "hello") == Reply("jane: hello", "new")
        assert agent.say("brand", JANE, "hello", "c") == Reply("jane: hello", "c")


def test_examples_are_short() -> None:
    assert set(BLOCKS) == {"http", "cmd", "python"}
    assert max(len(it.splitlines()) for it in BLOCKS.values()) < 28
