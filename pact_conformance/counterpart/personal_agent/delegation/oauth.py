"""Requests to a Brand's authorization server, and what it answers (§5.3, RFC 6749, RFC 8628)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.failure import Failure, Unsendable
from pact_conformance.counterpart.personal_agent.store import Brand, Relation
from pact_conformance.counterpart.personal_agent.transport import Answer, Request
from pact_conformance.wire.card import Delegation as Offer
from pact_conformance.wire.media_types import FORM, JSON

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent

OAuthHeader = Callable[["PersonalAgent", Relation], str | None]
"""Gives the value of a header; None leaves it out."""


@dataclass(frozen=True)
class Endpoints:
    """Where a Brand's authorization server is asked."""

    device_authorization: str
    token: str
    refresh: str


class OAuthError(Failure):
    """The authorization server has refused, and said why by a code (RFC 6749 §5.2)."""

    def __init__(self, code: str) -> None:
        super().__init__(f"the Brand has refused: {code}")
        self.code = code


def find_offer(brand: Brand) -> Offer | None:
    """Return the Brand's offer of delegation, found by its device code flow (§5.1)."""
    return brand.card.delegation


def offer(agent: "PersonalAgent", brand: Brand) -> Offer:
    """Return the Brand's offer of delegation.

    Raises:
        Failure: it makes none.
    """
    found = agent.delegation.find_offer(brand)
    if found is None:
        raise Failure("the Brand does not offer delegation")
    return found


def endpoints(agent: "PersonalAgent", relation: Relation) -> Endpoints:
    """Return the endpoints that the card names, or else the metadata behind it (§5.1).

    Raises:
        Failure: neither does.
    """
    found = offer(agent, relation.brand)
    device, token = found.device_authorization_url, found.token_url
    if not (device and token):
        metadata = agent.delegation.metadata(agent, relation)
        device = device or documents.text(metadata, "device_authorization_endpoint") or ""
        token = token or documents.text(metadata, "token_endpoint") or ""
    if not (device and token):
        raise Failure("the Brand does not say where to ask for delegation")
    return Endpoints(device, token, found.refresh_url or token)


def oauth_headers() -> dict[str, OAuthHeader]:
    """Return the headers of every OAuth request, each by itself."""
    return {
        "Authorization": lambda agent, relation: f"Bearer {agent.mint_token(agent, relation)}",
        "A2A-Version": lambda _agent, _relation: "1.0",
        "Content-Type": lambda _agent, _relation: FORM,
        "Accept": lambda _agent, _relation: JSON,
    }


def client_id(agent: "PersonalAgent", _relation: Relation) -> str:
    """Return the `client_id`: the agent's issuer URL (§5)."""
    return agent.issuer


def oauth_request(
    agent: "PersonalAgent", relation: Relation, url: str, form: Mapping[str, str]
) -> Request:
    """Return a request to an OAuth endpoint: a form, with the agent's JWT beside it."""
    headers = {
        name: value(agent, relation) for name, value in agent.delegation.oauth_headers.items()
    }
    found = tuple((name, value) for name, value in headers.items() if value is not None)
    body = agent.delegation.encode_form(form)
    return Request("POST", url, found, body, agent.config.document_seconds)


def encode_form(form: Mapping[str, str]) -> bytes:
    """Return a form as it is sent.

    Raises:
        Unsendable: what a Brand has given holds half a character.
    """
    try:
        return urlencode(form).encode()
    except UnicodeEncodeError:
        raise Unsendable("the Brand has given what cannot be sent back") from None


def post(agent: "PersonalAgent", relation: Relation, url: str, form: Mapping[str, str]) -> Any:  # noqa: ANN401 - a JSON object
    """Send a form and return the object of a good answer.

    Raises:
        OAuthError: the server has refused with a code.
        Failure: anything else.
    """
    make = agent.delegation.oauth_request
    answer = agent.exchange(agent, relation, lambda: make(agent, relation, url, form))
    return agent.delegation.read_oauth(agent, answer)


def read_oauth(agent: "PersonalAgent", answer: Answer) -> Any:  # noqa: ANN401 - a JSON object
    """Return the object of a good answer.

    Raises:
        OAuthError: the server has refused with a code, whatever the status says beside it.
        Failure: anything else.
    """
    document = agent.read_document(answer)
    if answer.status == 200 and isinstance(document, dict):
        return document
    code = documents.text(document, "error")
    if answer.status != 200 and code is not None:
        raise OAuthError(code)
    raise Failure(f"the Brand's authorization server has answered with HTTP {answer.status}")
