"""However many secrets are known, those that stand in a text are found, and no others."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pact_conformance.journal.known import Known, hits

secrets = st.text("ab%é-", min_size=4, max_size=8)
MANY = [f"another-{number:04}" for number in range(300)]


@settings(deadline=None)
@given(known=st.lists(secrets, max_size=8), pieces=st.lists(secrets, max_size=6))
def test_many_are_found_as_few_are(known: list[str], pieces: list[str]) -> None:
    text = "".join(pieces)
    few, many = Known(), Known()
    few.keep(known, "x")
    many.keep([*MANY, *known], "x")

    expected = {it: "x" for it in known if it in text}
    assert hits([few], text) == expected
    assert hits([many], text) == expected


def test_the_oldest_are_let_go() -> None:
    known = Known(most=2)
    known.keep(["secret-1", "secret-2"], "a")
    known.keep(["secret-1", "secret-3"], "b")
    crowd = Known()
    crowd.keep(MANY, "c")

    text = "secret-1 secret-2 secret-3"
    assert len(known) == 2
    assert hits([known], text) == hits([crowd, known], text) == {"secret-1": "b", "secret-3": "b"}


def test_the_later_names_what_both_know() -> None:
    first, second = Known(), Known()
    first.keep(["secret"], "a")
    second.keep(["secret"], "b")

    assert hits([first, second], "a secret") == {"secret": "b"}
