"""Agents that get §2.1 wrong: where a card is, and what is on it."""

import json
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

from pact_conformance.counterpart.flaws.agent_requests import ENDLESS, ask, before_each_turn, below
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.discovery import REDIRECTS, WELL_KNOWN
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.transport import Answer
from pact_conformance.wire.card import BINDING, VERSION, Card, Interface


@agent_flaw("2.1-agent-card-url")
def insists_on_the_well_known_path(agent: PersonalAgent) -> None:
    """A card URL of another path is cut to its host, and the well-known path is put behind it."""
    fetch_card = agent.fetch_card

    def fetch(agent: PersonalAgent, url: str) -> Card:
        is_usual = urlsplit(url).path.endswith(WELL_KNOWN)
        return fetch_card(agent, url if is_usual else _origin(url) + WELL_KNOWN)

    agent.fetch_card = fetch


@agent_flaw("2.1-agent-card-url")
def looks_for_the_card_below_the_interface(agent: PersonalAgent) -> None:
    """Before each turn the card is looked for again, at the usual path below the interface."""
    before_each_turn(
        agent,
        lambda turn: agent.transport.send(
            agent.card_request(agent, below(turn.relation, WELL_KNOWN.lstrip("/")))
        ),
    )


@agent_flaw("2.1-agent-brand-domain", "2.1-agent-redirect")
def asks_for_the_card_of_an_older_a2a(agent: PersonalAgent) -> None:
    """A Brand's domain is asked for `/.well-known/agent.json`."""
    well_known = agent.well_known
    agent.well_known = lambda domain: well_known(domain).replace("agent-card.json", "agent.json")


@agent_flaw("2.1-agent-brand-domain")
def takes_what_is_at_a_domain_for_a_link_to_the_card(agent: PersonalAgent) -> None:
    """A Brand's domain has to redirect to the card: one that serves it itself is given up."""
    fetch_card = agent.fetch_card

    def fetch(agent: PersonalAgent, url: str) -> Card:
        card = fetch_card(agent, url)
        served = urlsplit(url).path == WELL_KNOWN and card.url == url
        if served:
            raise Failure("the domain leads to no Provider")
        return card

    agent.fetch_card = fetch


@agent_flaw("2.1-agent-redirect")
def follows_no_redirect(agent: PersonalAgent) -> None:
    """A card that is redirected is given up, as HTTP libraries do it by default."""

    def redirected(answer: Answer) -> str:
        raise Failure(f"the card could not be had: HTTP {answer.status}")

    agent.redirected = redirected


@agent_flaw("2.1-agent-redirect")
def follows_no_redirect_to_another_host(agent: PersonalAgent) -> None:
    """A guard against request forgery refuses every redirect that leaves the host."""
    redirected = agent.redirected

    def same_host(answer: Answer) -> str:
        url = redirected(answer)
        if _origin(url) != _origin(answer.url):
            raise Failure(f"the card is redirected to another host: {_origin(url)}")
        return url

    agent.redirected = same_host


@agent_flaw("2.1-agent-redirect")
def follows_redirects_of_http_1_0_alone(agent: PersonalAgent) -> None:
    """Of redirects only 301 and 302 are followed."""
    redirected = agent.redirected

    def old(answer: Answer) -> str:
        if answer.status not in (301, 302):
            raise Failure(f"the card could not be had: HTTP {answer.status}")
        return redirected(answer)

    agent.redirected = old


@agent_flaw("2.1-agent-redirect")
def follows_redirects_without_end(agent: PersonalAgent) -> None:
    """Redirects of a card are followed on and on, also where they lead in a circle."""

    def fetch(agent: PersonalAgent, url: str) -> Card:
        for _ in range(ENDLESS):
            answer = agent.transport.send(agent.card_request(agent, url))
            if answer.status not in REDIRECTS:
                return agent.read_card(answer)
            url = agent.redirected(answer)
        raise Failure("the card is redirected without end")

    agent.fetch_card = fetch


@agent_flaw("2.1-agent-card-no-token")
def reads_the_card_with_its_token(agent: PersonalAgent) -> None:
    """The card is read again before each turn, with the personal-agent JWT."""
    before_each_turn(
        agent, lambda turn: ask(agent, turn.relation, "GET", turn.relation.brand.card.url)
    )


@agent_flaw("2.1-agent-card-no-token")
def sends_a_default_header_with_the_card_request(agent: PersonalAgent) -> None:
    """A bearer token of the agent's own back end goes out with every card request."""
    agent.card_headers["Authorization"] = lambda _agent: "Bearer 2Yot0nFZFEjr1zCsicMWpA"


@agent_flaw("2.1-agent-unknown-brand")
def guesses_the_interface_of_an_unknown_brand(agent: PersonalAgent) -> None:
    """Where a card is not there, the interface is taken to be where the card would be below."""
    _guess(agent, lambda answer: answer.url.split("/.well-known/", maxsplit=1)[0])


@agent_flaw("2.1-agent-unknown-brand")
def speaks_to_where_a_card_should_be(agent: PersonalAgent) -> None:
    """Where a card is not there, messages go below the URL at which it was looked for."""
    _guess(agent, lambda answer: answer.url)


