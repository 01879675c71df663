"""A Brand's metadata and keys: the documents behind its card (§5.1, RFC 8414, RFC 7517)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import jwt
from cryptography.exceptions import UnsupportedAlgorithm

from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.delegation.oauth import offer
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.store import Brand, Relation
from pact_conformance.counterpart.personal_agent.transport import Request
from pact_conformance.wire.media_types import JSON

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent


class BrandKeys:
    """The keys of Brands that were fetched, by the URL of their set."""

    def __init__(self) -> None:
        self._sets: dict[str, tuple[jwt.PyJWK, ...]] = {}

    def find(self, agent: "PersonalAgent", relation: Relation, kid: object) -> Sequence[jwt.PyJWK]:
        """Return the keys that `kid` names, or all where there is none.

        The set is fetched when it is first needed, and when a name is not in it.

        Raises:
            Failure: it cannot be had.
        """
        url = documents.text(agent.delegation.metadata(agent, relation), "jwks_uri")
        if url is None:
            raise Failure("the Brand does not say where its keys are")
        found = _named(self._sets.get(url, ()), kid)
        if not found:
            document = agent.delegation.fetch_document(agent, relation, url)
            self._sets[url] = agent.delegation.read_keys(document)
            found = _named(self._sets[url], kid)
        return found


def metadata(agent: "PersonalAgent", relation: Relation) -> Any:  # noqa: ANN401 - any JSON value
    """Return the metadata of a Brand's authorization server (RFC 8414).

    Raises:
        Failure: it cannot be had.
    """
    url = offer(agent, relation.brand).metadata_url
    if not url:
        raise Failure("the card names no metadata")
    return agent.delegation.fetch_document(agent, relation, url)


def fetch_document(agent: "PersonalAgent", relation: Relation, url: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the JSON document at a URL: without a token, and with one if the Provider wants it.

    The token goes to no other server than those that the card names.

    Raises:
        Failure: it cannot be had.
    """
    headers = (("Accept", JSON), ("A2A-Version", "1.0"))
    seconds = agent.config.document_seconds

    def asked(*more: tuple[str, str]) -> Request:
        return Request("GET", url, (*headers, *more), seconds=seconds)

    def asked_with_token() -> Request:
        return asked(("Authorization", f"Bearer {agent.mint_token(agent, relation)}"))

    answer = agent.exchange(agent, relation, asked)
    if answer.status == 401 and _origin(url) in named_origins(agent, relation.brand):
        answer = agent.exchange(agent, relation, asked_with_token)
    document = agent.read_document(answer)
    if answer.status != 200 or document is None:
        raise Failure(f"{url} has answered with HTTP {answer.status} and no such document")
    return document


def read_keys(document: object) -> tuple[jwt.PyJWK, ...]:
    """Return the keys of a JWK Set; what is no usable key is passed over (RFC 7517 §5)."""
    entries = documents.member(document, "keys")
    found = (_key(it) for it in entries) if isinstance(entries, list) else ()
    return tuple(key for key in found if key is not None)


def named_origins(agent: "PersonalAgent", brand: Brand) -> frozenset[str]:
    """Return the origins of all URLs that a card names for requests with a token."""
    found = offer(agent, brand)
    urls = (brand.interface.url, found.device_authorization_url, found.token_url)
    return frozenset(_origin(url) for url in (*urls, found.metadata_url) if url)


def _named(keys: Sequence[jwt.PyJWK], kid: object) -> tuple[jwt.PyJWK, ...]:
    return tuple(key for key in keys if kid is None or key.key_id == kid)


def _key(jwk: object) -> jwt.PyJWK | None:
    if not isinstance(jwk, dict):
        return None
    try:
        return jwt.PyJWK(jwk)
    except (jwt.PyJWTError, UnsupportedAlgorithm, ValueError, TypeError, KeyError):
        return None


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc}".lower()
    except ValueError:
        return ""
