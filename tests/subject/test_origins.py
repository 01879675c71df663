"""Where tokens of the tester's may go."""

import pytest

from pact_conformance.subject.origins import may_get_tokens, origin

CARD = "https://provider.example/a2a/b/.well-known/agent-card.json"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://Provider.example:443/a2a", "https://provider.example"),
        ("http://provider.example:8080/", "http://provider.example:8080"),
        ("https://[2001:DB8::1]/a", "https://[2001:db8::1]"),
    ],
)
def test_an_origin_is_scheme_host_and_unusual_port(url: str, expected: str) -> None:
    assert origin(url) == expected


def test_tokens_go_to_the_origin_that_serves_the_card() -> None:
    assert may_get_tokens("https://provider.example:443/a2a/b", CARD, ())


@pytest.mark.parametrize(
    "interface",
    [
        "https://stranger.example/a2a/b",
        "http://provider.example/a2a/b",
        "https://provider.example:8443/a2a/b",
        "https://provider.example.stranger.example/a2a/b",
        "https://provider.example@stranger.example/a2a/b",
    ],
)
def test_tokens_go_nowhere_else_unless_it_is_allowed(interface: str) -> None:
    assert not may_get_tokens(interface, CARD, ())
    assert may_get_tokens(interface, CARD, (interface,))


def test_tokens_may_go_to_a_server_on_this_machine() -> None:
    assert may_get_tokens("http://localhost:8750/a2a/b", CARD, ())
