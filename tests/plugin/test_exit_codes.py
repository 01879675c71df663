"""How a run ends, and what options change about that."""

import signal
import subprocess
import threading
from pathlib import Path

from tests.plugin.suite import CHECKOUT, Run, command, run, shell
from tests.session.subjects import brand, mock_behind, settings
from tests.subject.servers import Reply, Request

WARNED = ("--pact-mock-variants=has-neither-description-nor-version", "-k", "2.1-card-description")


def test_a_warning_ends_with_0_and_shows(tmp_path: Path) -> None:
    ended = run(*WARNED, folder=tmp_path)

    assert ended.code == 0, ended.output
    assert ended.verdicts()["2.1-card-description"] == "warned"
    assert "warned       2.1-card-description: " in ended.output


def test_a_warning_fails_under_strict(tmp_path: Path) -> None:
    ended = run(*WARNED, "--pact-strict", folder=tmp_path)

    assert ended.code == 1, ended.output
    assert ended.verdicts()["2.1-card-description"] == "failed"
    assert ended.report["profiles"]["identity"]["verdict"] == "not conformant"


def test_an_incomplete_profile_ends_with_1_where_completeness_is_asked_for(
    tmp_path: Path,
) -> None:
    ended = run("-k", "2.1-card-schema", "--pact-complete", folder=tmp_path)

    assert ended.code == 1, ended.output
    assert "failed" not in ended.counted
    assert ended.report["profiles"]["identity"]["verdict"] == "incomplete"


def test_a_flaw_ends_with_1_and_is_told_with_statement_expectation_and_curl(
    tmp_path: Path,
) -> None:
    ended = run("--pact-mock-flaws=declares-an-api-key", "-k", "2.1-jwt", folder=tmp_path)

    assert ended.code == 1, ended.output
    assert ended.verdicts()["2.1-jwt-scheme"] == "failed"
    for part in ("says         §2.1 (MUST): ", "expected     ", "got          "):
        assert part in ended.output


def test_the_whole_suite_passes_on_the_built_in_provider(tmp_path: Path) -> None:
    ended = run(folder=tmp_path)

    assert ended.code == 0, ended.output
    assert not ended.checks("failed")
    assert not ended.checks("inconclusive")
    assert not ended.checks("warned")
    assert ended.report["requests"] == len(ended.journal)
    assert 0 < ended.report["turns"] <= 45
    assert 0 < ended.report["approvals"] <= 10
    assert 0 < ended.report["logins"] <= 10


def test_an_interrupt_ends_with_2_soon_and_leaves_a_partial_report(tmp_path: Path) -> None:
    spoken, released = threading.Event(), threading.Event()

    def slowly(request: Request, reply: Reply) -> Reply:
        if reply.status == 200 and request.path.endswith("message:send"):
            spoken.set()
            released.wait(30)
        return reply

    with (
        mock_behind(slowly) as server,
        subprocess.Popen(
            command(folder=tmp_path),
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
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=10)
        finally:
            process.kill()
            released.set()

    ended = Run(process.returncode, output, tmp_path)
    assert ended.code == 2, output
    assert ended.report["partial"] is True
    assert ended.report["profiles"]["identity"]["verdict"] != "conformant"
    assert ended.journal
    assert "Traceback" not in output, output
    assert "PACT 1.0 conformance" in output
