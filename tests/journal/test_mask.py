"""No secret reaches the journal, whatever form it takes."""

import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus, urlencode

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pact_conformance.journal.exchange import Exchange, Failure
from pact_conformance.journal.mask import Mask
from pact_conformance.journal.named import NAMES
from pact_conformance.journal.placeholder import DELEGATION_TOKEN, JWS, PA_JWT, placeholder
from pact_conformance.journal.recording import Asked, recorded
from pact_conformance.journal.transport import Incoming

unhurried = settings(deadline=None)  # a loaded machine is no finding
JWT = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL3BhIn0.c2lnbmF0dXJl"
PASSWORD = placeholder("password")

secrets = st.text(
    st.sampled_from("aB1+/%&<>\"'\\ =.é€")
    | st.characters(codec="utf-8", exclude_categories=["Cc"]),
    min_size=6,
    max_size=40,
)
codes = st.text("ABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.~", min_size=8, max_size=60)

WAYS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "percent": lambda it: quote(it, safe=""),
    "percent-lower": lambda it: _lowered(quote(it, safe="")),
    "path": quote,
    "form": quote_plus,
    "link-in-link": lambda it: quote(quote(it, safe=""), safe=""),
    "json": lambda it: json.dumps(it)[1:-1],
    "json-unicode": lambda it: json.dumps(it, ensure_ascii=False)[1:-1],
    "json-slashes": lambda it: json.dumps(it)[1:-1].replace("/", "\\/"),
    "json-in-json": lambda it: json.dumps(json.dumps(it)[1:-1])[1:-1],
    "html": html.escape,
    "text-node": lambda it: html.escape(it, quote=False),
}


def _lowered(text: str) -> str:
    return "".join(it if not it.startswith("%") else it.lower() for it in _pieces(text))


def _pieces(text: str) -> list[str]:
    pieces, rest = [], text
    while rest:
        size = 3 if rest.startswith("%") else 1
        pieces.append(rest[:size])
        rest = rest[size:]
    return pieces


def asked(
    url: str = "http://h/", body: bytes | None = None, *headers: tuple[str, str], purpose: str = ""
) -> Asked:
    return Asked(
        id="main-1",
        at=0.0,
        operation="other",
        purpose=purpose,
        method="POST",
        url=url,
        headers=headers,
        content=body,
        token=None,
        credentials="none",
        turn=False,
        caused=False,
    )


def incoming(body: bytes = b"", *headers: tuple[bytes, bytes]) -> Incoming:
    return Incoming(200, list(headers), body, "HTTP/1.1")


def texts_of(exchange: Exchange) -> list[str]:
    sent, answer, failure = exchange.sent, exchange.answer, exchange.failure
    texts = [exchange.purpose, sent.url, sent.body or "", *(value for _, value in sent.headers)]
    if answer:
        texts += [answer.body, *(value for _, value in answer.headers)]
    if failure:
        texts.append(failure.message)
    return texts


def survives(secret: str, exchange: Exchange) -> bool:
    ways = {way(secret) for way in WAYS.values()}
    return any(way in text for way in ways for text in texts_of(exchange))


def everywhere(text: str, mask: Mask) -> Exchange:
    """Record an exchange that holds a text in every place that a text can have."""
    raw = text.encode("utf-8")
    return recorded(
        asked(f"http://h/?q={text}#", raw, ("X-Any", text), purpose=text),
        incoming(raw, (b"x-any", raw)),
        0.1,
        mask,
    )


@pytest.mark.parametrize("way", sorted(WAYS))
@unhurried
@given(secret=secrets, around=st.tuples(secrets, secrets))
def test_an_added_secret_survives_in_no_form(
    way: str, secret: str, around: tuple[str, str]
) -> None:
    before, after = around
    empty = everywhere(before + after, Mask())
    assume(not survives(secret, empty))
    assume(secret not in PASSWORD)
    mask = Mask()
    mask.add(secret, "password")

    assert not survives(secret, everywhere(before + WAYS[way](secret) + after, mask))


