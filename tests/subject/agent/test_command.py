"""The agent as a program of the tester's: whatever it does, a call ends and says why."""

import time
from pathlib import Path

import pytest

from pact_conformance.journal.mask import Mask
from pact_conformance.subject.agent import (
    AgentUnderTest,
    Broke,
    NeedsSignIn,
    Reply,
    command,
)
from pact_conformance.subject.agent.agent import MOST_LATE
from pact_conformance.subject.agent.log import FILE
from pact_conformance.verdicts import Notebook, Untested, notebook

from .driving import BEGIN, CARD, JANE, driven
from .driving import command as adapter

ECHO = """
case "say":
    answer(asked, reply={"text": asked["text"]}, conversation="c")
"""


def say(agent: AgentUnderTest, text: str = "hello") -> object:
    return agent.say("b", JANE, text)


def broke(agent: AgentUnderTest, text: str = "hello", *, seconds: float = 15) -> Broke:
    """Have a call fail."""
    with notebook(Notebook(until=time.monotonic() + seconds)), pytest.raises(Broke) as caught:
        say(agent, text)
    return caught.value


def runs(pid: int) -> bool:
    """Whether a process is still there in a moment, and no zombie."""
    until = time.monotonic() + 2
    while time.monotonic() < until:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return False
        if stat.rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.01)
    return True


def test_one_process_answers_every_call(tmp_path: Path) -> None:
    script = """
        case "say":
            answer(asked, reply={"text": str(os.getpid())}, conversation="c")
    """
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        first, second = say(agent), say(agent)

        assert (agent.name, agent.way, agent.alive) == ("tiny", "cmd", True)
        assert isinstance(first, Reply)
        assert first == second
    assert not runs(int(first.text))


def test_a_request_is_what_the_contract_says(tmp_path: Path) -> None:
    script = 'case _: answer(asked, reply={"text": line})'
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        assert agent.connect(CARD, "aud") == "b"
        said = agent.say("b", JANE, "naïve\n“text”", "c")

    assert isinstance(said, Reply)
    assert said.text == (
        '{"version": 1, "id": 3, "operation": "say", "brand": "b", "user": {"id": "jane", '
        '"name": "Jane Doe", "email": "jane@example.com"}, '
        '"text": "na\\u00efve\\n\\u201ctext\\u201d", "conversation": "c"}\n'
    )


def test_without_hello_it_offers_connect_and_say(tmp_path: Path) -> None:
    begin = BEGIN.replace('answer(asked, operations=ALL, name="tiny")', 'answer(asked, error="?")')
    with driven(tmp_path, adapter(tmp_path, ECHO, begin=begin)) as agent:
        assert agent.operations == ("connect", "say")
        assert agent.name == ""
        assert isinstance(say(agent), Reply)
        with pytest.raises(Untested, match="does not offer sign_in"):
            agent.sign_in("b", JANE)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("sys.exit('bad thing')", "with exit code 1 when it was asked to say; the last on stderr"),
        ("sys.exit('bad thing')", "bad thing"),
        ("os.kill(os.getpid(), 9)", "ended by signal 9"),
        ("raise ValueError('no such user')", "ValueError: no such user"),
        ("os.close(1); os.close(0); os._exit(3)", "ended with exit code 3"),
        ("print('oops'); sys.exit(2)", "it wrote a line that is no answer: 'oops'"),
    ],
)
def test_a_crash_is_told_with_what_it_said_last(tmp_path: Path, script: str, said: str) -> None:
    with driven(tmp_path, adapter(tmp_path, f'case "say": {script}')) as agent:
        agent.connect(CARD, "aud")
        error = broke(agent)

        assert said in error.reason
        assert error.crashed
        assert not agent.alive
        assert agent.connect(CARD, "aud") == "b", "it is started again"
        assert agent.alive


def test_an_answer_before_the_end_counts(tmp_path: Path) -> None:
    script = 'case "say": answer(asked, reply={"text": "bye"}); sys.exit(0)'
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        assert say(agent) == Reply("bye")
        until = time.monotonic() + 5
        while agent.alive and time.monotonic() < until:
            time.sleep(0.01)
        assert say(agent) == Reply("bye")


def test_one_that_never_answers_is_given_up(tmp_path: Path) -> None:
    count = tmp_path / "count"
    script = f"import sys; open({str(count)!r}, 'a').write('x'); sys.exit('no licence')"
    with driven(tmp_path, adapter(tmp_path, "", begin=script)) as agent:
        for _ in range(5):
            error = broke(agent)

    assert "no licence" in error.reason
    assert count.read_text() == "x", "the first failure speaks for all"


def test_one_that_ends_with_each_call_is_given_up(tmp_path: Path) -> None:
    script = 'case "say": sys.exit("no licence")'
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        agent.offers("say")
        said = [broke(agent).reason for _ in range(command.TRIES + 2)]

    assert "was started 3 times and answered nothing" in said[-1]


