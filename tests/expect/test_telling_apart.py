"""What tells a foreign context from an unknown one is said by its name and both its values."""

import pytest

from pact_conformance.expect.likeness import indistinguishable
from pact_conformance.journal.answer import Answer
from pact_conformance.verdicts import Deviation
from tests.subject.answers import answer


def told(foreign: Answer, unknown: Answer) -> tuple[str, str]:
    with pytest.raises(Deviation) as ended:
        compare(foreign, unknown)
    return ended.value.expected, ended.value.got


def compare(foreign: Answer, unknown: Answer) -> None:
    indistinguishable(
        foreign, "foreign", {"u-1": unknown, "u-2": unknown}, what="a foreign context"
    )


@pytest.mark.parametrize(
    ("foreign", "unknown", "difference"),
    [
        (answer(403, b""), answer(404, b""), "status: '403' instead of '404'"),
        (answer(404, b"a"), answer(404, b"b"), "body: 'a' instead of 'b'"),
        (
            answer(404, b"", headers=[("X-A", "1")]),
            answer(404, b""),
            "header x-a: '1' instead of 'absent'",
        ),
        (
            answer(404, b'{"a": 1}'),
            answer(404, b'{"a":1}'),
            "white space in the body: '1' instead of '0'",
        ),
        (
            answer(404, {"at": "2026-11-30T04:00:00Z foreign a"}),
            answer(404, {"at": "2025-01-01T00:00Z b"}),
            "body.at: \"'(a time) … a'\" instead of \"'(a time) b'\"",
        ),
    ],
)
def test_what_differs_is_told_with_both_values(
    foreign: Answer, unknown: Answer, difference: str
) -> None:
    expected, got = told(foreign, unknown)

    assert expected.startswith(
        "the answer about a foreign context to look like that about an unknown one (404 with "
    )
    assert got.startswith(f"{foreign.status} with ")
    assert f"; telling them apart: {difference}" in got


def test_the_first_four_differences_are_told() -> None:
    _, got = told(answer(404, dict.fromkeys("abcdef", 1)), answer(404, dict.fromkeys("abcdef", 2)))
    shown = "; ".join(f"body.{it}: '1' instead of '2'" for it in "abcd")

    assert got.endswith(f"; telling them apart: {shown}")


def test_white_space_within_texts_is_no_layout() -> None:
    compare(answer(404, b'{"a":"2026-11-30 04:00"}'), answer(404, b'{"a":"2026-11-30T04:00"}'))


def test_an_id_of_eight_characters_is_found_within_a_word() -> None:
    said = {it: answer(404, f"no x{it}x".encode()) for it in ("abcdefgh", "ijklmnop-", "qrstuvwx-")}
    foreign = said.pop("abcdefgh")

    indistinguishable(foreign, "abcdefgh", said, what="a foreign context")
