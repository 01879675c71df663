"""Whatever ends a run, a valid report of what was found so far is left, and says that it is."""

import itertools
import json
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.wire.schema import problems
from tests.plugin.suite import CHECKOUT, Run, command, run, shell
from tests.session.subjects import brand, mock, mock_behind, settings
from tests.subject.servers import Reply, Request

KILLS = 16
SEED = 20
LATEST = 1.2

# So many requests until a run that fuzzes is in the middle of it.
SOME = 60

# What a run had recorded this long before it was killed is in its report.
BEHIND = 1.0


def read(folder: Path) -> dict[str, Any]:
    """The report of a run, which is valid."""
    document: dict[str, Any] = json.loads((folder / "report.json").read_text("utf-8"))
    assert problems(document, "report") == []
    return document


def recorded(folder: Path) -> list[tuple[str, str]]:
    """The outcomes that were recorded one by one, as the check and case of each."""
    whole = (folder / "outcomes.ndjson").read_text("utf-8").rpartition("\n")[0].splitlines()
    return [(it["name"], it["case"]) for it in map(json.loads, whole)]


def tried(document: dict[str, Any]) -> set[tuple[str, str]]:
    """The checks of a report that were decided."""
    return {
        (check["name"], check["case"])
        for requirement in document["requirements"]
        for check in requirement["checks"]
        if check["kind"] == "check" and "the run ended before" not in check["reason"]
    }


def test_runs_killed_at_any_moment_leave_valid_partial_reports(tmp_path: Path) -> None:
    seeded = random.Random(SEED)
    moments = [f"{seeded.uniform(0, LATEST):.3f}" for _ in range(KILLS)]
    # One profile is as good as two here, and so many runs cost the more.
    arguments = ["-q", "-p", "no:hypothesispytest", "-p", "no:anyio", "--pact-profile=identity"]

    with mock() as running:
        ended = subprocess.run(
            [sys.executable, "-m", "tests.session.forking", str(tmp_path), *moments],
            input="\n".join(arguments),
            cwd=CHECKOUT,
            env=shell(settings(running.brands[0].card)),
            stdout=subprocess.PIPE,
            encoding="utf-8",
            timeout=300,
            check=True,
        )
    assert len(ended.stdout.split()) == KILLS
    documents = [read(tmp_path / str(number)) for number in range(KILLS)]
    killed = [it for it in documents if it["partial"]]
    assert len(killed) > KILLS / 2
    for number, document in enumerate(documents):
        found, all_of_them = tried(document), recorded(tmp_path / str(number))
        assert found <= set(all_of_them)
        assert found == set(all_of_them[: len(found)]), "what came first is in it"
        if document["partial"]:
            assert document["profiles"]["identity"]["verdict"] != "conformant"
    assert len({len(tried(it)) for it in killed}) > 5, "the moments differ"


def interrupted(
    folder: Path,
    end: Callable[["subprocess.Popen[str]"], None],
    *arguments: str,
    turns: int = 1,
) -> Run:
    """A run that is ended while the Brand's agent thinks about its first turns.

    With `turns` 0 it is ended while it fuzzes, by requests that reach no agent.
    """
    spoken, released = threading.Event(), threading.Event()
    sent = itertools.count(1)

    def slowly(request: Request, reply: Reply) -> Reply:
        if not turns and next(sent) >= SOME:
            spoken.set()
        if turns and reply.status == 200 and request.path.endswith("message:send"):
            spoken.set()
            released.wait(30)
        return reply

    with (
        mock_behind(slowly) as server,
        subprocess.Popen(
            command(*arguments, folder=folder),
            cwd=CHECKOUT,
            env=shell(settings(brand(server))),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        ) as process,
    ):
        try:
            while not spoken.wait(0.1) and process.poll() is None:
                pass
            time.sleep(BEHIND)
            end(process)
            output, _ = process.communicate(timeout=30)
        finally:
            process.kill()
            released.set()
    return Run(process.returncode, output, folder)


