"""Runs against the built-in Provider with each approver."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pact_conformance.subject.approver import Approver, Done, Errand
from pact_conformance.subject.approver.chromium import executable, lacking
from tests.plugin.suite import CHECKOUT, Run, command, run, shell

from .playing import approver as made
from .playing import settings

SHOWN = ("5.3-unchecked-not-granted", "5.3-consent-checkboxes", "5.3-consent-names-agent")
SEEN = ("5.3-assertion-by-post", "5.3-assertion-single-use", "5.3-assertion-bound")

without_browser = lacking(settings("browser").approver_fields)

needs_browser = pytest.mark.skipif(without_browser is not None, reason=str(without_browser))

SCOPES = {
    "orders:read": "Look up your orders and their status",
    "orders:cancel": "Cancel an order that has not shipped",
    "addresses:change": "Change the address that an order is sent to",
}


def selected(*ids: str) -> str:
    return f"-k{' or '.join(ids)}"


def passed(ended: Run, *ids: str) -> None:
    assert ended.code == 0, ended.output
    assert {it: ended.verdicts()[it] for it in ids} == dict.fromkeys(ids, "passed")
    assert ended.report["approvals"] > 0
    everything = "".join(
        it.read_text("utf-8") for it in ended.folder.iterdir() if it.suffix in {".json", ".ndjson"}
    )
    assert "jane-secret" not in everything
    assert "omar-secret" not in everything


@pytest.mark.parametrize("name", ["form", pytest.param("browser", marks=needs_browser)])
def test_the_suite_plays_the_user_itself(tmp_path: Path, name: str) -> None:
    ended = run("-mdelegated", folder=tmp_path, environment={"E2E_APPROVER": name})

    passed(ended, *SHOWN, *SEEN)
    assert (tmp_path / "approvals").exists() is (name == "browser")


@needs_browser
def test_the_command_of_the_document(tmp_path: Path) -> None:
    text = (CHECKOUT / "docs" / "approver.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    path = tmp_path / "approve.py"
    chromium = executable(settings("browser").approver_fields)
    path.write_text(program.replace("/usr/bin/chromium", str(chromium)))
    folder = tmp_path / "report"

    ended = run(
        selected(*SHOWN, *SEEN, "5.3-denied"),  # it starts a browser for each decision
        folder=folder,
        environment={"E2E_APPROVER": f"cmd:{sys.executable} {path}"},
    )

    passed(ended, *SHOWN, "5.3-denied")
    assert {ended.verdicts()[it] for it in SEEN} == {"untested"}


TASK = r"account: (\S+)\r\n(.*)On the consent page: (.*)\r\n"


class Clicking:
    """A person at a terminal, who has `form` do what they are told and answers by what it saw."""

    def __init__(self, user: Approver) -> None:
        self.user = user
        self.read = ""
        self.done: Done | None = None

    def answer(self, shown: str) -> str | None:
        """What to type after what has just been shown; None to wait."""
        self.read += shown
        told = re.search(
            r"account: (\S+)\r\n(.*)On the consent page: (.*)\r\n", self.read, re.DOTALL
        )
        if told is not None:
            self.read = self.read[told.end() :]
            self.done = self.user.play(self.errand(told[1], told[2], told[3]))
        question = re.search(r"\r([^\r]+) \(\d+ s\) ", self.read)
        if question is None:
            return None
        self.read = self.read[question.end() :]
        return self.typed(question[1].strip())

    def errand(self, link: str, told: str, wish: str) -> Errand:
        approve = (
            None
            if "every box ticked" in wish
            else frozenset(scope for scope, text in SCOPES.items() if text in wish)
        )
        code = re.search(r"asked for it: (\S+)", told)
        return Errand(
            link,
            code[1] if code else "",
            SCOPES,
            approve,
            deny=wish == "deny.",
            account=int("as omar" in told),
            session="fresh" if "private window" in told else "kept",
            look_only="decide nothing" in wish,
        )

    def typed(self, question: str) -> str:
        assert self.done is not None
        page = self.done.consent
        text = page.text if page else ""
        labels = [box.label for box in page.boxes] if page else []
        answers = {
            "Press Enter": "",
            "Which origin": next((it for it in text.split() if it.startswith("https://")), ""),
            "Which Brand": text,
            "Did the Brand": "y" if self.done.login else "n",
            "Was a consent page": "y" if page else "n",
            "Was it ticked": "y",
            "Was there a checkbox": "y" if any(f"“{it}”" in question for it in labels) else "n",
        }
        return next(said for asked, said in answers.items() if question.startswith(asked))


@contextmanager
def at_a_terminal(*arguments: str, folder: Path) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """A run whose standard files are a pseudo-terminal."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        command(*arguments, folder=folder),
        cwd=CHECKOUT,
        env=shell({"E2E_APPROVER": "manual"}),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield ours, process
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_a_person_at_a_terminal_plays_the_user(tmp_path: Path) -> None:
    folder, shown = tmp_path / "report", b""
    with (
        made(tmp_path, "form") as user,
        at_a_terminal("-mdelegated", folder=folder) as (terminal, process),
    ):
        person = Clicking(user)
        while True:
            try:
                got = os.read(terminal, 65536)
            except OSError:  # the run has ended
                break
            shown += got
            typed = person.answer(got.decode("utf-8", "replace"))
            while typed is not None:
                os.write(terminal, f"{typed}\r".encode())
                typed = person.answer("")
        code = process.wait(20)

    passed(Run(code, shown.decode("utf-8", "replace"), folder), *SHOWN)


def test_who_only_says_that_it_refused_leaves_it_open(tmp_path: Path) -> None:
    path = tmp_path / "approve.py"
    path.write_text('print(\'{"decided": "denied", "login": true}\')')

    ended = run(
        selected("5.3-denied"),
        folder=tmp_path / "report",
        environment={"E2E_APPROVER": f"cmd:{sys.executable} {path}"},
    )

    assert ended.verdicts()["5.3-denied"] == "inconclusive"
    assert "still waits for the User" in ended.output
