"""What goes out with an ordinary request (§2), and how a check changes it."""

from pact_conformance.subject.provider import _headers
from pact_conformance.tokens.token import Token

TOKEN = Token("a.b.c", "a token")


def test_an_ordinary_request_names_its_version_and_media_type() -> None:
    sent = _headers(TOKEN, None, has_body=True)

    assert sent == [
        ("Authorization", "Bearer a.b.c"),
        ("A2A-Version", "1.0"),
        ("Content-Type", "application/json"),
    ]


def test_a_mapping_changes_and_removes_headers() -> None:
    sent = _headers(None, {"A2A-Version": None, "X": "y"}, has_body=False)

    assert sent == [("X", "y")]


def test_a_sequence_replaces_all_but_the_token() -> None:
    sent = _headers(TOKEN, [("X", "1"), ("X", "2")], has_body=True)

    assert sent == [("Authorization", "Bearer a.b.c"), ("X", "1"), ("X", "2")]
