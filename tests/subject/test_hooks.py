"""Hooks of the tester: one JSON object, to a command or to a URL."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from pact_conformance.subject.hooks import Hooks
from pact_conformance.verdicts import Inconclusive, NotApplicable, Untested
from tests.subject.servers import Reply, Request, Server

INTERFACE = "https://provider.example/a2a/b1"


def hooks(
    given: Mapping[str, str], absent: Mapping[str, str] | None = None, seconds: float = 5
) -> Hooks:
    return Hooks(given, absent or {}, interface=INTERFACE, seconds=seconds)


def writing(path: Path, code: int = 0) -> str:
    """A command that appends what it gets to a file."""
    script = path.with_suffix(".py")
    script.write_text(
        "import sys\n"
        f"open({str(path)!r}, 'a').write(sys.stdin.read() + chr(10))\n"
        "print('it is', 'said', file=sys.stderr)\n"
        f"sys.exit({code})\n"
    )
    return f"cmd:{sys.executable} {script}"


def told(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_command_gets_the_object_on_its_standard_input(tmp_path: Path) -> None:
    asked = tmp_path / "asked"

    hooks({"close_conversation": writing(asked)}).call("close_conversation", contextId="c-1")

    assert told(asked) == [
        {"hook": "close_conversation", "interface": INTERFACE, "contextId": "c-1"}
    ]


def test_a_url_gets_the_object_posted() -> None:
    def answer(_request: Request) -> Reply:
        return Reply(204)

    with Server(answer) as server:
        given = hooks({"disable_agent": server.url})
        given.call("disable_agent", issuer="https://a.example")
        given.close()

    (request,) = server.requests
    assert request.method == "POST"
    assert json.loads(request.body) == {
        "hook": "disable_agent",
        "interface": INTERFACE,
        "issuer": "https://a.example",
    }


def test_another_brand_can_be_named(tmp_path: Path) -> None:
    asked = tmp_path / "asked"

    hooks({"fail_agent": writing(asked)}).call("fail_agent", interface="https://other")

    assert told(asked)[0]["interface"] == "https://other"


def test_a_condition_is_kept_up_while_the_block_runs(tmp_path: Path) -> None:
    asked = tmp_path / "asked"

    with hooks({"slow_agent": writing(asked)}).during("slow_agent", sub="u", seconds=2):
        assert [it["on"] for it in told(asked)] == [True]

    assert [(it["on"], it["sub"]) for it in told(asked)] == [(True, "u"), (False, "u")]


def test_a_condition_ends_though_the_block_fails(tmp_path: Path) -> None:
    asked = tmp_path / "asked"

    with (
        pytest.raises(ZeroDivisionError),
        hooks({"slow_agent": writing(asked)}).during("slow_agent"),
    ):
        raise ZeroDivisionError

    assert [it["on"] for it in told(asked)] == [True, False]


def test_what_the_block_found_goes_before_a_hook_that_fails_at_its_end(tmp_path: Path) -> None:
    given = {"slow_agent": writing(tmp_path / "asked")}

    def find() -> None:
        given["slow_agent"] = "cmd:/nowhere/at/all"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), hooks(given).during("slow_agent"):
        find()


def test_a_hook_that_fails_at_the_end_of_a_good_block_is_told(tmp_path: Path) -> None:
    given = {"slow_agent": writing(tmp_path / "asked")}

    with pytest.raises(Inconclusive), hooks(given).during("slow_agent"):
        given["slow_agent"] = "cmd:/nowhere/at/all"


def test_a_command_that_fails_is_inconclusive_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(Inconclusive, match="exit code 3: it is said"):
        hooks({"fail_agent": writing(tmp_path / "asked", code=3)}).call("fail_agent")


def test_a_command_that_takes_too_long_is_inconclusive() -> None:
    slow = f'cmd:{sys.executable} -c "import time; time.sleep(9)"'

    with pytest.raises(Inconclusive, match="timed out"):
        hooks({"fail_agent": slow}, seconds=0.2).call("fail_agent")


def test_a_url_that_refuses_is_inconclusive_and_not_shown() -> None:
    with Server(lambda _: Reply(400, body=b"no such\ncontext")) as server:
        url = f"{server.url}/control/very-secret"

        given = hooks({"fail_agent": url})

        with pytest.raises(Inconclusive, match="answered 400: no such context") as raised:
            given.call("fail_agent")
        given.close()

    assert "very-secret" not in raised.value.reason


def test_a_url_that_nobody_serves_is_inconclusive() -> None:
    given = hooks({"fail_agent": "http://127.0.0.1:9/"})

    with pytest.raises(Inconclusive):
        given.call("fail_agent")
    given.close()


def test_a_hook_that_is_not_given_leaves_the_check_untested() -> None:
    with pytest.raises(Untested) as raised:
        hooks({}).need("close_conversation")

    assert "hooks.close_conversation" in raised.value.do
    assert "absent.closing" in raised.value.do


def test_what_is_declared_absent_is_not_applicable(tmp_path: Path) -> None:
    declared = hooks(
        {"rate_limit": writing(tmp_path / "asked")}, {"rate_limits": "nobody is limited"}
    )

    assert not declared.has("rate_limit")
    with pytest.raises(NotApplicable, match="nobody is limited"):
        declared.call("rate_limit", on=True)


def test_hooks_that_are_given_are_known() -> None:
    given = hooks({"fail_agent": "cmd:true"})

    assert given.has("fail_agent")
    assert not given.has("slow_agent")
