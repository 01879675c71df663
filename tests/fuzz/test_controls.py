"""What is said of a control that did not get through."""

import httpx
import pytest

from pact_conformance.fuzz import controls
from pact_conformance.journal.answer import Answer


def answer(status: int, *headers: tuple[str, str]) -> Answer:
    return Answer(status, httpx.Headers(headers), b"", 0.0, "main-1", "message:send", 0.0)


@pytest.mark.parametrize(
    ("headers", "got"),
    [
        ([("Retry-After", "3600")], "429 with Retry-After: 3600"),
        ([], "429"),
        ([("Retry-After", "\x1b[31m")], "429"),
    ],
)
def test_a_rate_limit_is_called_one(headers: list[tuple[str, str]], got: str) -> None:
    why = controls.failed("a good token", answer(429, *headers), do="see to it")

    assert why.reason == f"the control failed: a good token got {got}, {controls.PROVES_NOTHING}"
    assert "--pact-fuzz-rate" in why.do
    assert "--pact-max-wait" in why.do


def test_anything_else_is_to_be_seen_to() -> None:
    why = controls.failed("a good token", answer(401), do="see to it", because="")

    assert why.reason == "the control failed: a good token got 401 with an empty body"
    assert why.do == "see to it"
