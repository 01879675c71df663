"""§5.2 Scopes: what the card lists, what needs none, and what the User reads of them."""

import re
from typing import Any

from pact_conformance import expect
from pact_conformance.delegation import Delegation
from pact_conformance.grants import Grant, Tried
from pact_conformance.rig import requirement
from pact_conformance.wire.card import Card

from .authorizing import Part
from .consenting import shown
from .conversations import Turn

# RFC 6749 §3.3: what a scope can be made of.
SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")


@requirement("5.2-scopes-on-card")
def test_each_scope_has_a_usable_id_and_a_description(card: Card, delegation: Delegation) -> None:
    scopes = _scopes(card, delegation.server.delegation.scheme)
    expect.that(isinstance(scopes, dict) and bool(scopes), "a map of scopes", scopes)
    assert isinstance(scopes, dict)
    unusable = [it for it in scopes if not SCOPE.fullmatch(it)]
    expect.that(not unusable, "ids that OAuth can carry (RFC 6749 §3.3)", unusable)
    bare = [it for it, text in scopes.items() if not isinstance(text, str) or not text.strip()]
    expect.that(not bare, "a description for each scope", f"none for {', '.join(bare)}")


def _scopes(card: Card, scheme: str) -> object:
    found: Any = card.document
    path = ("securitySchemes", scheme, "oauth2SecurityScheme", "flows", "deviceCode", "scopes")
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


@requirement("5.2-unmapped-stays")
def test_what_needs_no_scope_is_served_without_a_token(unmapped: Turn) -> None:
    expect.reply(unmapped.answer)


@requirement("5.2-descriptions-verbatim")
def test_consent_shows_each_description_as_on_the_card(
    delegation: Delegation, part: Tried[Part], none_ticked: Tried[Grant]
) -> None:
    page = shown(delegation, part, none_ticked)
    described = delegation.server.delegation.scopes

    missing = [it for it in delegation.scopes if _plain(described.get(it, "")) not in page.text]
    expect.that(
        not missing,
        "the description of each requested scope, word for word",
        f"a page without those of {', '.join(missing)}",
    )


def _plain(text: str) -> str:
    return " ".join(text.split())
