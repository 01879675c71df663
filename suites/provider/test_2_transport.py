"""§2 Transport: A2A 1.0 HTTP+JSON, its headers and media types.

That every A2A answer is `application/a2a+json` is a journal rule.
"""

from urllib.parse import urlsplit

from pact_conformance import expect
from pact_conformance.journal.answer import NOT_JSON
from pact_conformance.rig import requirement
from pact_conformance.subject.origins import is_private
from pact_conformance.wire.card import Card

from .conversations import Turn


@requirement("2-version-1-0", "2-request-json")
def test_a_request_of_a2a_1_0_in_json_is_served(opening: Turn) -> None:
    expect.served(opening.answer)


@requirement("2-version-absent")
def test_a_request_without_a_version_is_served(without_version: Turn) -> None:
    expect.served(without_version.answer)


@requirement("2-version-other")
def test_another_version_is_served_or_named_as_not_supported(other_version: Turn) -> None:
    if other_version.answer.status != 200:
        expect.a2a_error(other_version.answer, "VERSION_NOT_SUPPORTED")


@requirement("2-request-a2a-json")
def test_a_request_in_the_media_type_of_a2a_is_served(a2a_media_type: Turn) -> None:
    expect.served(a2a_media_type.answer)


@requirement("2-unknown-members")
def test_members_that_a2a_does_not_know_are_ignored(unknown_members: Turn) -> None:
    expect.served(unknown_members.answer)


@requirement("2-tenant")
def test_the_tenant_of_the_interface_is_honoured(card: Card, opening: Turn) -> None:
    if card.interface is None or card.interface.tenant is None:
        expect.absent("the interface has no tenant")

    expect.served(opening.answer)


@requirement("2-unicode-text")
def test_text_beyond_ascii_and_the_basic_plane_is_served(unicode_text: Turn) -> None:
    expect.served(unicode_text.answer)
    expect.that(
        unicode_text.answer.json is not NOT_JSON,
        "an answer of JSON in UTF-8",
        unicode_text.answer.text,
    )


@requirement("2-https")
def test_the_interface_is_reached_over_https(card: Card) -> None:
    urls = [urlsplit(it.url) for it in card.interfaces if it.speaks_pact]
    public = [url for url in urls if not is_private(url.hostname or "")]
    if not public:
        expect.absent("the interface is on a private test host")

    plain = [url.geturl() for url in public if url.scheme != "https"]
    expect.that(not plain, "https interface urls", ", ".join(plain))
