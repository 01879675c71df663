"""What the preflight makes of Providers with which nothing can be tested."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pact_conformance.catalogue import load
from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.journal import Journal
from pact_conformance.journal.mask import Mask
from pact_conformance.subject import preflight
from pact_conformance.subject.discovery import find
from pact_conformance.subject.preflight import Preflight
from pact_conformance.subject.provider import Provider
from pact_conformance.subject.rate_limit import Patience
from pact_conformance.tokens.caller import Caller
from tests.session.subjects import AUDIENCE, ISSUER, KEYS
from tests.subject.extremes import EXTREMES
from tests.subject.servers import CARD, Reply, Request, Server, json_reply, with_card


@dataclass
class Looking:
    """Looks at a subject as a run does before its first check."""

    client: RecordingClient
    waits: list[float]
    longest: float = 10.0

    def at(self, *urls: str) -> Preflight:
        """Return what was seen of the card at these places."""
        patience = Patience(self.longest, sleep=self.waits.append)
        caller = Caller(ISSUER, AUDIENCE, KEYS)
        bearer = f"Bearer {caller.token(caller.user('reader')).text}"
        return preflight.run(
            lambda: find(self.client, urls, patience),
            lambda: find(self.client, urls[:1], headers=[("Authorization", bearer)]),
            lambda: None,
            lambda card: Provider(self.client, card, caller, patience),
            None,
        )


@pytest.fixture
def looking(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Looking]:
    journal = Journal(tmp_path / "journal.ndjson")
    drips = "drips" in request.node.name
    client = RecordingClient(journal, Mask(), deadline=0.3 if drips else 10)
    yield Looking(client, [])
    client.close()
    journal.close()


@pytest.mark.parametrize("name", EXTREMES)
def test_each_extreme_comes_to_its_finding(name: str, looking: Looking) -> None:
    extreme = EXTREMES[name]
    with Server(extreme.answer) as server:
        finding = looking.at(server.url + CARD).finding

    assert finding is not None
    assert (finding.id, finding.verdict) == (extreme.finding, extreme.verdict)
    assert extreme.got in finding.got
    assert extreme.do in finding.do
    assert finding.exchanges
    assert load()[finding.requirement].role == "provider"


@pytest.mark.parametrize("name", EXTREMES)
def test_a_finding_crosses_processes(name: str, looking: Looking) -> None:
    with Server(EXTREMES[name].answer) as server:
        seen = looking.at(server.url + CARD)

    assert Preflight.from_json(json.loads(json.dumps(seen.to_json()))) == seen


def test_a_card_that_is_rate_limited_once_is_waited_for(looking: Looking) -> None:
    limits = [Reply(429, b"", {"Retry-After": "3"})]

    def answer(request: Request) -> Reply:
        return limits.pop() if limits else with_card(lambda _: Reply(404))(request)

    with Server(answer) as server:
        seen = looking.at(server.url + CARD)

    assert seen.card is not None
    assert looking.waits == [3.0]


def test_of_several_places_the_first_card_counts_and_else_the_first_answer(
    looking: Looking,
) -> None:
    with Server(with_card(lambda it: Reply(404 if it.path == "/first" else 500))) as server:
        urls = (f"{server.url}/first", f"{server.url}/second")
        neither = looking.at(*urls)
        third = looking.at(*urls, server.url + CARD)

    assert neither.finding is not None
    assert neither.finding.got == "it answered 404"
    assert third.card_url == server.url + CARD
    assert third.card is not None


def test_redirects_to_the_card_are_followed(looking: Looking) -> None:
    def answer(request: Request) -> Reply:
        if request.path.startswith("/.well-known"):
            return Reply(302, b"", {"Location": CARD})
        return with_card(lambda _: Reply(404))(request)

    with Server(answer) as server:
        seen = looking.at(f"{server.url}/.well-known/agent-card.json")

    assert seen.card is not None


def test_redirects_that_never_end_are_given_up(looking: Looking) -> None:
    with Server(lambda it: Reply(302, b"", {"Location": f"{it.path}x"})) as server:
        finding = looking.at(server.url + CARD).finding
        sent = len(server.requests)

    assert finding is not None
    assert finding.got == "it answered 302"
    assert sent == 6


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/a2a", "not a url", "", 7, None])
def test_an_interface_that_nobody_can_be_asked_at_is_a_finding(
    looking: Looking, url: object
) -> None:
    interface = {"url": url, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    with Server(lambda _: json_reply({"supportedInterfaces": [interface]})) as server:
        finding = looking.at(server.url + CARD).finding

    assert finding is not None
    assert finding.id == "no-usable-interface"


def test_a_card_without_interfaces_is_the_providers_fault(looking: Looking) -> None:
    with Server(lambda _: json_reply({"name": "A", "securitySchemes": {}})) as server:
        finding = looking.at(server.url + CARD).finding

    assert finding is not None
    assert (finding.id, finding.verdict) == ("no-usable-interface", "failed")


def test_a_card_that_leads_tokens_elsewhere_gets_none_sent(looking: Looking) -> None:
    url = "https://stranger.example/a2a/01J"
    interface = {"url": url, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    with Server(lambda _: json_reply({"supportedInterfaces": [interface]})) as server:
        finding = looking.at(server.url + CARD).finding
        sent = len(server.requests)

    assert finding is not None
    assert (finding.id, finding.verdict) == ("interface-elsewhere", "inconclusive")
    assert "--pact-allow-origins=https://stranger.example" in finding.do
    assert sent == 1


def test_an_interface_where_nobody_listens_names_its_url(looking: Looking) -> None:
    url = "http://127.0.0.1:1/a2a/01J"
    interface = {"url": url, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    with Server(lambda _: json_reply({"supportedInterfaces": [interface]})) as server:
        finding = looking.at(server.url + CARD).finding

    assert finding is not None
    assert finding.id == "provider-unreachable"
    assert url in finding.expected
    assert finding.do == "start the Provider, or correct the interface URL on the card"


@pytest.mark.parametrize("said", [b"[1]", b'"card"', b"null", b"\xff\xfe", b"", b"{" * 100000])
def test_a_card_that_is_no_object_is_unreadable(looking: Looking, said: bytes) -> None:
    with Server(lambda _: Reply(200, said, {"Content-Type": "application/json"})) as server:
        finding = looking.at(server.url + CARD).finding

    assert finding is not None
    assert finding.id == "card-unreadable"