@unhurried
@given(secret=secrets, other=secrets)
def test_a_secret_inside_of_another_hides_neither(secret: str, other: str) -> None:
    mask = Mask()
    mask.add(secret, "a")
    mask.add(secret + other, "b")

    assert mask.apply(f"{secret}{other} {secret}") == f"{placeholder('b')} {placeholder('a')}"


def test_a_secret_that_is_the_name_of_its_placeholder_is_masked_once() -> None:
    mask = Mask()
    mask.add("password", "password")
    mask.add("word", "word")

    assert mask.apply("a password") == f"a {PASSWORD}"


def test_a_very_short_secret_does_not_garble_everything() -> None:
    mask = Mask()
    mask.add("a2a", "password")

    assert mask.apply("a2a-protocol.org") == "a2a-protocol.org"


PLACES: dict[str, Callable[[str, str], str]] = {
    "member": lambda name, value: json.dumps({"a": 1, name: value, "b": 2}),
    "indented": lambda name, value: json.dumps({name: value}, indent=2),
    "unicode-member": lambda name, value: json.dumps({name: value}, ensure_ascii=False),
    "member-in-text": lambda name, value: json.dumps({"log": json.dumps({name: value})}),
    "form": lambda name, value: urlencode({"a": 1, name: value, "b": 2}),
    "link": lambda name, value: json.dumps({"uri": f"https://b/?r={quote(f'{name}={value}&x')}"}),
    "input": lambda name, value: f'<input type=hidden name="{name}" value="{html.escape(value)}">',
    "input-turned": lambda name, value: f"<input value='{html.escape(value)}' name={name} />",
    "cut-off": lambda name, value: json.dumps({name: value})[:-2],
}


@unhurried
@given(name=st.sampled_from(NAMES), value=codes, place=st.sampled_from(sorted(PLACES)))
def test_what_stands_behind_a_secret_name_is_masked_everywhere(
    name: str, value: str, place: str
) -> None:
    assume(not value.startswith("-"))
    body = PLACES[place](name, value)
    exchange = recorded(
        asked(f"http://h/{value}", None),
        incoming(body.encode(), (b"location", value.encode())),
        0.1,
        Mask(),
    )

    assert not survives(value, exchange)


@unhurried
@given(value=secrets)
def test_a_member_stays_json(value: str) -> None:
    masked = Mask().apply(json.dumps({"password": value, "user": "jane"}))

    assert json.loads(masked)["user"] == "jane"
    assert json.loads(masked)["password"] == (PASSWORD if value else "")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('{"password": 1234}', f'{{"password": "{PASSWORD}"}}'),
        ('{"password": null}', '{"password": null}'),
        (
            '{"flows": {"password": {"tokenUrl": "x"}}}',
            '{"flows": {"password": {"tokenUrl": "x"}}}',
        ),
        ("password=", "password="),
        ("grant_type=urn:ietf:params:oauth:grant-type:device_code", None),
        ('{"error": "bad password"}', None),
        (
            '{"user_code": "WDJB-MJHT", "uri": "https://b/?r=%3Fuser_code%3DWDJB-MJHT"}',
            (
                f'{{"user_code": "{placeholder("user_code")}", '
                f'"uri": "https://b/?r=%3Fuser_code%3D{placeholder("user_code")}"}}'
            ),
        ),
    ],
)
def test_only_the_value_behind_a_name_is_masked(text: str, masked: str | None) -> None:
    assert Mask().apply(text) == (text if masked is None else masked)


def test_a_plain_word_behind_a_name_is_not_masked_elsewhere() -> None:
    masked = Mask().apply('{"password": "string", "type": "string"}')

    assert masked == f'{{"password": "{PASSWORD}", "type": "string"}}'


