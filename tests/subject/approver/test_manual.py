"""The User played by a person at a terminal."""

import os
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from pact_conformance.journal.mask import Mask
from pact_conformance.session.terminal import Terminal
from pact_conformance.subject.approver import Errand
from pact_conformance.subject.approver.manual import ManualApprover
from pact_conformance.verdicts import Inconclusive, Notebook, Untested, notebook

from .playing import settings
from .site import CODE, SCOPES

LINK = "https://brand.example/login?user_code=WDJB-MJHT"


class Person:
    """Answers from a list, and keeps what was shown."""

    def __init__(self, answers: Iterable[str]) -> None:
        self.answers = list(answers)
        self.shown: list[str] = []

    def tell(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, question: str, until: float) -> str | None:
        assert until > time.monotonic()
        self.shown.append(question)
        return self.answers.pop(0) if self.answers else None


def manual(person: Person) -> ManualApprover:
    return ManualApprover(settings("manual"), Mask(), person)


def errand(**changed: object) -> Errand:
    made = {"link": LINK, "user_code": CODE, "scopes": SCOPES, "brand": "Acme", **changed}
    return Errand(**made)  # type: ignore[arg-type]


def test_a_person_is_told_what_to_do_and_asked_what_they_saw() -> None:
    person = Person(["", "y", "y", "https://pa.example", "Acme", "y", "y", "n", "y", "no"])

    done = manual(person).play(errand(approve=frozenset({"a.b"}), session="fresh"))

    told = person.shown[0]
    assert LINK in told
    assert CODE in told
    assert "as jane" in told
    assert "a new private window" in told
    assert "tick only “Say “hello” <b>”, and approve" in told
    assert done.decided == "approved"
    assert done.login is not None
    assert done.consent is not None
    assert [(box.scope, box.checked) for box in done.consent.boxes] == [
        ("orders:read", True),
        ("a.b", False),
    ]
    assert done.consent.text.startswith("https://pa.example Acme Look up your orders")


def test_consent_that_was_not_shown_is_skipped() -> None:
    done = manual(Person(["", "maybe", "n", "n"])).play(errand())

    assert (done.decided, done.login, done.consent) == ("skipped", None, None)


def test_what_a_person_says_went_wrong_is_told() -> None:
    with pytest.raises(Inconclusive, match="the person at the terminal says: it says 500"):
        manual(Person(["it says 500"])).play(errand())


def test_a_person_who_does_not_answer_is_inconclusive() -> None:
    with pytest.raises(Inconclusive, match="did not answer within 300 s"):
        manual(Person([""])).play(errand())


def test_the_time_of_a_person_is_not_the_checks() -> None:
    book = Notebook(until=time.monotonic() + 1)
    person = Person(["", "n", "n"])

    class Slow(Person):
        def tell(self, text: str) -> None:
            del text
            time.sleep(0.5)

    with notebook(book):
        manual(Slow(person.answers)).play(errand())

    assert book.left is not None
    assert 0.8 < book.left <= 1.1


def test_the_way_is_not_seen() -> None:
    with pytest.raises(Untested):
        manual(Person([])).play(errand(hold_back="consent"))


class Pty:
    """A pseudo-terminal with somebody who types."""

    def __init__(self) -> None:
        self.ours, self.theirs = os.openpty()
        self.terminal = Terminal(os.dup(self.theirs), os.dup(self.theirs))

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def seen(self) -> str:
        return os.read(self.ours, 65536).decode()


def test_a_line_that_is_typed_is_the_answer_and_the_seconds_are_counted() -> None:
    pty = Pty()
    threading.Timer(1.2, lambda: pty.type("yes\r")).start()

    said = pty.terminal.ask("Ready?", time.monotonic() + 5)

    assert said == "yes"
    shown = pty.seen()
    assert "Ready? (5 s)" in shown
    assert "Ready? (4 s)" in shown


def test_what_was_typed_before_is_no_answer() -> None:
    pty = Pty()
    threading.Timer(0.1, lambda: pty.type("first\rsecond\r")).start()
    assert pty.terminal.ask("One?", time.monotonic() + 5) == "first"
    time.sleep(0.1)

    threading.Timer(0.2, lambda: pty.type("third\r")).start()
    assert pty.terminal.ask("Two?", time.monotonic() + 5) == "third"


def test_nobody_answers() -> None:
    pty = Pty()
    started = time.monotonic()

    assert pty.terminal.ask("Ready?", started + 0.3) is None
    assert time.monotonic() - started < 1


def test_a_terminal_that_is_closed_answers_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    terminal = Terminal(os.open(path, os.O_RDONLY), os.open(os.devnull, os.O_WRONLY))

    assert terminal.ask("Ready?", time.monotonic() + 30) is None
