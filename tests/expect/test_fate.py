"""What must become of a token that is data, by the word that its row has for it."""

from dataclasses import dataclass

import pytest

from pact_conformance import expect
from pact_conformance.tokens.forgery import Result
from pact_conformance.verdicts import Deviation, notebook
from tests.subject.answers import answer


@dataclass(frozen=True)
class Row:
    result: Result
    comment: str = "an odd one"


@pytest.mark.parametrize(
    ("result", "taken"),
    [
        ("refused", {401}),
        ("accepted", {200, 400, 404}),
        ("either", {200, 400, 401, 404}),
        ("warn-if-accepted", {200, 400, 401, 404}),
        ("warn-if-refused", {200, 400, 401, 404}),
    ],
)
def test_a_row_takes_these_statuses_alone(result: Result, taken: set[int]) -> None:
    def takes(status: int) -> bool:
        try:
            expect.fate(answer(status), Row(result))
        except Deviation:
            return False
        return True

    assert {it for it in (200, 400, 401, 404, 500) if takes(it)} == taken


@pytest.mark.parametrize(
    ("result", "status", "warnings"),
    [
        ("warn-if-accepted", 200, ["accepted: an odd one"]),
        ("warn-if-accepted", 401, []),
        ("warn-if-refused", 401, ["refused: an odd one"]),
        ("warn-if-refused", 200, []),
        ("accepted", 200, []),
        ("either", 401, []),
    ],
)
def test_what_should_not_be_warns(result: Result, status: int, warnings: list[str]) -> None:
    with notebook() as book:
        expect.fate(answer(status), Row(result))

    assert book.warnings == warnings