@pytest.mark.parametrize(
    "token",
    [
        pytest.param(JWT, id="signed"),
        pytest.param(JWT[: JWT.rindex(".") + 1], id="no-signature"),
        pytest.param(JWT[: JWT.rindex(".")], id="two-segments"),
        pytest.param(f"{JWT}.a.b", id="five-segments"),
        pytest.param(JWT.replace(".", "%2E"), id="encoded-dots"),
        pytest.param(f"{JWT}==", id="padded"),
        pytest.param("eyAiYWxnIjogIm5vbmUifQ.eyAiaXNzIjogIngifQ.", id="blank-after-brace"),
        pytest.param("e30.eyAiaXNzIjogIngifQ.abc", id="empty-header"),
    ],
)
def test_what_looks_like_a_token_is_masked(token: str) -> None:
    assert Mask().apply(f"a={token}, b") == f"a={JWS}, b"


@pytest.mark.parametrize(
    "text",
    ["provider.example.com", "news.example.com", "eyebrow.example.com", "review eyJ", "e30.org"],
)
def test_what_does_not_look_like_a_token_stays(text: str) -> None:
    assert Mask().apply(text) == text


@pytest.mark.parametrize(
    ("name", "value", "masked"),
    [
        ("Authorization", f"Bearer {JWT}", f"Bearer {PA_JWT}"),
        ("authorization", "bearer not.a.token at all", f"bearer {PA_JWT}"),
        ("Authorization", "Basic dXNlcjpwYXNz", f"Basic {placeholder('credentials')}"),
        ("Authorization", "secret", PA_JWT),
        ("Authorization", "secret secret", PA_JWT),
        ("Authorization", "Bearer", "Bearer"),
        ("Authorization", "Bearer ", "Bearer "),
        ("Authorization", "", ""),
        ("X-A2A-User-Delegation", f"Bearer {JWT}", f"Bearer {DELEGATION_TOKEN}"),
        ("X-A2A-User-Delegation", JWT, DELEGATION_TOKEN),
        ("Cookie", "session=1", placeholder("cookie")),
        ("Set-Cookie", "session=1; Path=/", placeholder("cookie")),
        ("X-Gateway", "key", placeholder("x-gateway")),
        ("X-Other", "Bearer x", "Bearer x"),
    ],
)
def test_secret_headers_keep_their_scheme_at_most(name: str, value: str, masked: str) -> None:
    mask = Mask()
    mask.hide_headers(["X-Gateway"])

    assert mask.headers([(name, value)]) == [(name, masked)]


def test_the_token_that_is_sent_is_masked_by_value() -> None:
    mask = Mask()
    mask.remember("not+a/token=at all", "pa-jwt")

    assert mask.apply("got not%2Ba%2Ftoken%3Dat%20all") == f"got {PA_JWT}"


def test_recent_tokens_are_masked_and_older_ones_let_go() -> None:
    mask = Mask()
    for number in range(1000):
        mask.remember(f"garbage-token-{number:04}", "pa-jwt")

    assert mask.apply("garbage-token-0999") == PA_JWT
    assert mask.apply("garbage-token-0000") == "garbage-token-0000"


def test_a_secret_among_bytes_that_are_no_text_is_masked() -> None:
    mask = Mask()
    mask.add("open sesame", "password")

    exchange = recorded(asked("http://h/", b"\xff open sesame"), incoming(), 0.1, mask)

    assert exchange.sent.base64
    assert exchange.sent.body == "/yDigLlwYXNzd29yZOKAug=="


def test_a_failure_message_is_masked() -> None:
    mask = Mask()
    mask.add("open sesame", "password")
    failed = recorded(asked(), Failure("url", "'http://open sesame' is no URL"), 0.1, mask)

    assert failed.failure == Failure("url", f"'http://{PASSWORD}' is no URL")


def test_a_secret_across_the_cut_is_masked_before_the_cut() -> None:
    mask = Mask()
    mask.add("open sesame", "password")
    body = b"x" * (64 * 1024 - 4) + b"open sesame"
    exchange = recorded(asked(), incoming(body), 0.1, mask)

    assert exchange.answer is not None
    assert exchange.answer.truncated
    assert exchange.answer.body.endswith(f"x{PASSWORD[:4]}")
