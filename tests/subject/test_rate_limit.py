from collections.abc import Iterator

import pytest

from pact_conformance.journal.answer import Answer
from pact_conformance.subject.rate_limit import Patience, retry_after
from tests.subject.answers import answer

NOW = 1_000_000_000.0  # Sun, 09 Sep 2001 01:46:40 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("7", 7.0),
        (" 7 ", 7.0),
        ("007", 7.0),
        ("Sun, 09 Sep 2001 01:47:40 GMT", 60.0),
        ("Sun, 09 Sep 2001 01:46:40 GMT", 0.0),
        ("Sun, 09 Sep 2001 01:00:00 GMT", 0.0),  # gone by
        ("Sunday, 09-Sep-01 01:47:40 GMT", 60.0),  # RFC 850's form, obsolete
        ("Sun Sep  9 01:47:40 2001", 60.0),  # asctime's form, obsolete
        (None, None),
        ("", None),
        ("soon", None),
        ("-1", None),
        ("1.5", None),
        ("٣", None),  # a digit, but not of RFC 9110
        ("Sun, 99 Sep 2001 01:47:40 GMT", None),
    ],
)
def test_retry_after_is_read_as_rfc_9110_writes_it(
    value: str | None, seconds: float | None
) -> None:
    assert retry_after(value, NOW) == seconds


def test_a_retry_after_of_absurd_length_is_a_long_wait() -> None:
    seconds = retry_after("9" * 4000, NOW)

    assert seconds is not None
    assert seconds > 3600


def limited(*after: str | None) -> Iterator[Answer]:
    """A 429 with each of these, and then an answer."""
    for value in after:
        yield answer(429, headers=[] if value is None else [("Retry-After", value)])
    yield answer(200)


def test_what_is_not_limited_is_returned_at_once() -> None:
    waits: list[float] = []
    answers = iter([answer(503, headers=[("Retry-After", "1")])])

    got = Patience(60, sleep=waits.append).answer(lambda: next(answers))

    assert (got.status, waits) == (503, [])


def test_a_limit_is_waited_out_as_the_provider_asks() -> None:
    waits: list[float] = []
    answers = limited("3", "0", None, "nonsense")

    got = Patience(60, sleep=waits.append).answer(lambda: next(answers))

    assert got.status == 200
    assert waits == [3.0, 0.5, 1.0, 1.0]


def test_a_wait_beyond_the_longest_is_not_begun() -> None:
    waits: list[float] = []
    answers = limited("61")

    got = Patience(60, sleep=waits.append).answer(lambda: next(answers))

    assert (got.status, waits) == (429, [])


def test_the_longest_holds_for_all_waits_of_one_request_together() -> None:
    waits: list[float] = []
    answers = limited("4", "4", "4")

    got = Patience(10, sleep=waits.append).answer(lambda: next(answers))

    assert (got.status, waits) == (429, [4.0, 4.0])


def test_each_request_has_its_own_waits() -> None:
    waits: list[float] = []
    patience = Patience(10, sleep=waits.append)

    for _ in range(3):
        answers = limited("6")
        assert patience.answer(lambda each=answers: next(each)).status == 200  # type: ignore[misc]

    assert waits == [6.0, 6.0, 6.0]


def test_a_limit_that_never_ends_is_given_up() -> None:
    asked = 0

    def ask() -> Answer:
        nonlocal asked
        asked += 1
        return answer(429, headers=[("Retry-After", "0")])

    got = Patience(1, sleep=lambda _: None).answer(ask)

    assert got.status == 429
    assert asked <= 21
