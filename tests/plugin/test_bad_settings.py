"""A bad setting ends a run with 4 and one line, before anything is sent."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugin.suite import run
from tests.session.subjects import KEYS, brand, settings
from tests.subject.servers import Reply, Server


@pytest.fixture
def subject() -> Iterator[Server]:
    """A server that counts who comes by."""
    with Server(lambda _: Reply(404)) as server:
        yield server


AGENT = {"E2E_AGENT_ISSUER": "https://pa.example", "E2E_AGENT_JWKS": "https://pa.example/jwks"}

PUBLIC = json.dumps(KEYS[0].public_jwk())


@pytest.mark.parametrize(
    ("changed", "arguments", "line"),
    [
        (
            {"E2E_TEST_TIMEOUT_MS": "soon"},
            [],
            "E2E_TEST_TIMEOUT_MS 'soon': Input should be a valid integer",
        ),
        ({"PA_AUDIENCE": ""}, [], "PA_AUDIENCE is not set: the suite signs as a personal agent"),
        ({"PA_PRIVATE_JWK": PUBLIC}, [], "PA_PRIVATE_JWK: the key 'k-es256' is not private"),
        ({"PA_PRIVATE_JWK": "{"}, ["-n2"], "PA_PRIVATE_JWK: the private key is not JSON"),
        ({"PA_JWKS_LISTEN": "203.0.113.1:80"}, [], "PA_JWKS_LISTEN: cannot listen on 203.0.113.1"),
        ({}, ["--pact-profile=both"], "--pact-profile 'both': Input should be 'identity', "),
        ({}, ["--pact-report=/dev/null/x"], "--pact-report: cannot write to /dev/null/x"),
        ({}, ["--pact-mock-flaws=x"], "--pact-mock-flaws and --pact-mock-variants belong to"),
        ({}, ["-mmustt"], "-m 'mustt': there is no marker 'mustt'; did you mean must?"),
        ({}, ["-mxyzzy", "-n2"], "-m 'xyzzy': there is no marker 'xyzzy'; `pytest --markers`"),
        ({}, ["-mmust should"], "-m 'must should': expected names joined by and, or, not"),
        ({}, ["-k3.2 and", "-n2"], "-k '3.2 and': expected names joined by and, or, not"),
        ({}, ["--pact-max-wait=1h", "-n2"], "--pact-max-wait '1h': Input should be a valid number"),
        ({"E2E_APPROVER": "me"}, [], "E2E_APPROVER 'me': expected form, browser, cmd:COMMAND"),
        ({"E2E_APPROVER": "form"}, [], "E2E_APPROVER=form signs in at the Brand: give it [[acc"),
        ({"E2E_APPROVER": "cmd:./gone x"}, ["-n2"], "E2E_APPROVER: there is no command ./gone"),
        ({"E2E_APPROVER": "manual"}, ["-n2"], "E2E_APPROVER=manual asks a person, which processes"),
        ({"E2E_APPROVER": "manual"}, [], "E2E_APPROVER=manual asks a person, and the standard inp"),
        ({"E2E_AGENT": "me"}, [], "E2E_AGENT 'me': expected mock, python:MODULE:FACTORY, cmd:"),
        ({"E2E_AGENT": "cmd:agent"}, [], "E2E_AGENT_ISSUER and E2E_AGENT_JWKS are not set: the mo"),
        ({"E2E_AGENT": "cmd:./gone x", **AGENT}, ["-n2"], "E2E_AGENT: there is no command ./gone"),
        ({"E2E_AGENT": "python:gone:x", **AGENT}, [], "E2E_AGENT: cannot import gone (ModuleNotFo"),
        ({"E2E_AGENT": "manual", **AGENT}, ["-n2"], "E2E_AGENT=manual asks a person, which proce"),
        (
            {"E2E_AGENT": "manual", **AGENT},
            [],
            "E2E_AGENT=manual asks a person, and the standard i",
        ),
    ],
)
def test_a_bad_setting_ends_with_4_and_one_line_and_nothing_is_sent(
    subject: Server, tmp_path: Path, changed: dict[str, str], arguments: list[str], line: str
) -> None:
    folder = tmp_path / "reports"

    ended = run(*arguments, folder=folder, environment={**settings(brand(subject)), **changed})

    assert ended.code == 4, ended.output
    assert len(ended.errors) == 1, ended.output
    assert ended.errors[0].startswith(f"ERROR: {line}")
    assert "Traceback" not in ended.output
    assert len(ended.output.strip().splitlines()) == 1, ended.output
    assert subject.connections == 0
    assert not folder.exists() or not any(folder.iterdir())


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["--pact-mock-variants=shout-bearer"],
            (
                "--pact-mock-variants: there is nothing called 'shout-bearer'; did you mean "
                "shouts-bearer? (`pact-conformance flaws --variants` lists them)"
            ),
        ),
        (
            ["--pact-agent=mock", "--pact-agent-flaws=doubles-a-slash"],
            (
                "--pact-agent-flaws: there is nothing called 'doubles-a-slash'; did you mean "
                "doubles-the-slash? (`pact-conformance flaws` lists them)"
            ),
        ),
        (
            ["--pact-agent=mock", "--pact-agent-flaws=caps-a-page-at-50"],
            (
                "--pact-agent-flaws: there is nothing called 'caps-a-page-at-50' "
                "(`pact-conformance flaws` lists them)"
            ),
        ),
        (
            ["--pact-provider=mock", "--pact-agent-variants=polls-slowly"],
            (
                "--pact-agent-flaws and --pact-agent-variants belong to the built-in personal "
                "agent, which is tested by E2E_AGENT=mock"
            ),
        ),
    ],
)
def test_an_unknown_flaw_or_variant_is_told_with_the_one_that_was_meant(
    tmp_path: Path, arguments: list[str], line: str
) -> None:
    ended = run(*arguments, folder=tmp_path)

    assert ended.code == 4, ended.output
    assert ended.errors == [f"ERROR: {line}"]


@pytest.mark.parametrize("elses", [False, True])
def test_a_folder_that_pytest_takes_for_its_root_is_told(tmp_path: Path, elses: bool) -> None:  # noqa: FBT001
    if elses:
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
    folder = tmp_path / "reports"
    folder.mkdir()

    ended = run("--pact-report", str(folder), folder=folder)

    assert ended.code == 4, ended.output
    (error,) = ended.errors
    assert error.endswith("join --pact-report and its value with =")
    assert not any(folder.iterdir())


@pytest.mark.parametrize("arguments", [["--collect-only"], ["--collect-only", "-n2"], ["--help"]])
def test_a_listing_sends_nothing_and_writes_nothing(
    subject: Server, tmp_path: Path, arguments: list[str]
) -> None:
    folder = tmp_path / "reports"

    ended = run(*arguments, folder=folder, environment=settings(brand(subject)))

    assert ended.code == 0, ended.output
    assert "INTERNALERROR" not in ended.output
    assert subject.connections == 0
    assert not folder.exists()
