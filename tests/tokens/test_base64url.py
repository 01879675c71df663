import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pact_conformance.tokens import base64url


@settings(deadline=None)
@given(st.binary(max_size=80))
def test_bytes_survive(data: bytes) -> None:
    text = base64url.encode(data)

    assert "=" not in text
    assert base64url.decode(text) == data
    assert base64url.decode(text + "=" * (-len(text) % 4)) == data


def test_the_alphabet_is_the_safe_one() -> None:
    assert base64url.encode(b"\xfb\xff") == "-_8"


@pytest.mark.parametrize("text", ["+/8=", "a b", "a", "ä", "\n"])
def test_what_is_not_base64url_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        base64url.decode(text)


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=2**300))
def test_numbers_survive_in_any_size(number: int) -> None:
    assert base64url.integer(base64url.from_integer(number)) == number
    assert len(base64url.decode(base64url.from_integer(number, 40))) == 40


@pytest.mark.parametrize(("number", "text"), [(0, "AA"), (1, "AQ"), (255, "_w"), (256, "AQA")])
def test_a_number_takes_as_many_bytes_as_it_needs(number: int, text: str) -> None:
    assert base64url.from_integer(number) == text


def test_what_is_refused_is_called_so() -> None:
    with pytest.raises(ValueError, match=r"^not base64url$"):
        base64url.decode("a+b")
