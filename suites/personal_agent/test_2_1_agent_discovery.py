"""§2.1 Agent Card: how the agent finds a card, and what it reads from it."""

from urllib.parse import urlsplit

import pytest

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.subject.agent import Broke, GaveUp
from pact_conformance.subject.seen import Seen
from pact_conformance.verdicts import Untested

from .cards import REDIRECTS, WELL_KNOWN, Missing
from .judging import each_of
from .playing import Play, is_stray
from .telling import must_tell

# Browsers give up earlier.
MOST_HOPS = 50


@requirement("2.1-agent-card-url")
def test_the_card_is_fetched_at_the_url_that_was_given(card_anywhere: Play) -> None:
    scene = card_anywhere.scene

    asked = [it.path for it in scene.seen() if it.method == "GET"]
    expect.that(bool(scene.seen("card")), f"GET {urlsplit(scene.card).path}", asked or "nothing")
    built = [it for it in scene.seen("unmatched") if it.path.endswith(WELL_KNOWN)]
    expect.that(not built, "no URL made from the brandId", ", ".join(it.path for it in built))


@requirement("2.1-agent-brand-domain")
def test_the_card_of_a_domain_is_at_its_standard_place(brand_domain: Play) -> None:
    asked = [it.path for it in brand_domain.scene.seen("domain", "card")]

    expect.that(WELL_KNOWN in asked, f"GET {WELL_KNOWN}", asked or brand_domain.came_to)
    if any(it.message for it in brand_domain.scene.seen("domain")):
        raise Untested("the message went to the domain", do="see 2.1-agent-interface-url")
    expect.that(bool(brand_domain.messages), "then a message", brand_domain.came_to)
    expect.warn_unless(asked[0] == WELL_KNOWN, f"{asked[0]} is asked for first")


@requirement("2.1-agent-redirect")
@pytest.mark.parametrize("status", REDIRECTS)
def test_the_redirect_of_a_domain_is_followed(
    redirecting_domains: dict[int, Play], status: int
) -> None:
    play = redirecting_domains[status]

    expect.that(bool(play.scene.seen("card")), "the card fetched there", lambda: _instead(play))
    if play.lines:
        expect.that(bool(play.messages), "then a message", play.came_to)


@requirement("2.1-agent-redirect")
def test_redirects_in_a_circle_are_left(circling_domain: Play) -> None:
    followed = len(circling_domain.scene.seen("card"))

    expect.warn_unless(followed <= MOST_HOPS, f"{followed} redirects were followed in a circle")
    if isinstance(circling_domain.brand, Broke):
        raise circling_domain.brand


def _instead(play: Play) -> str:
    if isinstance(play.brand, Exception):
        raise play.brand
    asked = ", ".join(it.path for it in play.scene.seen())
    why = f"; {play.brand.reason}" if isinstance(play.brand, GaveUp) else ""
    return f"{asked or 'nothing'} alone{why}"


@pytest.mark.last
@requirement("2.1-agent-card-no-token")
def test_no_token_comes_with_a_card_request(everything: tuple[Seen, ...]) -> None:
    def wrong(request: Seen) -> str | None:
        return "an Authorization header" if request.header("authorization") is not None else None

    asked = [it for it in everything if it.method == "GET"]
    each_of(asked, {"card", "domain"}, wrong, "no token")


@requirement("2.1-agent-unknown-brand")
@pytest.mark.parametrize("form", ["empty", "html"])
def test_no_message_is_sent_where_there_is_no_card(
    missing_cards: dict[str, Missing], form: str
) -> None:
    missing = missing_cards[form]

    _nothing_is_sent(missing.play)
    if missing.play.lines:
        must_tell(missing.play.last, *filter(None, [missing.body]))


@requirement("2.1-agent-picks-by-binding")
def test_the_interface_is_picked_by_its_binding(other_bindings_first: Play) -> None:
    _arrives_at_the_interface(other_bindings_first)


@requirement("2.1-agent-picks-by-version")
def test_the_interface_is_picked_by_its_version(other_versions: Play) -> None:
    _arrives_at_the_interface(other_versions)


@requirement("2.1-agent-no-interface")
def test_no_message_is_sent_where_no_interface_fits(no_interface_of_ours: Play) -> None:
    _nothing_is_sent(no_interface_of_ours)
    must_tell(no_interface_of_ours.last)


@requirement("2.1-agent-no-jwt-scheme")
def test_no_message_is_sent_where_the_jwt_is_not_asked_for(no_jwt_scheme: Play) -> None:
    _nothing_is_sent(no_jwt_scheme)
    must_tell(no_jwt_scheme.last)


@requirement("2.1-agent-interface-url")
def test_messages_go_to_the_interface_and_not_to_where_the_card_is(
    interface_elsewhere: Play,
) -> None:
    _arrives_at_the_interface(interface_elsewhere)


@requirement("2.1-agent-scheme-by-shape")
def test_the_jwt_is_sent_whatever_its_scheme_is_called(renamed_schemes: Play) -> None:
    _arrives_at_the_interface(renamed_schemes)

    (first, *_) = renamed_schemes.messages
    expect.that(first.token is not None, "the personal-agent JWT", "a message without it")


@requirement("2.1-agent-informational")
def test_a_card_needs_no_description_and_no_particular_name_or_skill(bare_card: Play) -> None:
    _arrives_at_the_interface(bare_card)


def _arrives_at_the_interface(play: Play) -> None:
    if not play.scene.seen("card"):
        raise Untested(f"the card was not read: {play.came_to()}", do="see 2.1-agent-card-url")
    expect.that(bool(play.messages), f"a message at {play.scene.interface}", play.came_to)
    strays = [it.path for it in play.scene.seen() if is_stray(it)]
    expect.that(not strays, "a message there alone", f"one at {', '.join(strays)} too")


def _nothing_is_sent(play: Play) -> None:
    sent = [it for it in play.scene.seen() if it.operation == "message:send" or is_stray(it)]
    expect.that(not sent, "no message", ", ".join(f"{it.method} {it.path}" for it in sent))
    if isinstance(play.brand, Exception):
        raise play.brand
