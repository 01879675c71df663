"""The agent as an object in this process."""

import asyncio
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.journal.mask import Mask
from pact_conformance.subject.agent import (
    AgentUnderTest,
    Broke,
    GaveUp,
    Held,
    KeptReceipt,
    NeedsSignIn,
    Reply,
    in_python,
)
from pact_conformance.subject.agent.in_python import PythonWay
from pact_conformance.subject.agent.log import FILE, Log
from pact_conformance.subject.agent.readiness import lacking
from pact_conformance.verdicts import Inconclusive, Notebook, Untested, notebook

from .driving import CARD, JANE, driven, settings

Asked = Mapping[str, Any]


def around(adapter: object, folder: Path | None = None) -> AgentUnderTest:
    mask = Mask()
    return AgentUnderTest(PythonWay(adapter, Log(folder, mask)), mask, seconds=10)


class Tiny:
    """Offers what it has methods for."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.told: Any = {"reply": {"text": "hi"}, "conversation": "c"}
        self.closed = False

    def connect(self, asked: Asked) -> Any:  # noqa: ANN401
        self.asked.append(asked)
        return {"gaveUp": "no card"} if "domain" in asked else {"brand": "b"}

    def say(self, asked: Asked) -> Any:  # noqa: ANN401
        self.asked.append(asked)
        return self.told

    go_on = sign_in = holds = rotate_key = forget = restart = say

    def close(self) -> None:
        self.closed = True


def test_methods_are_operations() -> None:
    tiny = Tiny()
    agent = around(tiny)

    assert agent.connect(CARD, "aud") == "b"
    assert agent.connect(domain="brand.example", audience="aud") == GaveUp("no card")
    assert agent.say("b", JANE, "hello", "c") == Reply("hi", "c")
    assert agent.sign_in("b", JANE, ["a"]) == Reply("hi", "c")
    assert agent.go_on("b", JANE) == Reply("hi", "c")
    tiny.told = {}
    agent.rotate_key()
    agent.forget()
    agent.forget(JANE)
    agent.restart()
    assert [
        {key: value for key, value in it.items() if key not in {"version", "id", "user"}}
        for it in tiny.asked
    ] == [
        {"operation": "connect", "card": CARD, "audience": "aud"},
        {"operation": "connect", "domain": "brand.example", "audience": "aud"},
        {"operation": "say", "brand": "b", "text": "hello", "conversation": "c"},
        {"operation": "sign_in", "brand": "b", "scopes": ["a"]},
        {"operation": "go_on", "brand": "b", "conversation": None},
        {"operation": "rotate_key"},
        {"operation": "forget"},
        {"operation": "forget"},
        {"operation": "restart"},
    ]
    assert [it["id"] for it in tiny.asked] == list(range(1, 10))


@pytest.mark.parametrize(
    ("told", "result"),
    [
        ({"reply": {"text": ""}}, Reply("")),
        ({"reply": {"text": "a"}, "conversation": None, "gaveUp": None}, Reply("a")),
        ({"needsSignIn": {"link": "https://x"}}, NeedsSignIn("https://x")),
        ({"needsSignIn": {"link": "l", "scopes": ["a"]}}, NeedsSignIn("l", ("a",))),
        ({"gaveUp": {"reason": "r"}, "conversation": "c"}, GaveUp("r", "c")),
        ({"gaveUp": "r", "more": 1}, GaveUp("r")),
    ],
)
def test_how_a_turn_ended(told: object, result: object) -> None:
    tiny = Tiny()
    tiny.told = told

    assert around(tiny).say("b", JANE, "hello") == result


def test_what_is_held() -> None:
    tiny = Tiny()
    tiny.told = {"scopes": ["a"], "receipts": [{"jws": "j", "verified": True}, {"jws": "k"}]}

    held = around(tiny).holds("b", JANE)

    assert held == Held(("a",), (KeptReceipt("j", verified=True), KeptReceipt("k")))
    tiny.told = {"scopes": []}
    assert around(tiny).holds("b", JANE) == Held()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (None, "the answer to say is no JSON object: None"),
        ("text", "is no JSON object"),
        ({"reply": {"text": 1}}, "the answer to say is none: reply.text: 1 is not a string"),
        ({"reply": {"text": object()}}, "the answer to say is no JSON"),
        ({"id": "1", "reply": {"text": ""}}, 'id: "1" is not an integer'),
        ({"conversation": "c"}, "must hold exactly one of reply, needsSignIn, gaveUp"),
        ({"conversation": "", "reply": {"text": ""}}, "conversation: "),
    ],
)
def test_a_wrong_answer_is_named(told: object, said: str) -> None:
    tiny = Tiny()
    tiny.told = told

    with pytest.raises(Broke) as caught:
        around(tiny).say("b", JANE, "hello")

    assert said in caught.value.reason


def test_what_has_no_method_is_untested() -> None:
    class Mute:
        def say(self, asked: Asked) -> Any:  # noqa: ANN401
            raise NotImplementedError(asked)

    agent = around(Mute())

    assert agent.operations == ("say",)
    with pytest.raises(Untested, match="does not offer connect"):
        agent.connect(CARD)
    with pytest.raises(Untested, match="time is real"):
        agent.pass_time("b", 1)


def test_hello_says_what_is_offered() -> None:
    class Polite(Tiny):
        def hello(self, asked: Asked) -> Any:  # noqa: ANN401
            del asked
            return {"operations": ["connect", "say", "dance"], "name": "Polly"}

    agent = around(Polite())

    assert (agent.name, agent.operations) == ("Polly", ("connect", "say"))
    assert not agent.offers("sign_in")
    assert not agent.virtual_time


def test_time_is_virtual_where_the_agent_says_so() -> None:
    class Virtual(Tiny):
        def hello(self, asked: Asked) -> Any:  # noqa: ANN401
            del asked
            return {"operations": ["say"], "virtualTime": True}

        def pass_time(self, asked: Asked) -> Any:  # noqa: ANN401
            self.asked.append(asked)
            return {}

    virtual = Virtual()
    agent = around(virtual)
    agent.pass_time("b", 3.5)

    assert agent.virtual_time
    assert (virtual.asked[0]["brand"], virtual.asked[0]["seconds"]) == ("b", 3.5)


def test_an_exception_is_told_and_where_it_came_from_is_kept(tmp_path: Path) -> None:
    class Bad(Tiny):
        bad: bool = True

        def say(self, asked: Asked) -> Any:  # noqa: ANN401
            if self.bad:
                raise KeyError("brand")
            return super().say(asked)

    bad = Bad()
    agent = around(bad, tmp_path)

    with pytest.raises(Broke, match="say raised KeyError: 'brand'") as caught:
        agent.say("b", JANE, "hello")

    assert caught.value.crashed
    states = [agent.alive]
    bad.bad = False
    assert agent.say("b", JANE, "hello") == Reply("hi", "c")
    assert [*states, agent.alive] == [False, True]
    assert 'raise KeyError("brand")' in (tmp_path / FILE).read_text()


def test_what_the_stage_cannot_do_is_no_fault_of_the_agent() -> None:
    class Unlucky(Tiny):
        def say(self, asked: Asked) -> Any:  # noqa: ANN401
            del asked
            raise Inconclusive("the mock Provider cannot be reached")

    agent = around(Unlucky())

    with pytest.raises(Inconclusive, match="cannot be reached") as caught:
        agent.say("b", JANE, "hello")
    assert not isinstance(caught.value, Broke)
    assert agent.alive


def test_a_call_that_hangs_ends_and_the_next_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_python, "GRACE", 0.1)
    go = threading.Event()

    class Slow(Tiny):
        def say(self, asked: Asked) -> Any:  # noqa: ANN401
            go.wait(10)
            return super().say(asked)

    agent = around(Slow())
    with (
        notebook(Notebook(until=time.monotonic() + 0.1)),
        pytest.raises(Broke, match="say did not return within 0 s"),
    ):
        agent.say("b", JANE, "hello")
    with pytest.raises(Broke, match="still busy"):
        agent.say("b", JANE, "hello")
    go.set()

    assert agent.say("b", JANE, "hello") == Reply("hi", "c")


def test_coroutines_share_a_loop_that_runs_between_calls() -> None:
    class Async:
        def __init__(self) -> None:
            self.ticks = 0

        async def say(self, asked: Asked) -> Any:  # noqa: ANN401
            if self.ticks == 0:
                self.task = asyncio.create_task(self.tick())
            return {"reply": {"text": f"{asked['text']} {self.ticks > 1}"}}

        async def tick(self) -> None:
            while True:
                self.ticks += 1
                await asyncio.sleep(0.01)

    agent = around(Async())
    assert agent.say("b", JANE, "first") == Reply("first False")
    time.sleep(0.2)
    assert agent.say("b", JANE, "second") == Reply("second True")


def test_calls_come_one_after_the_other() -> None:
    class Counting(Tiny):
        now = most = 0

        def say(self, asked: Asked) -> Any:  # noqa: ANN401
            self.now += 1
            self.most = max(self.most, self.now)
            time.sleep(0.1)
            self.now -= 1
            return super().say(asked)

    counting = Counting()
    agent = around(counting)
    agent.say("b", JANE, "hello")  # reads the schemas
    left = []

    def call() -> None:
        book = Notebook(until=time.monotonic() + 5)
        with notebook(book):
            agent.say("b", JANE, "hello")
        left.append(book.left or 0)

    threads = [threading.Thread(target=call) for _ in range(8)]
    for it in threads:
        it.start()
    for it in threads:
        it.join()

    assert counting.most == 1
    assert len(left) == 8
    assert min(left) > 4.5, "who waits for others does not pay for it"


def test_it_is_closed_at_the_end(tmp_path: Path) -> None:
    tiny = Tiny()
    around(tiny).close()
    with driven(tmp_path, "mock", built_in=(built_in := Tiny())) as agent:
        assert agent.way == "mock"

    assert tiny.closed
    assert not built_in.closed


MODULE = """
class Adapter:
    def say(self, asked):
        return {"reply": {"text": "from a class"}}