@pytest.mark.parametrize("several", [(), ("-n", "2")], ids=["alone", "workers"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_with_2_and_a_report_of_all_that_was_found(
    number: signal.Signals, several: tuple[str, ...], tmp_path: Path
) -> None:
    ended = interrupted(tmp_path, lambda process: process.send_signal(number), *several)

    assert ended.code == 2, ended.output
    document = read(tmp_path)
    assert document["partial"] is True
    assert document["profiles"]["identity"]["verdict"] == "incomplete"
    found = {
        (check["name"], check["case"])
        for requirement in document["requirements"]
        for check in requirement["checks"]
        if check["kind"] == "check" and check["reason"] != "the run was interrupted before it"
    }
    assert found == set(recorded(tmp_path))
    assert found
    assert ended.requirement("4.2-concurrent")["verdict"] == "untested"
    assert "Traceback" not in ended.output
    assert "PACT 1.0 conformance" in ended.output


def test_fuzzing_that_is_interrupted_tells_what_was_tried(tmp_path: Path) -> None:
    family = "suites/fuzz/test_3_2_personal_agent_jwt.py"
    many = ("--pact-fuzz=100000", "--pact-fuzz-rate=1000")

    ended = interrupted(
        tmp_path, lambda process: process.send_signal(signal.SIGINT), family, *many, turns=0
    )

    assert ended.code == 2, ended.output
    (told,) = read(tmp_path)["fuzzing"]["families"]
    counts = told["counts"]
    assert told["verdict"] == "inconclusive"
    assert "it was interrupted" in told["reason"]
    assert counts["tried"] == counts["accepted"] + counts["refused"] + counts["undecided"] > 10
    assert f"forged tokens get what is due: {counts['tried']:,} tried" in ended.output
    assert "Traceback" not in ended.output


@pytest.mark.parametrize("several", [(), ("-n", "2")], ids=["alone", "workers"])
def test_a_kill_leaves_what_was_found_until_a_second_before(
    several: tuple[str, ...], tmp_path: Path
) -> None:
    known: list[tuple[str, str]] = []

    def kill(process: "subprocess.Popen[str]") -> None:
        known.extend(recorded(tmp_path))
        time.sleep(BEHIND + 0.5)
        process.kill()

    ended = interrupted(tmp_path, kill, *several)

    assert ended.code == -signal.SIGKILL
    document = read(tmp_path)
    assert document["partial"] is True
    assert known
    assert set(known) <= tried(document)
    assert document["requests"] > 0


def test_a_full_disk_ends_the_run_in_one_line_with_3(tmp_path: Path) -> None:
    """No file may grow beyond what the first report takes, as on a disk without room."""
    before = run("-k", "2.1-card-schema", folder=tmp_path)
    room = (tmp_path / "report.json").stat().st_size + 4096

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    ended = subprocess.run(
        command(folder=tmp_path),
        cwd=CHECKOUT,
        env=shell(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
        preexec_fn=limit,
    )

    assert before.code == 0
    assert ended.returncode == 3, ended.stdout
    assert "Traceback" not in ended.stdout, ended.stdout
    lines = [it for it in ended.stdout.splitlines() if it.startswith("ERROR: ")]
    assert len(lines) == 1
    assert "File too large" in lines[0] or "disk full" in lines[0]
    assert read(tmp_path)["partial"] is True


def test_a_disk_that_is_full_from_the_start_leaves_the_old_report(tmp_path: Path) -> None:
    run("-k", "2.1-card-schema", folder=tmp_path)
    before = (tmp_path / "report.json").read_bytes(), (tmp_path / "journal.ndjson").read_bytes()

    ended = subprocess.run(
        command(folder=tmp_path),
        cwd=CHECKOUT,
        env=shell(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)),
    )

    assert ended.returncode == 3, ended.stdout
    assert "cannot be written: File too large" in ended.stdout
    assert "Traceback" not in ended.stdout, ended.stdout
    after = (tmp_path / "report.json").read_bytes(), (tmp_path / "journal.ndjson").read_bytes()
    assert after == before
