"""WWW-Authenticate is read by the grammar of RFC 9110 §11, and by nothing laxer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pact_conformance.journal.challenges import Challenge, MalformedChallenge, read_challenges

unhurried = settings(deadline=None)  # a loaded machine is no finding
BEARER = Challenge("Bearer", (("realm", "a2a"),))
TOKEN_CHARACTERS = "!#$%&'*+-.^_`|~09azAZ"

tokens = st.text(TOKEN_CHARACTERS, min_size=1, max_size=8)
spaces = st.text(" \t", max_size=2)
texts = st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_categories=["Cc"]))


@st.composite
def written(draw: st.DrawFn) -> tuple[str, tuple[Challenge, ...]]:
    """Return a header value in one of its many spellings, and what it says."""
    value, challenges = "", []
    for _ in range(draw(st.integers(1, 3))):
        scheme = draw(tokens)
        comma = "," if value else draw(st.sampled_from(["", ","]))
        value += draw(spaces) + comma + draw(spaces) + scheme
        if draw(st.booleans()):
            token68 = draw(st.text("aZ09-._~+/", min_size=1)) + draw(
                st.sampled_from(["", "=", "=="])
            )
            value += f" {token68}"
            challenges.append(Challenge(scheme, token68=token68))
            continue
        names = draw(st.lists(tokens, max_size=3, unique_by=str.lower))
        pairs = [(name.lower(), draw(texts)) for name in names]
        value += " " * draw(st.integers(1, 2)) if names else ""
        value += draw(st.sampled_from([", ", ",", " ,, "])).join(
            f"{name}{draw(spaces)}={draw(spaces)}{draw(quotings(text))}"
            for name, (_, text) in zip(names, pairs, strict=True)
        )
        challenges.append(Challenge(scheme, tuple(pairs)))
    return value + draw(st.sampled_from(["", ",", " , ", "\t"])), tuple(challenges)


def quotings(text: str) -> st.SearchStrategy[str]:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    ways = [f'"{escaped}"', '"' + "".join(f"\\{it}" for it in text) + '"']
    if text and set(text) <= set(TOKEN_CHARACTERS):
        ways.append(text)
    return st.sampled_from(ways)


@unhurried
@given(written())
def test_every_spelling_is_read(case: tuple[str, tuple[Challenge, ...]]) -> None:
    value, challenges = case

    assert read_challenges(value) == challenges


@unhurried
@given(st.text() | st.text('Bearer realm="a2,=\\ \t'))
def test_anything_else_is_malformed_and_never_a_crash(value: str) -> None:
    try:
        challenges = read_challenges(value)
    except MalformedChallenge:
        return

    assert all(it.scheme for it in challenges)


@pytest.mark.parametrize(
    ("value", "challenges"),
    [
        ("", ()),
        (" , ,", ()),
        ('Bearer realm="a2a"', (BEARER,)),
        ('Bearer REALM\t=\t"a2a" ,', (BEARER,)),
        ('Bearer ,realm="a2a"', (BEARER,)),
        ("Bearer, Basic", (Challenge("Bearer"), Challenge("Basic"))),
        (
            'Negotiate ab/c==, Bearer realm="a2a"',
            (Challenge("Negotiate", token68="ab/c=="), BEARER),
        ),
        (
            'Newauth realm="apps", type=1, title="Login to \\"apps\\"", Basic realm="simple"',
            (
                Challenge(
                    "Newauth", (("realm", "apps"), ("type", "1"), ("title", 'Login to "apps"'))
                ),
                Challenge("Basic", (("realm", "simple"),)),
            ),
        ),
        ("Bearer realm=", (Challenge("Bearer", token68="realm="),)),  # token68 may end like that
        ("Bearer realm", (Challenge("Bearer", token68="realm"),)),
    ],
)
def test_a_value_says(value: str, challenges: tuple[Challenge, ...]) -> None:
    assert read_challenges(value) == challenges


@pytest.mark.parametrize(
    "value",
    [
        'realm="a2a"',
        'Bearer realm="a2a',
        "Bearer realm='a2a' x",
        'Bearer realm="a2a" error="x"',
        'Bearer realm="a2a"error="x"',
        'Bearer realm="a2a"; error="x"',
        'Bearer realm="a", Realm="b"',
        'Bearer realm="a" Basic',
        "Bearer\trealm=a2a",
        "Bearer abc, x=y",
        "Bearer abc Basic",
        "Bearer realm=a b",
        "Bearer: realm=x",
        '"Bearer"',
        'Bearer realm="a\x00"',
    ],
)
def test_what_is_against_the_grammar_is_malformed(value: str) -> None:
    with pytest.raises(MalformedChallenge):
        read_challenges(value)


def test_a_long_value_is_read_in_linear_time() -> None:
    value = 'Bearer realm="' + "\\a" * 50_000
    with pytest.raises(MalformedChallenge):
        read_challenges(value)
