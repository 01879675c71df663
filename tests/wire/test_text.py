import pytest

from pact_conformance.wire.text import WHITE_SPACE, ZERO_WIDTH, is_blank


def test_unicode_has_25_white_space_characters() -> None:
    assert len(WHITE_SPACE) == 25


def test_python_strips_four_separators_that_are_no_white_space() -> None:
    stripped = {chr(code) for code in range(0x110000) if chr(code).isspace()}

    assert stripped - WHITE_SPACE == set("\x1c\x1d\x1e\x1f")
    assert stripped >= WHITE_SPACE


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u3000\u00a0", "".join(sorted(WHITE_SPACE))])
def test_white_space_alone_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", " a ", "\x1c", *sorted(ZERO_WIDTH)])
def test_anything_else_is_not_blank(text: str) -> None:
    assert not is_blank(text)