def test_one_that_has_ended_is_asked_about_no_brand_that_it_was_told_of_before(
    tmp_path: Path,
) -> None:
    script = 'case "say": sys.exit("crash") if asked["text"] == "crash" else answer(asked, reply=1)'
    script = script.replace("reply=1", 'reply={"text": "hi"}')
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        agent.connect(CARD, "aud")
        assert agent.lost == 0
        assert "crash" in broke(agent, "crash").reason
        forgotten = broke(agent)
        assert agent.connect(CARD, "aud") == "b"
        assert say(agent) == Reply("hi")

    assert agent.lost == 1
    assert "has ended since it found this Brand" in forgotten.reason
    assert not forgotten.crashed


def test_what_comes_too_late_again_and_again_is_not_asked_for_any_more(tmp_path: Path) -> None:
    script = 'case "say": time.sleep(60)'
    with (
        driven(tmp_path, adapter(tmp_path, script)) as agent,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(command, "GRACE", 0.1)
        agent.offers("say")
        late = [broke(agent, seconds=0.3) for _ in range(MOST_LATE)]
        last = broke(agent)

    assert all(it.late for it in late)
    assert "say was not answered in time 3 times running" in last.reason
    assert "E2E_TEST_TIMEOUT_MS" in last.do


def test_its_process_can_be_woken(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    begin = f"open({str(pid)!r}, 'w').write(str(__import__('os').getpid()))\n{BEGIN}"
    with driven(tmp_path, adapter(tmp_path, ECHO, begin=begin)) as agent:
        agent.wake()

        assert runs(int(pid.read_text()))


def test_a_call_that_hangs_ends_at_the_deadline_of_the_check(tmp_path: Path) -> None:
    script = 'case "say": time.sleep(60)'
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        agent.connect(CARD, "aud")
        started = time.monotonic()
        error = broke(agent, seconds=0.3)

        assert time.monotonic() - started < 5
        assert "say was not answered within 0" in error.reason
        assert not error.crashed
        assert agent.alive


def test_a_late_answer_is_not_taken_for_the_next_one(tmp_path: Path) -> None:
    script = """
        case "say":
            time.sleep(1 if asked["text"] == "slow" else 0)
            answer(asked, reply={"text": asked["text"]})
    """
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        agent.connect(CARD, "aud")
        broke(agent, "slow", seconds=0.2)

        assert say(agent, "quick") == Reply("quick")


def test_one_that_stays_busy_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "GRACE", 0.2)
    script = """
        case "say":
            time.sleep(60 if asked["text"] == "slow" else 0)
            answer(asked, reply={"text": str(os.getpid())})
    """
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        first = say(agent)
        broke(agent, "slow", seconds=0.2)
        second = say(agent)

        assert isinstance(first, Reply)
        assert first != second
        assert not runs(int(first.text))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("print('[]'); time.sleep(9)", "it wrote a line that is no answer: '[]'"),
        ("print('Traceback'); time.sleep(9)", "it wrote a line that is no answer: 'Traceback'"),
        ("os.write(1, b'\\xff\\n'); time.sleep(9)", "it wrote a line that is no answer: '\ufffd'"),
        ("print('{', end=''); time.sleep(9)", "was not answered within"),
        ("print('{\"level\": 30}'); time.sleep(9)", "was not answered within"),
    ],
)
def test_what_is_no_answer_is_named(tmp_path: Path, script: str, said: str) -> None:
    flushed = script.replace("time.sleep", "sys.stdout.flush(); time.sleep")
    with driven(tmp_path, adapter(tmp_path, f'case "say": {flushed}')) as agent:
        agent.connect(CARD, "aud")

        assert said in broke(agent, seconds=0.5).reason


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('print(\'{"reply": {"text": "a"}}\')', "does not repeat the id of the request"),
        ("answer(asked)", "must hold exactly one of reply, needsSignIn, gaveUp; holds id"),
        ("answer(asked, reply='x')", "the answer to say is none: reply: "),
        ("answer(asked, reply={}, gaveUp='x')", "must hold exactly one of"),
        ("answer(asked, needsSignIn={'link': ''})", "needsSignIn.link: "),
        ("answer(asked, error='no such brand')", "answers say with an error: no such brand"),
        ("answer(asked, error={'code': 4})", "answers say with an error: {'code': 4}"),
        ("answer(asked, reply={'text': 'x' * 10_000_000})", "a line of more than 1 MiB"),
        (
            "print('{'); print(json.dumps({'id': asked['id'], 'reply': {'text': ''}}, indent=2))",
            "the answer to say stands on several lines",
        ),
    ],
)
def test_a_wrong_answer_is_told_at_once(tmp_path: Path, script: str, said: str) -> None:
    flushed = f"{script}; sys.stdout.flush()"
    with driven(tmp_path, adapter(tmp_path, f'case "say": {flushed}')) as agent:
        agent.connect(CARD, "aud")
        started = time.monotonic()
        error = broke(agent)

        assert said in error.reason
        assert time.monotonic() - started < 5
        assert agent.connect(CARD, "aud") == "b", "the same process goes on"


