"""§2.2 Operations: where messages are sent, and that nothing else is needed."""

from collections.abc import Mapping
from urllib.parse import urlsplit

import pytest

from pact_conformance import expect
from pact_conformance.rig import requirement

from .failing import Failing
from .playing import Play, is_stray
from .talking import QUERY
from .telling import must_end, must_tell


@requirement("2.2-agent-send-url")
def test_messages_go_below_a_deep_path(deep_interface: Play) -> None:
    _is_sent_below_the_interface(deep_interface)


@requirement("2.2-agent-send-url")
def test_messages_go_below_a_path_that_ends_with_a_slash(slashed_interface: Play) -> None:
    _is_sent_below_the_interface(slashed_interface)


def _is_sent_below_the_interface(play: Play) -> None:
    path = urlsplit(play.scene.interface).path.removesuffix("/") + "/message:send"

    sent = [it for it in play.scene.seen() if it.operation == "message:send" or is_stray(it)]
    expect.that(bool(sent), f"POST {path}", play.came_to)
    expect.that(
        all(it.path == path for it in sent),
        f"POST {path}",
        ", ".join(f"{it.method} {it.path}" for it in sent),
    )


@requirement("2.2-agent-url-query")
def test_the_query_of_an_interface_url_stays_behind_the_path(interface_with_query: Play) -> None:
    path = urlsplit(interface_with_query.scene.interface).path + "/message:send"

    sent = [
        it
        for it in interface_with_query.scene.seen()
        if it.operation == "message:send" or (it.method == "POST" and is_stray(it))
    ]
    expect.that(bool(sent), f"POST {path}?{QUERY}", interface_with_query.came_to)
    for it in sent:
        query = urlsplit(it.url).query
        expect.that(it.path == path, f"POST {path}?{QUERY}", f"POST {it.path}")
        expect.that(query == QUERY, f"POST {path}?{QUERY}", f"the query {query!r}")


@requirement("2.2-agent-only-send")
def test_a_turn_needs_no_other_operation(only_send: Play) -> None:
    if only_send.messages:
        only_send.first.must_be_answered()

    asked = [it.operation for it in only_send.scene.seen() if it.operation != "card"]
    expect.that(
        only_send.first.replied,
        "the reply",
        lambda: f"{only_send.came_to()}, after {', '.join(asked)}",
    )


@requirement("2.2-agent-unknown-brand")
@pytest.mark.parametrize("form", ["empty", "html"])
def test_a_message_that_finds_no_route_has_failed(
    unrouted: Mapping[str, Failing], form: str
) -> None:
    failing = unrouted[form]

    must_end(failing.turn)
    must_tell(failing.turn, *filter(None, [failing.body]))
