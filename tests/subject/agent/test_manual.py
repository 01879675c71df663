"""The agent used by a person at a terminal."""

import time
from collections.abc import Iterable

import pytest

from pact_conformance.journal.mask import Mask
from pact_conformance.subject.agent import (
    AgentUnderTest,
    Broke,
    GaveUp,
    NeedsSignIn,
    Reply,
)
from pact_conformance.subject.agent.manual import ManualWay
from pact_conformance.verdicts import Notebook, Untested, notebook

from .driving import CARD, JANE

LINK = "https://brand.example/login?user_code=WDJB-MJHT"


class Person:
    """Answers from a list, and keeps what was shown."""

    def __init__(self, answers: Iterable[str] = ()) -> None:
        self.answers = list(answers)
        self.shown: list[str] = []

    def tell(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, question: str, until: float) -> str | None:
        assert until > time.monotonic()
        self.shown.append(question)
        return self.answers.pop(0) if self.answers else None


def manual(person: Person, mask: Mask | None = None) -> AgentUnderTest:
    return AgentUnderTest(ManualWay(person), mask or Mask(), seconds=10)


def test_a_person_is_told_what_to_do_and_asked_what_came() -> None:
    person = Person(["", "x", "r", " It is on its way. ", "s", "", LINK, "g", "It says no."])
    agent = manual(person)

    brand = agent.connect(CARD, "aud")
    assert isinstance(brand, str)
    first = agent.say(brand, JANE, "Where is my order?")
    assert isinstance(first, Reply)
    second = agent.say(brand, JANE, "Cancel it.", first.conversation)
    third = agent.go_on(brand, JANE, second.conversation)

    assert first.text == "It is on its way."
    assert isinstance(second, NeedsSignIn)
    assert second.link == LINK
    assert third == GaveUp("It says no.", first.conversation)
    told = [text for text in person.shown if text.startswith("\n")]
    assert CARD in told[0]
    assert "assigned to your agent: aud" in told[0]
    assert "in a new conversation" in told[1]
    assert "jane (Jane Doe, jane@example.com)" in told[1]
    assert "\n  Where is my order?\n" in told[1]
    assert f"in {first.conversation}," in told[2]
    assert f"has decided at {LINK}\n" in told[3]


def test_a_link_is_shown_to_the_person_and_to_nobody_else() -> None:
    mask = Mask()
    manual(Person(["s", LINK]), mask).sign_in("brand 1", JANE, ["a", "b"])

    assert "WDJB" not in mask.apply(f"see {LINK}, or type WDJB-MJHT")


def test_a_brand_that_is_not_found() -> None:
    person = Person(["it wants https"])

    assert manual(person).connect(domain="b.example", audience="aud") == GaveUp("it wants https")
    assert "a Brand at b.example" in person.shown[0]


def test_what_the_agent_cannot_do_is_untested() -> None:
    agent = manual(Person(["y", "y", "y", "n"]))
    agent.rotate_key()
    agent.forget(JANE)
    agent.forget()

    with pytest.raises(Untested, match="the agent cannot restart"):
        agent.restart()
    with pytest.raises(Untested, match="does not offer holds"):
        agent.holds("brand 1", JANE)


def test_a_person_who_does_not_answer_is_inconclusive() -> None:
    with pytest.raises(Broke, match="did not answer within 300 s"):
        manual(Person()).connect(CARD, "aud")


def test_the_time_of_a_person_is_not_the_checks() -> None:
    class Slow(Person):
        def tell(self, text: str) -> None:
            super().tell(text)
            time.sleep(0.5)

    book = Notebook(until=time.monotonic() + 1)
    with notebook(book):
        manual(Slow([""])).connect(CARD, "aud")

    assert book.left is not None
    assert 0.7 < book.left <= 1.1
