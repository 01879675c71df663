"""A worker that dies takes one check with it; the run goes on and says so."""

from pathlib import Path

from tests.plugin.suite import run

DYING = ("-p", "tests.parallel.dying", "--dies-in")
FATAL = "test_a_message_with_a_context_continues_it"


def test_another_worker_takes_over_all_but_the_check_that_was_being_run(tmp_path: Path) -> None:
    # Of delegation the worker that takes over would find grants that the other has got.
    ended = run("-n", "2", "--pact-profile=identity", *DYING, FATAL, folder=tmp_path)

    assert ended.code == 3, ended.output
    (lost,) = ended.checks("inconclusive")
    assert lost["name"] == FATAL.removeprefix("test_")
    assert "crashed while running" in lost["reason"]
    assert lost["error"] is True
    assert not [it for it in ended.checks("untested") if it["kind"] == "check"]
    assert "crashed      the process gw" in ended.output
    assert ended.requirement("4.2-context-continued")["verdict"] == "inconclusive"


def test_workers_may_die_one_after_the_other(tmp_path: Path) -> None:
    selected = ("-k", "4.2-reply or 4.2-synchronous or 4.2-context-minted or 2.1")
    ended = run("-n", "2", *DYING, "test_4_2_context", *selected, folder=tmp_path)

    assert ended.code == 3, ended.output
    lost = {it["name"] for it in ended.checks("inconclusive")}
    assert len(lost) == 3
    assert not [it for it in ended.checks("untested") if it["kind"] == "check"]
    assert all("crashed while running" in it["reason"] for it in ended.checks("inconclusive"))


def test_what_nobody_takes_over_is_untested_and_the_report_partial(tmp_path: Path) -> None:
    dying = ("--max-worker-restart=0", *DYING, FATAL)
    ended = run("-n", "2", "--pact-profile=identity", *dying, folder=tmp_path)

    assert ended.code == 3, ended.output
    assert ended.report["partial"] is True
    left = [it for it in ended.checks("untested") if it["kind"] == "check"]
    assert left
    assert all("its process died before it was tried" in it["reason"] for it in left)
    assert ended.report["profiles"]["identity"]["verdict"] != "conformant"
