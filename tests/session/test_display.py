"""How a run goes on is one line, where somebody looks on."""

import threading
import time

import pytest

from pact_conformance import waits
from pact_conformance.session import display
from pact_conformance.session.display import Display, State, looked_on
from pact_conformance.waits import Wait, pause, waiting


class Screen:
    """A terminal that remembers."""

    def __init__(self, columns: int = 60) -> None:
        self.columns = columns
        self.text = ""
        self.written = threading.Event()

    def write(self, text: str) -> None:
        self.text += text
        self.written.set()


def test_the_line_says_how_far_it_is_and_where() -> None:
    state = State(total=833, done=412, failed=3, section="5.3 Getting a token")

    assert state.line() == "412 of 833 checks · 3 failed · 5.3 Getting a token"


def test_a_wait_is_explained_with_what_is_left_of_it() -> None:
    state = State(section="5.3 Getting a token")
    with waiting("for the Brand's agent to reply"), waiting("polling as asked", 20.0):
        line = state.line()

    assert line == "5.3 Getting a token · waiting: polling as asked, 20 s left"
    assert state.line() == "5.3 Getting a token"


def test_what_a_worker_waits_for_is_shown_too() -> None:
    state = State(elsewhere={"gw0": (), "gw1": (Wait("polling", time.time() + 9.6),)})

    assert state.line() == "waiting: polling, 10 s left"


def test_a_check_that_takes_long_is_named() -> None:
    state = State(check="the card is readable", since=time.monotonic() - 12)

    assert state.line() == "the card is readable, for 12 s"
    state.begin("the next one")
    assert state.line() == ""


def test_what_goes_on_beside_the_checks_is_no_reason_to_wait() -> None:
    found: list[tuple[Wait, ...]] = []

    def beside() -> None:
        with waiting("for something"):
            found.append(waits.current())

    thread = threading.Thread(target=beside)
    thread.start()
    thread.join()

    assert found == [()]


def test_changes_are_told_and_short_pauses_are_not() -> None:
    heard: list[list[str]] = []
    waits.listen(lambda held: heard.append([it.why for it in held]))
    try:
        pause(0.001, "hardly")
        with waiting("for the User"):
            pass
    finally:
        waits.listen(None)

    assert heard == [["for the User"], []]


def test_a_line_is_written_over_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_RHYTHM", 0.001)
    screen = Screen()
    shown = Display(screen)
    shown.state.section = "3.2 Personal-agent JWT"

    shown.open()
    assert screen.written.wait(10)
    shown.say("  failed  3.2-aud")
    shown.close()

    assert screen.text.startswith("\r\x1b[2K3.2 Personal-agent JWT")
    assert "\r\x1b[2K  failed  3.2-aud\n" in screen.text
    assert screen.text.endswith("\r\x1b[2K"), "nothing is left on the line"


def test_what_is_over_before_the_first_beat_has_been_shown_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(display, "_RHYTHM", 3600.0)
    screen = Screen()
    shown = Display(screen)
    shown.state.section = "2.2 Operations"

    shown.open()
    shown.close()

    assert screen.text == "\r\x1b[2K2.2 Operations\r\x1b[2K"


def test_nothing_is_written_while_somebody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_RHYTHM", 0.001)
    screen = Screen()
    asked = threading.Event()

    def is_busy() -> bool:
        asked.set()
        return True

    shown = Display(screen, is_busy=is_busy)
    shown.open()
    assert asked.wait(10)
    shown.close()

    assert screen.text == ""


def test_a_line_fits_and_holds_nothing_but_text() -> None:
    screen = Screen(columns=40)
    shown = Display(screen)

    shown.say("  failed  \x1b[31m\u202e" + "x" * 100)

    (line,) = screen.text.splitlines()
    assert line.startswith(r"  failed  \x1b[31m\u202exxx")
    assert len(line) == 39
    assert line.endswith("…")


def test_where_nobody_looks_on_a_line_comes_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Display(None)
    shown.state.section = "4.1 Request"

    shown.open()
    shown.say("never")
    assert shown.beat() == ""
    monkeypatch.setattr(display, "HEARTBEAT_SECONDS", 0.0)
    assert shown.beat() == "4.1 Request"
    shown.close()


@pytest.mark.parametrize("environment", [{"CI": "true"}, {"CI": "1"}, {"TERM": "dumb"}, {}])
def test_in_ci_or_at_a_terminal_that_cannot_nobody_looks_on(environment: dict[str, str]) -> None:
    assert looked_on(environment) is False
