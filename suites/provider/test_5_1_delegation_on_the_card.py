"""§5.1 Card: what a Brand declares that offers delegation, and the documents that it points to."""

from typing import Any
from urllib.parse import urlsplit

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.expect.answers import describe
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import requirement
from pact_conformance.subject.origins import is_private
from pact_conformance.verdicts import Untested
from pact_conformance.wire.card import Card
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT
from pact_conformance.wire.schema import problems

from .conversations import Turn

# What a key has to be for the two algorithms of §5.4: its type, and its curve where it has one.
FIT = ({"kty": "EC", "crv": "P-256"}, {"kty": "RSA"})


@requirement("5.1-scheme")
def test_the_card_declares_a_device_code_flow(card: Card) -> None:
    offer = card.delegation
    expect.that(
        offer is not None,
        "an oauth2SecurityScheme with a deviceCode flow, for delegation is claimed",
        "a card that offers no delegation",
    )
    assert offer is not None
    for url, name in (
        (offer.device_authorization_url, "deviceAuthorizationUrl"),
        (offer.token_url, "tokenUrl"),
    ):
        expect.that(_is_http_url(url), f"an absolute http(s) URL as {name}", url or "nothing")
    expect.that(bool(offer.scopes), "a map of scopes", "no scope")


def _is_http_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


@requirement("5.1-second-requirement")
def test_one_entry_requires_both_schemes_together(card: Card, delegation: Delegation) -> None:
    scheme = delegation.server.delegation.scheme
    expect.that(
        card.delegation_beside_jwt,
        f"an entry of securityRequirements that names the JWT's scheme and {scheme}",
        [sorted(entry) for entry in card.requirements],
    )


@requirement("5.1-jwt-entry-stays")
def test_the_entry_that_requires_the_jwt_alone_stays(card: Card, delegation: Delegation) -> None:
    del delegation
    expect.that(
        card.jwt_alone,
        "an entry of securityRequirements that names the JWT's scheme alone",
        [sorted(entry) for entry in card.requirements],
    )


@requirement("5.1-section-3-alone")
def test_a_user_without_a_delegation_token_is_served(undelegated: Turn) -> None:
    expect.served(undelegated.answer)
    expect.reply_or_task(undelegated.answer)


@requirement("5.1-metadata")
def test_the_metadata_names_the_endpoints_of_the_card(delegation: Delegation) -> None:
    server = delegation.server
    expect.that(bool(server.delegation.metadata_url), "an oauth2MetadataUrl on the card", "none")
    document = _document(server.metadata)

    found = problems(document, "authorization-server-metadata")
    expect.that(not found, "metadata of RFC 8414", "; ".join(found))
    endpoints = {
        "token_endpoint": server.delegation.token_url,
        "device_authorization_endpoint": server.delegation.device_authorization_url,
    }
    for member, url in endpoints.items():
        if not _is_http_url(url):
            continue
        named = document.get(member)
        expect.that(_same(named, url), f"{member} {url}, as on the card", named)
        expect.warn_unless(named == url, f"{member} and the card differ by a trailing slash")
    if not all(_is_http_url(url) for url in endpoints.values()):
        raise Untested(
            "the card lacks an endpoint to compare the metadata with", do="see 5.1-scheme"
        )


def _same(named: object, url: str) -> bool:
    return isinstance(named, str) and named.rstrip("/") == url.rstrip("/")


def _document(answer: Answer) -> dict[str, Any]:
    body = expect.a2a_result(answer)
    expect.that(isinstance(body, dict), "200 with a JSON object", describe(answer))
    assert isinstance(body, dict)
    return body


@requirement("5.1-metadata-open")
def test_the_metadata_and_the_keys_are_open_to_anybody(delegation: Delegation) -> None:
    server = delegation.server
    _is_open(server.metadata_without_token, "see 5.1-metadata")
    _is_open(server.keys_without_token, "see 5.1-jwks")


def _is_open(answer: Answer, do: str) -> None:
    """Demand that nobody is turned away; whether what is served is any good is judged elsewhere."""
    if answer.status not in {200, 401, 403}:
        raise Untested(f"it is not served at all: {describe(answer)}", do=do)
    expect.that(answer.status == 200, "200 without a token", describe(answer))


@requirement("5.1-metadata-complete")
def test_the_metadata_says_what_a_client_may_ask_for(delegation: Delegation) -> None:
    answer = delegation.server.metadata
    document = answer.json
    if answer.status != 200 or not isinstance(document, dict):
        raise Untested(f"no metadata is served: {describe(answer)}", do="see 5.1-metadata")

    types, grants = (
        document.get(name) for name in ("response_types_supported", "grant_types_supported")
    )
    expect.that(isinstance(types, list), "response_types_supported, which may be empty", types)
    expect.that(
        isinstance(grants, list) and DEVICE_CODE_GRANT in grants,
        f"grant_types_supported with {DEVICE_CODE_GRANT}",
        grants,
    )


@requirement("5.1-jwks")
def test_the_keys_are_public_and_fit_to_verify(delegation: Delegation) -> None:
    document = _document(delegation.server.keys)

    found = problems(document, "jwks")
    expect.that(not found, "a JWK Set of public keys", "; ".join(found))
    kinds = [{name: key.get(name) for name in ("kty", "crv")} for key in document["keys"]]
    expect.that(
        any(fit.items() <= kind.items() for fit in FIT for kind in kinds),
        "a key fit for ES256 or RS256",
        kinds,
    )


@requirement("5.1-https")
def test_the_urls_of_delegation_are_https(delegation: Delegation) -> None:
    server = delegation.server
    offer = server.delegation
    urls = [offer.device_authorization_url, offer.token_url, offer.metadata_url, offer.refresh_url]
    try:
        urls += [server.jwks_uri, server.issuer]
    except Untested:
        expect.note("the metadata could not be read: see 5.1-metadata")
    public = [url for url in urls if url and not is_private(urlsplit(url).hostname or "")]
    if not public:
        expect.absent("the authorization server is on a private test host")

    plain = sorted({url for url in public if urlsplit(url).scheme != "https"})
    expect.that(not plain, "https URLs", ", ".join(plain))
