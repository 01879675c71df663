from datetime import UTC, datetime
from email.utils import format_datetime, formatdate

import pytest

from pact_conformance.journal.answer import Answer
from pact_conformance.subject.clock import UNKNOWN, read
from tests.subject.answers import answer

NOW = 1_800_000_000.25


def dated(offset: float, *, at: float = NOW, elapsed: float = 0.02) -> Answer:
    """An answer of a Provider whose clock is off by this."""
    date = formatdate(int(at + elapsed / 2 + offset), usegmt=True)
    return answer(headers=[("Date", date)], at=at, elapsed=elapsed)


@pytest.mark.parametrize("fraction", [0.0, 0.25, 0.5, 0.75, 0.99])
def test_a_clock_that_agrees_is_off_by_nothing(fraction: float) -> None:
    reading = read([dated(0, at=NOW + fraction)])

    assert reading.known
    assert reading.offset == 0.0
    assert reading.uncertainty < 2.0


@pytest.mark.parametrize("offset", [3600.0, -3600.0, 45.0, -12.0])
def test_a_clock_that_is_off_is_known_within_its_uncertainty(offset: float) -> None:
    reading = read([dated(offset)])

    assert abs(reading.offset - offset) <= reading.uncertainty
    assert reading.uncertainty < 1.1


def test_the_quickest_answer_tells_most() -> None:
    reading = read([dated(100, elapsed=8.0), dated(100, elapsed=0.01), dated(100, elapsed=2.0)])

    assert abs(reading.offset - 100) < 1.01
    assert reading.uncertainty < 1.01


@pytest.mark.parametrize("date", [None, "", "yesterday", "Sun, 99 Sep 2001 01:46:40 GMT", "0"])
def test_without_a_date_nothing_is_known(date: str | None) -> None:
    headers = [] if date is None else [("Date", date)]

    reading = read([answer(headers=headers, at=NOW)])

    assert (reading.offset, reading.uncertainty, reading.known) == (0.0, UNKNOWN, False)


def test_one_good_date_among_bad_ones_is_enough() -> None:
    assert read([answer(headers=[("Date", "?")], at=NOW), dated(600), answer(at=NOW)]).known


def test_no_answers_tell_nothing() -> None:
    assert not read([]).known


def test_a_date_without_zone_is_taken_for_utc() -> None:
    said = format_datetime(datetime.fromtimestamp(NOW, UTC)).replace("+0000", "-0000")

    assert read([answer(headers=[("Date", said)], at=NOW)]).offset == 0.0
