import pytest
from hypothesis import given
from hypothesis import strategies as st

from pact_conformance.fuzz.example import Change, Example, NoExample, parse

VALUES = st.one_of(st.text(), st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False))
CHANGES = st.builds(Change, st.text(min_size=1), st.lists(VALUES, max_size=3).map(tuple))
EXAMPLES = st.builds(Example, st.text(), st.lists(CHANGES, max_size=3).map(tuple))


@given(EXAMPLES)
def test_an_example_is_read_back_as_it_was(example: Example) -> None:
    assert parse(example.text) == example


@given(EXAMPLES)
def test_the_text_of_an_example_needs_single_quotes_and_nothing_else(example: Example) -> None:
    assert example.text.isascii()
    assert example.text.isprintable()
    assert "'" not in example.text


@pytest.mark.parametrize(
    "text", ["", "forged-tokens", "[]", "{}", '["f",1]', '["f",[1]]', "[1]", '["f",["k",[]]]']
)
def test_what_is_no_example_is_told(text: str) -> None:
    with pytest.raises(NoExample, match="expected"):
        parse(text)
