"""Finding and reading a Brand's card (§2.1)."""

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from pact_conformance.counterpart.personal_agent.documents import read_json
from pact_conformance.counterpart.personal_agent.failure import Failure, Unanswered
from pact_conformance.counterpart.personal_agent.store import Brand
from pact_conformance.counterpart.personal_agent.transport import Answer, Request
from pact_conformance.wire.card import Card, Interface

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent

WELL_KNOWN = "/.well-known/agent-card.json"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
HOPS = 5
"""How many redirects are followed."""


def connect_by_card(agent: "PersonalAgent", url: str, audience: str) -> Brand:
    """Return the Brand whose card is at a URL.

    Raises:
        Failure: there is no card, or none that the agent can use.
    """
    return _brand(agent, url, agent.fetch_card(agent, url), audience)


def connect_by_domain(agent: "PersonalAgent", domain: str, audience: str) -> Brand:
    """Return the Brand that has a domain, given as a host (with or without port) or an origin.

    Raises:
        Failure: there is no card, or none that the agent can use.
    """
    url = agent.well_known(domain)
    try:
        card = agent.fetch_card(agent, url)
    except Unanswered:
        # A site on this very machine mostly has no certificate.
        if "://" in domain or not is_loopback(url):
            raise
        url = agent.well_known(f"http://{domain}")
        card = agent.fetch_card(agent, url)
    return _brand(agent, url, card, audience)


def well_known(domain: str) -> str:
    """Return the standard place of the card of a Brand's domain (§2.1)."""
    origin = domain if "://" in domain else f"https://{domain}"
    return origin.rstrip("/") + WELL_KNOWN


def fetch_card(agent: "PersonalAgent", url: str) -> Card:
    """Return the card that is served at a URL or where it redirects to; no token is sent.

    Raises:
        Failure: there is none.
    """
    for _ in range(HOPS + 1):
        answer = agent.transport.send(agent.card_request(agent, url))
        if answer.status not in REDIRECTS:
            return agent.read_card(answer)
        url = agent.redirected(answer)
    raise Failure(f"the card is redirected more than {HOPS} times")


def card_request(agent: "PersonalAgent", url: str) -> Request:
    """Return the request for a card."""
    headers = ((name, value(agent)) for name, value in agent.card_headers.items())
    found = tuple((name, value) for name, value in headers if value is not None)
    return Request("GET", url, found, seconds=agent.config.document_seconds)


def redirected(answer: Answer) -> str:
    """Return where a redirect leads.

    Raises:
        Failure: nowhere, or from a protected place to one that is not.
    """
    try:
        url = urljoin(answer.url, answer.headers["location"])
        scheme, host = urlsplit(url).scheme, urlsplit(url).hostname
    except (KeyError, ValueError):
        raise Failure("the card is redirected to nowhere") from None
    if scheme not in ("http", "https") or not host:
        raise Failure(f"the card is redirected to {url!r}")
    if answer.url.startswith("https:") and scheme == "http" and not is_loopback(url):
        raise Failure("the card is redirected to a place without TLS")
    return url


def read_card(answer: Answer) -> Card:
    """Return the card in an answer; the status comes first, whatever the body is.

    Raises:
        Failure: it holds none.
    """
    if answer.status == 404:
        raise Failure("there is no such Brand: its card is not there (404)")
    if answer.status != 200:
        raise Failure(f"the card could not be had: HTTP {answer.status}")
    try:
        document = read_json(answer.body)
    except ValueError:
        raise Failure("what is served as the card is no JSON") from None
    if not isinstance(document, dict):
        raise Failure("what is served as the card is no JSON object")
    return Card(document, answer.url)


def choose_interface(card: Card) -> Interface | None:
    """Return the interface of HTTP+JSON in version 1.0, at whatever position (§2.1)."""
    usable = (it for it in card.interfaces if it.speaks_pact and it.url)
    return next(usable, None)


def accepts_our_jwt(card: Card) -> bool:
    """Say whether the card asks for a personal-agent JWT, under whatever name (§2.1)."""
    return bool(card.jwt_schemes)


def is_loopback(url: str) -> bool:
    """Say whether a URL is one of this machine's own."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _brand(agent: "PersonalAgent", source: str, card: Card, audience: str) -> Brand:
    interface = agent.choose_interface(card)
    if interface is None:
        raise Failure("the card has no interface for HTTP+JSON 1.0")
    if not agent.accepts_our_jwt(card):
        raise Failure("the card does not ask for a personal-agent JWT")
    handle = agent.store.brand_of(source, audience)
    return Brand(handle, source, card, interface, audience)
