"""Strategies for JSON values of any shape, with a bias to the members that a reader looks for."""

from hypothesis import strategies as st

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)


def json_values(*names: str) -> st.SearchStrategy[object]:
    """Any JSON value; `names` are likely among the members of its objects."""
    keys = st.sampled_from(names) | st.text(max_size=8) if names else st.text(max_size=8)
    return st.recursive(
        _SCALARS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=6),
        max_leaves=20,
    )
