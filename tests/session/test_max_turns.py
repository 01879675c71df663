"""`--pact-max-turns` is a hard bound on what reaches the Brand's agent, whoever sends it."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.plugin.suite import run
from tests.session.subjects import brand, mock, settings
from tests.subject.servers import Reply, Request, Server, forwarding

CUT_OFF = "leaves too few turns for this"
# One profile is as good as two where it is asked who counts, and costs the less.
WORKERS = ("-n", "2", "--pact-profile=identity")
PLANNED = re.compile(r"(\d+) planned")


class Counting:
    """Counts, in front of a Provider, the messages that its agent has answered or failed at."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._replies: set[bytes] = set()
        self._failures = 0
        self._lock = threading.Lock()

    @property
    def turns(self) -> int:
        """A reply that is told again is no turn (§4.3)."""
        return len(self._replies) + self._failures

    def count(self, request: Request, reply: Reply) -> None:
        if not request.path.endswith("message:send"):
            return
        with self._lock:
            if reply.status == 200:
                self._replies.add(reply.body)
            elif reply.status >= 500:
                self._failures += 1


@contextmanager
def counted(*flaws: str) -> Iterator[Counting]:
    """A Provider with these flaws, behind a server that counts its turns."""
    with mock(flaws=flaws) as running, Server(lambda _: Reply(503)) as server:
        counting = Counting(server)

        def pass_on(request: Request, reply: Reply) -> Reply:
            counting.count(request, reply)
            body = reply.body.replace(running.base.encode(), server.url.encode())
            return replace(reply, body=body)

        server.answer = forwarding(running.base, pass_on)
        yield counting


@pytest.mark.parametrize("several", [(), WORKERS], ids=["alone", "workers"])
@pytest.mark.parametrize("bound", [0, 4])
def test_no_more_turns_are_spent_than_allowed(
    bound: int, several: tuple[str, ...], tmp_path: Path
) -> None:
    with counted() as counting:
        ended = run(
            f"--pact-max-turns={bound}",
            *several,
            folder=tmp_path,
            environment=settings(brand(counting.server)),
        )

    assert ended.code == 0, ended.output
    assert counting.turns <= bound
    assert ended.report["turns"] == sum(it["turns"] for it in ended.report["turn_ledger"])
    reasons = {it["reason"] for it in ended.checks("untested") if CUT_OFF in it["reason"]}
    planned = PLANNED.findall(ended.output)[-1]
    assert reasons == {
        f"--pact-max-turns={bound} {CUT_OFF} ({ended.report['turns']} spent, {planned} planned)"
    }
    assert ended.requirement("4.2-concurrent")["verdict"] == "untested"
    assert f"({planned} planned, --pact-max-turns={bound})" in ended.output


def test_what_is_asked_for_is_enough(tmp_path: Path) -> None:
    cut = run("--pact-max-turns=1", folder=tmp_path / "cut")
    do = cut.requirement("4.2-concurrent")["do"]
    enough = run(do.removeprefix("run with "), folder=tmp_path / "enough")

    assert not [it for it in enough.checks("untested") if CUT_OFF in it["reason"]]
    assert enough.code == 0, enough.output


FLAWS = (
    "accepts-any-role",
    "accepts-spaces-as-text",
    "starts-anew-for-an-unknown-context",
    "runs-again-for-a-repeated-message",
    "serves-messages-without-a-token",
)


@pytest.mark.parametrize("several", [(), WORKERS], ids=["alone", "workers"])
@pytest.mark.parametrize("bound", [0, 3])
def test_a_provider_that_serves_what_it_should_refuse_costs_no_more(
    bound: int, several: tuple[str, ...], tmp_path: Path
) -> None:
    with counted(*FLAWS) as counting:
        run(
            f"--pact-max-turns={bound}",
            *several,
            folder=tmp_path,
            environment=settings(brand(counting.server)),
        )

    assert counting.turns == bound


def test_nobody_waits_for_turns_that_never_come_back(tmp_path: Path) -> None:
    """A subject that answers repeats anew has used up what was planned when much is still due."""
    flaw = "starts-anew-for-each-message"
    ended = run(f"--pact-mock-flaws={flaw}", "--pact-max-turns=24", folder=tmp_path)

    assert ended.code == 1, ended.output
    slowest = max(check["seconds"] for it in ended.report["requirements"] for check in it["checks"])
    assert slowest < 20


def test_what_an_odd_subject_costs_beyond_the_plan_is_put_down_to_it(tmp_path: Path) -> None:
    ended = run("--pact-mock-flaws=starts-anew-for-each-message", folder=tmp_path)

    assert ended.report["turns"] > int(PLANNED.findall(ended.output)[-1])
    assert " planned; the subject served what it should have refused or rep" in ended.output


@pytest.mark.parametrize("option", ["--collect-only", "--pact-provider=http://127.0.0.1:9/a2a/x"])
def test_nothing_is_said_where_nothing_is_checked(option: str, tmp_path: Path) -> None:
    """Neither for a listing nor where a finding keeps the subject from being tested."""
    with counted() as counting:
        run(option, folder=tmp_path, environment=settings(brand(counting.server)))

    assert counting.turns == 0