def test_logs_on_standard_output_and_partial_lines_do_no_harm(tmp_path: Path) -> None:
    script = """
        case "say":
            print("a log line"); print(json.dumps({"level": 30, "msg": "x"})); print()
            text = json.dumps({"id": asked["id"], "reply": {"text": "x" * 100_000}})
            for start in range(0, len(text), 30_000):
                sys.stdout.write(text[start:start + 30_000]); sys.stdout.flush()
            print(flush=True)
    """
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        assert say(agent) == Reply("x" * 100_000)

    assert "(stdout) a log line" in (tmp_path / FILE).read_text()


def test_full_pipes_block_nobody(tmp_path: Path) -> None:
    script = """
        case "say":
            sys.stderr.write("x" * 1_000_000 + "\\n"); sys.stderr.flush()
            print("y" * 900_000, flush=True)
            time.sleep(0.2)
            answer(asked, reply={"text": "done"})
    """
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        for _ in range(3):
            assert say(agent) == Reply("done")


def test_one_that_does_not_read_blocks_nobody(tmp_path: Path) -> None:
    begin = 'import os, time\nos.write(1, b\'{"id": 1, "operations": ["say"]}\\n\'); time.sleep(60)'
    with driven(tmp_path, adapter(tmp_path, "", begin=begin)) as agent:
        assert "was not answered" in broke(agent, "x" * 1_000_000, seconds=0.5).reason


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    script = """
        case "say":
            import subprocess
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            child = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"
            left = subprocess.Popen([sys.executable, "-c", child])
            answer(asked, reply={"text": f"{os.getpid()} {left.pid}"})
    """
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        said = say(agent)
    assert isinstance(said, Reply)

    for pid in map(int, said.text.split()):
        assert not runs(pid)


def test_a_child_that_outlives_a_crash_holds_nobody_up(tmp_path: Path) -> None:
    left = tmp_path / "left"
    script = f"""
        case "say":
            import subprocess
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
            open({str(left)!r}, "w").write(str(child.pid))
            sys.exit("gone")
    """
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        agent.connect(CARD, "aud")
        started = time.monotonic()

        assert "gone" in broke(agent).reason
        assert time.monotonic() - started < 5
    assert not runs(int(left.read_text()))


def test_it_ends_by_itself_on_sigterm(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    script = f"""
        case "say":
            def end(*_):
                open({str(kept)!r}, "w").write("saved"); sys.exit(0)
            signal.signal(signal.SIGTERM, end)
            answer(asked, reply={{"text": "ok"}})
    """
    with driven(tmp_path, adapter(tmp_path, script)) as agent:
        say(agent)

    assert kept.read_text() == "saved"


def test_no_secret_reaches_the_log_or_a_verdict(tmp_path: Path) -> None:
    script = """
        case "say":
            sys.stderr.write("polling with k3y-of-the-flow, code WDJB-MJHT\\n")
            sys.stderr.flush()
            time.sleep(0.1)
            answer(asked, needsSignIn={"link": "https://b.example/login?user_code=WDJB-MJHT"})
        case "go_on":
            sys.stderr.write("see https://b.example/login?user_code=WDJB-MJHT\\n")
            sys.stderr.flush()
            time.sleep(0.1)
            answer(asked, error="no grant at https://b.example/login?user_code=WDJB-MJHT")
    """
    mask = Mask()
    with driven(tmp_path, adapter(tmp_path, script), mask=mask) as agent:
        asked = say(agent)
        mask.learn("k3y-of-the-flow", "device_code")
        with pytest.raises(Broke) as caught:
            agent.go_on("b", JANE)

    assert isinstance(asked, NeedsSignIn)
    assert asked.link.endswith("WDJB-MJHT")
    assert "WDJB-MJHT" not in repr(asked)
    assert "WDJB" not in caught.value.reason
    written = (tmp_path / FILE).read_text()
    assert "polling with" in written
    assert "k3y" not in written
    assert "WDJB" not in written


def test_a_command_that_cannot_be_started(tmp_path: Path) -> None:
    with driven(tmp_path, "cmd:/no/such/command") as agent:
        assert "the agent cannot be started" in broke(agent).reason
        assert "the agent cannot be started" in broke(agent).reason


def test_a_slow_start_is_not_the_checks_time(tmp_path: Path) -> None:
    begin = "import time; time.sleep(1.5)\n" + BEGIN
    with driven(tmp_path, adapter(tmp_path, ECHO, begin=begin)) as agent:
        book = Notebook(until=time.monotonic() + 3)
        with notebook(book):
            assert isinstance(say(agent), Reply)
    assert book.left is not None
    assert 1.6 < book.left <= 3.1


def test_closed_twice_and_before_the_first_call(tmp_path: Path) -> None:
    with driven(tmp_path, adapter(tmp_path, ECHO)) as agent:
        agent.close()
        agent.close()

        assert "the run is over" in broke(agent).reason