@agent_flaw("2.1-agent-picks-by-binding", "2.1-agent-no-interface")
def compares_the_version_alone(agent: PersonalAgent) -> None:
    """The first interface of version 1.0 is taken, whatever its binding."""
    _choose(agent, lambda it: it.protocol_version == VERSION)


@agent_flaw("2.1-agent-picks-by-version", "2.1-agent-no-interface")
def compares_the_binding_alone(agent: PersonalAgent) -> None:
    """The first interface of HTTP+JSON is taken, whatever its version."""
    _choose(agent, lambda it: it.protocol_binding == BINDING)


@agent_flaw(
    "2.1-agent-picks-by-binding",
    "2.1-agent-picks-by-version",
    "2.1-agent-no-interface",
)
def takes_the_first_interface(agent: PersonalAgent) -> None:
    """The first interface of the card is taken, as A2A tells clients who support it."""
    _choose(agent, lambda _interface: True)


@agent_flaw("2.1-agent-picks-by-version")
def takes_the_highest_version(agent: PersonalAgent) -> None:
    """Of the interfaces for HTTP+JSON the one of the highest version is taken."""

    def choose(card: Card) -> Interface | None:
        if not any(it.speaks_pact for it in card.interfaces):
            return None
        usable = [it for it in card.interfaces if it.protocol_binding == BINDING and it.url]
        return max(usable, key=lambda it: it.protocol_version, default=None)

    agent.choose_interface = choose


@agent_flaw("2.1-agent-no-interface")
def tries_some_interface_where_none_fits(agent: PersonalAgent) -> None:
    """Where no interface fits, the first one is tried."""
    choose = agent.choose_interface
    agent.choose_interface = lambda card: choose(card) or next(iter(card.interfaces), None)


@agent_flaw("2.1-agent-interface-url")
def sends_to_the_host_of_the_card(agent: PersonalAgent) -> None:
    """The path of the interface is put behind the host of the card."""
    choose = agent.choose_interface

    def at_the_cards(card: Card) -> Interface | None:
        interface = choose(card)
        if interface is None:
            return None
        host = urlsplit(card.url)
        moved = urlsplit(interface.url)._replace(scheme=host.scheme, netloc=host.netloc)
        return replace(interface, url=urlunsplit(moved))

    agent.choose_interface = at_the_cards


@agent_flaw("2.1-agent-scheme-by-shape")
def knows_the_scheme_by_its_name(agent: PersonalAgent) -> None:
    """The scheme of the JWT is looked up as `paJwt`."""
    accepts = agent.accepts_our_jwt
    agent.accepts_our_jwt = lambda card: accepts(card) and "paJwt" in card.jwt_schemes


@agent_flaw("2.1-agent-no-jwt-scheme")
def sends_its_jwt_whatever_a_card_asks_for(agent: PersonalAgent) -> None:
    """The JWT is a default header, and nobody looks at what a card declares."""
    agent.accepts_our_jwt = lambda *_: True


@agent_flaw("2.1-agent-scheme-by-shape")
def refuses_a_brand_that_takes_keys_too(agent: PersonalAgent) -> None:
    """A card that declares an API key is taken for one that needs it."""
    accepts = agent.accepts_our_jwt
    agent.accepts_our_jwt = lambda card: (
        accepts(card) and "apiKeySecurityScheme" not in json.dumps(card.document)
    )


@agent_flaw("2.1-agent-informational")
def requires_a_description(agent: PersonalAgent) -> None:
    """A card without `description` is refused by a model that requires it."""
    _require(agent, lambda card: bool(card.get("description")))


@agent_flaw("2.1-agent-informational")
def refuses_what_no_skill_announces(agent: PersonalAgent) -> None:
    """A Brand that announces no skill for orders is not spoken to."""
    _require(agent, lambda card: "order" in json.dumps(card.get("skills")).lower())


def _guess(agent: PersonalAgent, interface: Callable[[Answer], str]) -> None:
    """Make a card up where there is none."""
    read_card = agent.read_card

    def read(answer: Answer) -> Card:
        if answer.status != 404:
            return read_card(answer)
        entry = {
            "url": interface(answer),
            "protocolBinding": BINDING,
            "protocolVersion": VERSION,
        }
        scheme = {"httpAuthSecurityScheme": {"scheme": "Bearer", "bearerFormat": "JWT"}}
        made_up = {"supportedInterfaces": [entry], "securitySchemes": {"paJwt": scheme}}
        return Card(made_up, answer.url)

    agent.read_card = read


def _choose(agent: PersonalAgent, fits: Callable[[Interface], bool]) -> None:
    """Take the first interface that fits."""
    agent.choose_interface = lambda card: next(
        (it for it in card.interfaces if fits(it) and it.url), None
    )


def _require(agent: PersonalAgent, has: Callable[[dict[str, object]], bool]) -> None:
    """Refuse a card that lacks something."""
    read_card = agent.read_card

    def read(answer: Answer) -> Card:
        card = read_card(answer)
        if isinstance(card.document, dict) and not has(card.document):
            raise Failure("the card lacks what this agent needs")
        return card

    agent.read_card = read


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
