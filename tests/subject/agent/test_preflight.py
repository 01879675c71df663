"""What is made of a personal agent with which nothing can be tested: one finding each."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pact_conformance.catalogue import load
from pact_conformance.journal.exchange import Failure
from pact_conformance.journal.unanswered import NoAnswer
from pact_conformance.subject.agent import AgentUnderTest, Broke, GaveUp, Reply, preflight
from pact_conformance.subject.findings import Finding
from pact_conformance.subject.stage import Stage

JWKS = "https://agent.example/jwks.json"


class Acted:
    """A stage and an agent that does there what a test says; counts what is asked of it."""

    def __init__(
        self, connect: Callable[[list[str]], Any], say: Callable[[list[str]], Any]
    ) -> None:
        self.arrived: list[str] = []
        self.asked: list[str] = []
        self._does = {"connect": connect, "say": say}

    def finding(self, fetch: Callable[[str], object] = str) -> Finding | None:
        agent = SimpleNamespace(connect=self._do("connect"), say=self._do("say"))
        scene = SimpleNamespace(card="https://brand.example/card.json", audience="aud")
        stage = SimpleNamespace(
            everything=lambda: self.arrived,
            open=lambda **_: scene,
            address=SimpleNamespace(jwks=JWKS),
        )
        return preflight.run(cast("AgentUnderTest", agent), cast("Stage", stage), fetch)

    def _do(self, operation: str) -> Callable[..., Any]:
        def do(*_: object) -> object:
            self.asked.append(operation)
            return self._does[operation](self.arrived)

        return do


def breaks(_: object) -> object:
    raise Broke("the agent ended with exit code 1", do="see agent.stderr.log")


def gives_up(_: object) -> object:
    return GaveUp("I  cannot\ndo this.")


def reads_the_card(arrived: list[str]) -> object:
    arrived.append("GET card")
    return "a Brand"


def claims_a_brand(_: object) -> object:
    return "a Brand"


def claims_a_reply(_: object) -> object:
    return Reply("ok")


def sends(arrived: list[str]) -> object:
    arrived.append("POST message:send")
    return Reply("Hello.")


@pytest.mark.parametrize(
    ("acted", "id_", "got", "do"),
    [
        (Acted(breaks, breaks), "agent-does-not-answer", "exit code 1", "agent.stderr.log"),
        (Acted(claims_a_brand, breaks), "agent-does-not-answer", "exit code 1", "agent.stderr.log"),
        (Acted(gives_up, breaks), "agent-gives-up", "gave up: I cannot do this.", "E2E_MOCK_URL"),
        (Acted(claims_a_brand, gives_up), "agent-gives-up", "I cannot do this.", "E2E_MOCK_URL"),
        (
            Acted(claims_a_brand, claims_a_reply),
            "agent-sends-nothing",
            "no request",
            "let the adapter have the agent itself do what it is asked for",
        ),
    ],
    ids=["crashes", "crashes-later", "gives-up", "gives-up-later", "does-nothing"],
)
def test_an_agent_that_does_nothing_is_one_finding(
    acted: Acted, id_: str, got: str, do: str
) -> None:
    finding = acted.finding()

    assert finding is not None
    assert (finding.id, finding.verdict, finding.blocks) == (id_, "inconclusive", "agent")
    assert got in finding.got
    assert do in finding.do
    assert load()[finding.requirement].role == "personal-agent"


@pytest.mark.parametrize(
    "acted",
    [Acted(reads_the_card, breaks), Acted(claims_a_brand, sends)],
    ids=["that-reads-the-card", "that-reads-it-when-it-has-to"],
)
def test_an_agent_of_which_something_arrives_is_none(acted: Acted) -> None:
    assert acted.finding() is None


def test_an_agent_that_reads_the_card_is_asked_for_no_turn() -> None:
    acted = Acted(reads_the_card, sends)

    acted.finding()

    assert acted.asked == ["connect"]


def test_keys_that_nobody_serves_are_one_finding() -> None:
    def fetch(url: str) -> object:
        assert url == JWKS
        raise NoAnswer(Failure("connect", "no connection to https://agent.example: refused"), "m-9")

    finding = Acted(reads_the_card, sends).finding(fetch)

    assert finding is not None
    assert (finding.id, finding.verdict) == ("agent-keys-unreachable", "inconclusive")
    assert (finding.requirement, finding.blocks) == ("3.1-agent-jwks", "agent")
    assert finding.exchanges == ("m-9",)
    assert "E2E_AGENT_JWKS" in finding.do


def test_what_is_wrong_with_keys_that_are_served_is_for_checks() -> None:
    assert Acted(reads_the_card, sends).finding(lambda _: "404") is None
