"""The User played by a command or a service of the tester."""

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples

from pact_conformance.journal.placeholder import placeholder
from pact_conformance.subject.approver import Done, Errand, Step
from pact_conformance.subject.approver.telling import ANSWER, done
from pact_conformance.verdicts import Inconclusive, Notebook, Untested, notebook
from pact_conformance.wire.schema import problems
from tests.subject.servers import Reply, Request, Server
from tests.wire.json_values import json_values

from .playing import approver, recorded
from .site import SCOPES

MASKED = placeholder("password")
LINK = "https://brand.example/login?user_code=WDJB-MJHT"
CONSENT = {
    "text": "pa.example   wants access",
    "boxes": [
        {"label": "Look up your orders", "checked": True},
        {"label": "Everything else", "scope": "a.b", "checked": False},
        {"label": "Remember me", "scope": None},
    ],
}


def errand(**changed: Any) -> Errand:  # noqa: ANN401 - parts of an errand
    made = {"link": LINK, "user_code": "WDJB-MJHT", "scopes": SCOPES, "brand": "Acme", **changed}
    return Errand(**made)


def command(folder: Path, script: str) -> str:
    """A command of Python that has the request as `asked`."""
    path = folder / "approver.py"
    path.write_text(f"import json, os, sys, time\nasked = json.load(sys.stdin)\n{script}\n")
    return f"cmd:{sys.executable} {path}"


def play(folder: Path, script: str, **changed: Any) -> Done:  # noqa: ANN401 - parts of an errand
    with approver(folder, command(folder, script)) as user:
        return user.play(errand(**changed))


def test_a_command_gets_what_there_is_to_do(tmp_path: Path) -> None:
    kept = tmp_path / "asked"
    script = (
        f"open({str(kept)!r}, 'w').write(json.dumps(asked)); print('{{\"decided\":\"denied\"}}')"
    )

    play(tmp_path, script, deny=True, account=1, approve=frozenset({"b", "a"}), session="fresh")

    asked = json.loads(kept.read_text())
    assert problems(asked, "approver-request") == []
    assert 0 < asked.pop("seconds") <= 20
    assert asked == {
        "version": 1,
        "link": LINK,
        "userCode": "WDJB-MJHT",
        "brand": "Acme",
        "account": {"number": 2, "username": "omar", "password": "omar-secret"},
        "scopes": [{"id": it, "description": text} for it, text in SCOPES.items()],
        "approve": ["a", "b"],
        "deny": True,
        "session": "fresh",
        "lookOnly": False,
    }


def test_what_was_shown_can_be_told(tmp_path: Path) -> None:
    told = json.dumps({"decided": "approved", "login": True, "consent": CONSENT, "said": "fine"})

    with approver(tmp_path, command(tmp_path, f"print('log'); print({told!r})")) as user:
        done = user.play(errand())
        assert (user.count.approvals, user.count.logins) == (1, 1)
        assert (user.sees_pages, user.sees_steps) == (False, False)

    assert done.consent is not None
    assert done.consent.text == "pa.example wants access"
    assert [(box.scope, box.checked) for box in done.consent.boxes] == [
        ("orders:read", True),
        ("a.b", False),
        (None, False),
    ]
    assert (done.login is not None, done.final, done.steps, done.said) == (True, None, None, "fine")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("print('hello')", "the approver's answer is no JSON: 'hello'"),
        ("", "the approver answered nothing"),
        ("print('[]')", "the approver's answer is none: $: "),
        ("print('{}')", "must hold exactly one of decided, error; holds none"),
        ('print(\'{"decided": "yes"}\')', "the approver's answer is none: decided"),
        ('print(\'{"error": "page says no"}\')', "the approver says: page says no"),
        ('print(\'{"decided": "denied"}\')', "asked for 'approved' and says 'denied'"),
        (
            "sys.exit('it broke: ' + asked['account']['password'])",
            f"ended with 1: it broke: {MASKED}",
        ),
        ("sys.stdout.buffer.write(b'\\xff\\xfe{')", "no JSON"),
        ("os.kill(os.getpid(), 9)", "the approver ended with -9, and said nothing"),
    ],
)
def test_a_command_that_fails_is_inconclusive_with_what_it_said(
    tmp_path: Path, script: str, said: str
) -> None:
    with pytest.raises(Inconclusive) as caught:
        play(tmp_path, script)

    assert said in caught.value.reason


