"""Whole runs against subjects with which nothing can be tested: one finding each, and soon."""

import socket
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.suite import Run, run
from tests.session.subjects import ISSUER, KEYS, brand, mock, mock_behind, settings
from tests.subject.extremes import EXTREMES
from tests.subject.servers import Reply, Request, Server, json_reply


def only_finding(ended: Run, least: int = 80, profile: str = "identity") -> dict[str, Any]:
    """The one finding of a run that could test nothing, after what all such runs have in common."""
    assert ended.code == 1, ended.output
    assert ended.counted["failed"] == 1, ended.output
    assert "error" not in ended.counted

    finding: dict[str, Any]
    (finding,) = ended.report["findings"]
    pointing = f"see the finding {finding['id']}"
    untested = [it for it in ended.report["requirements"] if it["reason"] == pointing]
    assert len(untested) > least
    assert {it["verdict"] for it in untested} == {"untested"}
    assert f"untested     {len(untested)} requirements: {pointing}\n" in ended.output
    assert ended.report["profiles"][profile]["verdict"] != "conformant"
    assert ended.report["partial"] is False
    return finding


def summary(ended: Run) -> list[str]:
    """What stands under the last heading of our own."""
    after = ended.output.rpartition("= PACT 1.0 conformance =")[2]
    return after.partition("\n=")[0].splitlines()[1:]


@pytest.mark.parametrize(
    "name",
    [
        "nothing-authenticates",
        "empty-objects",
        "plain-web-server",
        "everybody-is-let-in",
        "drips-behind-the-card",
        "rate-limited-behind-the-card",
    ],
)
def test_a_run_that_can_test_nothing_ends_in_one_finding(name: str, tmp_path: Path) -> None:
    extreme = EXTREMES[name]
    with Server(extreme.answer) as server:
        started = time.monotonic()
        ended = run(
            folder=tmp_path, environment=settings(brand(server), E2E_TEST_TIMEOUT_MS="1500")
        )
        took = time.monotonic() - started

    finding = only_finding(ended)
    assert (finding["id"], finding["verdict"]) == (extreme.finding, extreme.verdict)
    assert len(summary(ended)) < 25, ended.output
    assert took < 20


def test_a_provider_that_is_down_is_one_finding(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    ended = run(folder=tmp_path, environment=settings(f"http://127.0.0.1:{port}/a2a/01J"))

    finding = only_finding(ended)
    assert finding["id"] == "provider-unreachable"
    assert "refused" in finding["got"]
    assert finding["do"] == "start the Provider, or correct E2E_PROVIDER"


def test_a_provider_whose_clock_is_an_hour_off_is_one_finding(tmp_path: Path) -> None:
    with mock(clock_offset=-3600) as running:
        ended = run(folder=tmp_path, environment=settings(running.brands[0].card))

    finding = only_finding(ended)
    assert finding["id"] == "wrong-clock"
    assert "behind the clock here" in finding["got"]
    assert "NTP" in finding["do"]


def test_a_provider_that_closes_the_connection_after_each_answer_is_tested_like_any(
    tmp_path: Path,
) -> None:
    def closing(_: Request, reply: Reply) -> Reply:
        return Reply(reply.status, reply.body, reply.headers, close=True)

    with mock_behind(closing) as server:
        ended = run(folder=tmp_path, environment=settings(brand(server)))

    assert ended.code == 0, ended.output
    assert ended.report["findings"] == []
    assert not ended.checks("failed")
    assert not ended.checks("inconclusive")
    assert server.connections >= len(ended.journal)


def test_a_brand_whose_agent_never_answers_is_told_in_one_cause(tmp_path: Path) -> None:
    def dripping(request: Request, reply: Reply) -> Reply:
        spoke = reply.status == 200 and request.path.endswith("message:send")
        return Reply(200, drip=True) if spoke else reply

    with mock_behind(dripping) as server:
        started = time.monotonic()
        ended = run(
            *("-k", "4.2"),
            folder=tmp_path,
            environment=settings(brand(server), E2E_TEST_TIMEOUT_MS="1000"),
        )
        took = time.monotonic() - started

    assert ended.code == 1, ended.output
    assert "error" not in ended.last_line, "what a fixture finds is the check's"
    assert ended.report["findings"] == []
    (told,) = [line for line in summary(ended) if line.startswith("  inconclusive ")]
    assert "4.2-reply" in told
    assert "raise E2E_TEST_TIMEOUT_MS" in " ".join(ended.output.split())
    assert took < 20


def test_an_agent_that_crashes_is_one_finding(tmp_path: Path) -> None:
    crashing = f"{sys.executable} -c \"import sys; sys.exit('no module named agent')\""
    keys = json_reply({"keys": [key.public_jwk() for key in KEYS]})
    with Server(lambda it: keys if it.path == "/jwks.json" else Reply(404)) as server:
        subject = {"E2E_AGENT": f"cmd:{crashing}", "E2E_AGENT_ISSUER": ISSUER}
        subject["E2E_AGENT_JWKS"] = f"{server.url}/jwks.json"
        ended = run(
            *("--pact-profile=identity", "-k", "not discovery_leads"),
            folder=tmp_path,
            environment=subject,
        )

    finding = only_finding(ended, least=50, profile="agent-identity")
    assert (finding["id"], finding["blocks"]) == ("agent-does-not-answer", "agent")
    assert "no module named agent" in finding["got"]
    assert "agent.stderr.log" in finding["do"]
    assert len(summary(ended)) < 15, ended.output
