"""Every operation, at the mock Provider: the agent in a process of its own, and in virtual time."""

import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pact_conformance.counterpart.personal_agent.adapter import Adapter
from pact_conformance.counterpart.personal_agent.timing import VirtualTime
from pact_conformance.journal.mask import Mask
from pact_conformance.session.staging import Registered, Staging
from pact_conformance.settings import Settings
from pact_conformance.subject.agent import AgentUnderTest, NeedsSignIn, Reply, User
from pact_conformance.subject.agent.contract import ASKED
from pact_conformance.subject.stage import Stage

from .driving import JANE, driven

READ = "orders:read"


@contextmanager
def staged(folder: Path, issuer: str) -> Iterator[Stage]:
    known = Registered(issuer, f"{issuer}/jwks.json")
    with Staging(Settings(agent="mock"), known, folder) as staging:
        stage = Stage(staging.address, Mask())
        yield stage
        stage.close()


def act(agent: AgentUnderTest, stage: Stage, **script: object) -> None:
    """Have it do everything."""
    scene = stage.open(approve={"auto": "all"}, **script)
    brand = agent.connect(scene.card, scene.audience)
    assert isinstance(brand, str)
    first = agent.say(brand, JANE, "What are your opening hours?")
    assert isinstance(first, Reply)
    asked = agent.sign_in(brand, JANE, [READ])
    assert isinstance(asked, NeedsSignIn)
    assert asked.scopes == (READ,)
    assert isinstance(agent.go_on(brand, JANE), Reply)
    assert isinstance(agent.say(brand, JANE, "Where is my order?", first.conversation), Reply)
    held = agent.holds(brand, JANE)
    assert held.scopes == (READ,)
    assert [it.verified for it in held.receipts or ()] == [True]
    agent.rotate_key()
    agent.restart()
    assert isinstance(agent.say(brand, User("omar"), "Hello."), Reply)
    agent.forget(JANE)
    assert agent.holds(brand, JANE).scopes == ()
    verified = [it.verified for it in scene.seen("message:send", "token")]
    assert all(it is not None and it.ok for it in verified)
    assert len(verified) >= 4


def test_as_a_command(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = f"127.0.0.1:{free.getsockname()[1]}"
    how = f"cmd:{sys.executable} -m pact_conformance.counterpart.personal_agent --listen {where}"
    with staged(tmp_path, f"http://{where}") as stage, driven(tmp_path, how) as agent:
        assert agent.operations == ASKED
        assert not agent.virtual_time
        act(agent, stage, interval=1)

    log = (tmp_path / "agent.stderr.log").read_text()
    assert re.search(rf"^issuer http://{where}$", log, re.MULTILINE)


def test_over_http_in_virtual_time(tmp_path: Path) -> None:
    stages: list[Stage] = []

    def move(interface: str, seconds: float) -> None:
        stages[0].move_clock(interface, seconds)

    adapter = Adapter(time=VirtualTime(move), speaks_http=True)
    with adapter, staged(tmp_path, adapter.issuer) as stage:
        stages.append(stage)
        with driven(tmp_path, adapter.issuer) as agent:
            assert agent.virtual_time
            started = time.monotonic()
            act(agent, stage, interval=30)
            assert time.monotonic() - started < 10

            scene = stage.open()
            brand = agent.connect(scene.card, scene.audience)
            assert isinstance(brand, str)
            stage.move_clock(scene.interface, 7200)
            agent.pass_time(brand, 7200)
            assert isinstance(agent.say(brand, JANE, "Hello."), Reply)
            sent = scene.seen("message:send")[-1]
            assert sent.verified is not None
            assert sent.verified.ok
            assert sent.at > time.time() + 7000
