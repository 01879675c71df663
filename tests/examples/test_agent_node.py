"""The example of an agent in Node can be tested, and speaks PACT Identity."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pact_conformance.journal.mask import Mask
from pact_conformance.session.staging import Registered, Staging
from pact_conformance.settings import Settings
from pact_conformance.subject.agent import AgentUnderTest, GaveUp, Reply, User
from pact_conformance.subject.stage import Stage
from tests.subject.agent.driving import driven
from tests.wheel.installed import CHECKOUT

ADAPTER = CHECKOUT / "examples" / "agent-node" / "adapter.mjs"
JANE, OMAR = User("jane", "Jane Doe", "jane@example.com"), User("omar")

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")


@pytest.fixture(scope="module")
def exported() -> Iterator[dict[str, str]]:
    """The variables that it prints while it runs."""
    with subprocess.Popen(
        ["node", str(ADAPTER), "0"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield dict(re.findall(r"(E2E_\w+)=(\S+)", process.stdout.readline()))
        process.terminate()


@pytest.fixture
def agent(exported: dict[str, str], tmp_path: Path) -> Iterator[AgentUnderTest]:
    with driven(tmp_path, exported["E2E_AGENT"]) as agent:
        yield agent


@pytest.fixture
def stage(exported: dict[str, str], tmp_path: Path) -> Iterator[Stage]:
    known = Registered(exported["E2E_AGENT_ISSUER"], exported["E2E_AGENT_JWKS"])
    with Staging(Settings(agent="mock"), known, tmp_path) as staging:
        stage = Stage(staging.address, Mask())
        yield stage
        stage.close()


def test_it_speaks_with_a_brand(agent: AgentUnderTest, stage: Stage) -> None:
    scene = stage.open()

    brand = agent.connect(scene.card, scene.audience)
    assert isinstance(brand, str)
    first = agent.say(brand, JANE, "What are your “opening” hours?")
    assert isinstance(first, Reply)
    second = agent.say(brand, JANE, "Thanks.", first.conversation)
    other = agent.say(brand, OMAR, "Hello.")

    assert isinstance(second, Reply)
    assert isinstance(other, Reply)
    assert second.conversation == first.conversation != other.conversation
    sent = scene.seen("message:send")
    assert [it.verified is not None and it.verified.ok for it in sent] == [True] * 3
    subs = [it.token.claims["sub"] for it in sent if it.token is not None]
    assert subs[0] == subs[1] != subs[2]
    assert "jane" not in subs[0]


def test_it_begins_anew_where_a_conversation_is_closed(agent: AgentUnderTest, stage: Stage) -> None:
    scene = stage.open()
    brand = agent.connect(scene.card, scene.audience)
    assert isinstance(brand, str)
    first = agent.say(brand, JANE, "Hello.")
    assert first.conversation is not None
    scene.close_conversation(first.conversation)

    again = agent.say(brand, JANE, "Are you there?", first.conversation)

    assert isinstance(again, Reply)
    assert again.conversation != first.conversation
    assert len(scene.seen("message:send")) == 3


def test_it_gives_up_in_words(agent: AgentUnderTest, stage: Stage) -> None:
    scene = stage.open(answers={"message:send": [{"status": 503, "text": "later"}]})
    brand = agent.connect(scene.card, scene.audience)
    assert isinstance(brand, str)

    assert isinstance(agent.say(brand, JANE, "Hello."), GaveUp)
    assert isinstance(agent.connect(f"{scene.card}/gone", scene.audience), GaveUp)
    assert isinstance(agent.connect(domain="127.0.0.1:9", audience=""), GaveUp)


def test_it_says_what_it_offers(agent: AgentUnderTest) -> None:
    assert (agent.name, agent.operations) == ("agent-node", ("connect", "say"))
