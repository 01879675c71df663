"""Legal ways to speak HTTP to a Brand, and to read its card (§2)."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import httpx

from pact_conformance.counterpart.personal_agent import discovery
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import GaveUp
from pact_conformance.counterpart.personal_agent.store import Brand, Relation
from pact_conformance.counterpart.personal_agent.transport import Answer, Request, Transport
from pact_conformance.counterpart.personal_agent.turns import Said, Turn
from pact_conformance.counterpart.variants.registry import agent_variant
from pact_conformance.wire.card import Card, Interface


@agent_variant()
def keeps_its_connections(agent: PersonalAgent) -> None:
    """Requests to one host go over connections that are kept open."""
    agent.transport = _Keeping(ca_file=agent.config.ca_file)


@agent_variant()
def sends_its_requests_in_chunks(agent: PersonalAgent) -> None:
    """The body of a request comes in chunks, without a `Content-Length`."""
    agent.transport = _Chunking(ca_file=agent.config.ca_file)


@agent_variant()
def closes_each_connection(agent: PersonalAgent) -> None:
    """Each request says `Connection: close`, as clients of HTTP/1.0 meant it."""
    _say_with_each_request(agent, "Connection", "close")


@agent_variant()
def waits_for_leave_to_send_a_body(agent: PersonalAgent) -> None:
    """Each request with a body says `Expect: 100-continue`."""
    for headers in (agent.message_headers, agent.delegation.oauth_headers):
        headers["Expect"] = lambda *_: "100-continue"


@agent_variant()
def asks_for_the_head_of_a_card_first(agent: PersonalAgent) -> None:
    """Before a card is fetched it is asked for with HEAD, and what comes makes no difference."""
    _ask_before_cards(agent, "HEAD")


@agent_variant()
def asks_what_is_allowed_first(agent: PersonalAgent) -> None:
    """Before each turn its place is asked for with OPTIONS, without a token, as browsers do it."""
    take_turn = agent.take_turn

    def asked(agent: PersonalAgent, turn: Turn) -> Said:
        headers = (
            ("Origin", "https://chat.agent.example"),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "authorization, a2a-version, content-type"),
        )
        url = agent.send_url(turn.relation.brand.interface.url)
        _ask(agent, Request("OPTIONS", url, headers))
        return take_turn(agent, turn)

    agent.take_turn = asked


@agent_variant()
def keeps_cards_for_a_minute(agent: PersonalAgent) -> None:
    """A card is kept for as long as its `Cache-Control` lets it, and then asked for by its ETag."""
    fetch_card = agent.fetch_card
    kept: dict[str, tuple[float, Card]] = {}

    def fetch(agent: PersonalAgent, url: str) -> Card:
        until, card = kept.get(url, (0.0, None))
        if card is None or time.monotonic() >= until:
            card = fetch_card(agent, url)
            kept[url] = time.monotonic() + 60.0, card
        return card

    agent.card_headers["If-None-Match"] = lambda _agent: '"of-another-card"'
    agent.fetch_card = fetch


@agent_variant()
def looks_for_a_brand_when_it_is_spoken_to(agent: PersonalAgent) -> None:
    """A card is fetched before the first turn or sign-in, and not when the Brand is named."""
    take_turn, ask = agent.take_turn, agent.delegation.ask

    def connect(
        *, card: str | None = None, domain: str | None = None, audience: str
    ) -> Brand | GaveUp:
        source = card or agent.well_known(domain or "")
        handle = agent.store.brand_of(source, audience)
        nothing = Card({}, source), Interface("", "", "")
        brand = agent.store.brands.get(handle) or _Unseen(handle, source, *nothing, audience)
        agent.store.brands[handle] = brand
        if card is None:
            domains[handle] = domain or ""
        return brand

    domains: dict[str, str] = {}

    def seen(relation: Relation) -> Relation:
        brand = relation.brand
        if not isinstance(brand, _Unseen):
            return relation
        if brand.handle in domains:
            name = domains[brand.handle]
            found = discovery.connect_by_domain(agent, name, brand.audience)
        else:
            found = discovery.connect_by_card(agent, brand.source, brand.audience)
        found = replace(found, handle=brand.handle)
        agent.store.brands[brand.handle] = found
        return Relation(found, relation.user)

    def taken(agent: PersonalAgent, turn: Turn) -> Said:
        turn.relation = seen(turn.relation)
        return take_turn(agent, turn)

    def asked(agent: PersonalAgent, relation: Relation, *about: Any) -> Any:  # noqa: ANN401
        return ask(agent, seen(relation), *about)

    agent.connect = connect  # type: ignore[method-assign]
    agent.take_turn = taken
    agent.delegation.ask = asked  # type: ignore[assignment]


@agent_variant()
def looks_for_a_brand_again_when_it_was_not_there(agent: PersonalAgent) -> None:
    """After a turn that came to nothing the card is fetched once more, for what has changed."""
    take_turn = agent.take_turn

    def taken(agent: PersonalAgent, turn: Turn) -> Said:
        try:
            return take_turn(agent, turn)
        except Failure:
            _ask(agent, agent.card_request(agent, turn.relation.brand.card.url))
            raise

    agent.take_turn = taken


@agent_variant()
def lists_its_tasks_after_each_turn(agent: PersonalAgent) -> None:
    """After each turn the tasks at the Brand are listed, and what comes makes no difference."""
    take_turn = agent.take_turn

    def listed(agent: PersonalAgent, turn: Turn) -> Said:
        said = take_turn(agent, turn)
        url = f"{turn.relation.brand.interface.url.rstrip('/')}/tasks?pageSize=20"
        bearer = f"Bearer {agent.mint_token(agent, turn.relation)}"
        _ask(agent, Request("GET", url, (("Authorization", bearer), ("A2A-Version", "1.0"))))
        return said

    agent.take_turn = listed


class _Keeping(Transport):
    """Keeps its connections open."""

    def close(self) -> None:
        self._client.close()

    def exchange(self, request: Request) -> Answer:
        built = self.build(request)
        built.extensions["timeout"] = httpx.Timeout(request.seconds).as_dict()
        answer = self._client.send(built)
        return Answer(request.url, answer.status_code, answer.headers, answer.content)

    @cached_property
    def _client(self) -> httpx.Client:
        return httpx.Client(trust_env=False, verify=self.trusted)


class _Chunking(Transport):
    """Sends bodies in chunks of eleven bytes."""

    def build(self, request: Request) -> httpx.Request:
        built = super().build(request)
        if request.body is None:
            return built
        headers = [(name, it) for name, it in built.headers.multi_items() if name not in _LENGTH]
        chunks = _chunks(request.body)
        return httpx.Request(request.method, request.url, headers=headers, content=chunks)


_LENGTH = frozenset({"content-length"})


def _chunks(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), 11):
        yield body[start : start + 11]


class _Unseen(Brand):
    """A Brand whose card has not been looked at."""


def _say_with_each_request(agent: PersonalAgent, name: str, value: str) -> None:
    """Put a header on requests for cards, messages and tokens."""
    agent.card_headers[name] = lambda _agent: value
    agent.message_headers[name] = lambda *_: value
    agent.delegation.oauth_headers[name] = lambda *_: value


def _ask_before_cards(agent: PersonalAgent, method: str) -> None:
    """Ask for a card by another method before it is fetched."""
    fetch_card = agent.fetch_card

    def fetch(agent: PersonalAgent, url: str) -> Card:
        _ask(agent, replace(agent.card_request(agent, url), method=method))
        return fetch_card(agent, url)

    agent.fetch_card = fetch


def _ask(agent: PersonalAgent, request: Request) -> None:
    """Send a request, whatever comes of it."""
    try:
        agent.transport.send(request)
    except Failure:
        return