def test_a_command_that_does_not_end_is_ended_with_what_it_started(tmp_path: Path) -> None:
    left = tmp_path / "left"
    child = f"import time; time.sleep(2); open({str(left)!r}, 'w')"
    script = (
        f"import subprocess; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"
    )
    started = time.monotonic()

    with (
        notebook(Notebook(until=started + 1)),
        pytest.raises(Inconclusive, match="not end in time"),
    ):
        play(tmp_path, script)

    assert time.monotonic() - started < 2
    time.sleep(2.5)
    assert not left.exists()


def test_a_command_may_leave_a_browser_behind(tmp_path: Path) -> None:
    child = "import time; time.sleep(5)"
    script = (
        f"import subprocess; subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        'print(\'{"decided": "approved"}\')'
    )
    started = time.monotonic()

    assert play(tmp_path, script).decided == "approved"
    assert time.monotonic() - started < 3


def test_a_command_that_cannot_be_started(tmp_path: Path) -> None:
    with (
        approver(tmp_path, "cmd:/no/such/command") as user,
        pytest.raises(Inconclusive, match="the approver cannot be started"),
    ):
        user.play(errand())


def answered(reply: Reply, folder: Path, **changed: Any) -> tuple[Done, Request]:  # noqa: ANN401
    with Server(lambda _: reply) as server, approver(folder, server.url) as user:
        found = user.play(errand(**changed))
        return found, server.requests[0]


def test_a_service_is_posted_to_and_the_journal_keeps_no_word_of_it(tmp_path: Path) -> None:
    found, request = answered(Reply(200, b'{"decided": "skipped"}'), tmp_path)

    assert found.decided == "skipped"
    assert request.method == "POST"
    assert problems(json.loads(request.body), "approver-request") == []
    written = recorded(tmp_path)
    assert "asked to play the User" in written
    assert "jane" not in written
    assert "WDJB" not in written


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(500, b"jane-secret is wrong"), f"the approver answered 500: {MASKED} is wrong"),
        (Reply(200, b"<html>"), "no JSON"),
        (Reply(200, drip=True), "the approver did not answer"),
    ],
)
def test_a_service_that_fails_is_inconclusive(tmp_path: Path, reply: Reply, said: str) -> None:
    started = time.monotonic()
    with notebook(Notebook(until=started + 1)), pytest.raises(Inconclusive) as caught:
        answered(reply, tmp_path)

    assert said in caught.value.reason
    assert time.monotonic() - started < 3


def test_what_is_not_seen_cannot_be_sent_again_or_held_back(tmp_path: Path) -> None:
    with approver(tmp_path, "cmd:true") as user:
        with pytest.raises(Untested, match="does not show the way of the browser"):
            user.repost(Step("POST", LINK, 200))
        with pytest.raises(Untested, match="does not show the way of the browser"):
            user.play(errand(hold_back="return"))


@pytest.mark.parametrize(
    ("asked", "decided"),
    [
        ({"look_only": True}, "not asked"),
        ({"look_only": True}, "skipped"),
        ({"deny": True}, "denied"),
        ({"approve": frozenset()}, "not asked"),
        ({}, "skipped"),
    ],
)
def test_what_may_have_been_decided(asked: Mapping[str, Any], decided: str) -> None:
    assert done(errand(**asked), json.dumps({"decided": decided})).decided == decided


@examples(max_examples=200, deadline=None)
@given(json_values())
def test_any_answer_is_judged(value: object) -> None:
    text = json.dumps(value)
    good = problems(value, ANSWER) == []

    try:
        found = done(errand(), text)
    except Inconclusive:
        return
    assert good
    assert found.decided in {"approved", "skipped"}