def make():
    return Adapter()

def fails():
    raise RuntimeError("no key")

def nothing():
    return None

adapter = Adapter()
number = 7
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    name = f"adapter_of_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    return name


@pytest.mark.parametrize("factory", ["Adapter", "make", "adapter"])
def test_it_is_imported_from_the_working_folder(module: str, factory: str, tmp_path: Path) -> None:
    how = f"python:{module}:{factory}"

    assert lacking(settings(how)) is None
    with driven(tmp_path, how) as agent:
        assert agent.say("b", JANE, "hello") == Reply("from a class")


@pytest.mark.parametrize(
    ("factory", "said"),
    [
        ("gone", "has no gone"),
        ("Adapter.gone", "has no Adapter.gone"),
        ("number", "number of {module} is neither an adapter nor makes one"),
    ],
)
def test_what_is_not_there_is_told_before_anything_is_sent(
    module: str, factory: str, said: str
) -> None:
    lack = lacking(settings(f"python:{module}:{factory}"))

    assert lack is not None
    assert lack.startswith("E2E_AGENT: ")
    assert said.format(module=module) in lack


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import no_such_thing", "ModuleNotFoundError: No module named 'no_such_thing'"),
        ("def (", "SyntaxError"),
        ("raise SystemExit('bye')", "SystemExit: bye"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told(module: str, text: str, said: str) -> None:
    Path(f"{module}.py").write_text(text)

    lack = lacking(settings(f"python:{module}:make"))

    assert lack is not None
    assert f"cannot import {module} ({said}" in lack
    assert "\n" not in lack


@pytest.mark.parametrize(
    ("factory", "said"),
    [("fails", "raised RuntimeError: no key"), ("nothing", "has no method say")],
)
def test_a_factory_that_fails_is_told(module: str, factory: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(Broke, match=said), driven(tmp_path, f"python:{module}:{factory}"):
        pass
