"""`doctor` tries a personal agent: what it offers, its keys, whether it finds the mock Provider."""

import re
import socket
import sys
import textwrap
from pathlib import Path

import pytest

from pact_conformance.catalogue import load
from pact_conformance.doctor.agents import DELEGATED
from pact_conformance.doctor.needs import given, how_to_give
from pact_conformance.settings import load as load_settings
from pact_conformance.subject.plan import Plan

from .command import call

AGENT = {"E2E_AGENT_ISSUER": "https://pa.example", "E2E_AGENT_JWKS": "http://127.0.0.1:9/jwks"}


def told(folder: Path, agent: str, **environment: str) -> tuple[int, str]:
    ended = call("doctor", cwd=folder, environment={**AGENT, "E2E_AGENT": agent, **environment})
    return ended.returncode, ended.stdout


def tiny(folder: Path, connect: str) -> str:
    """An adapter that does this when it is asked to connect."""
    (folder / "adapter.py").write_text(
        textwrap.dedent("""
            import urllib.request
            class Adapter:
                def hello(self, asked):
                    return {"operations": ["connect", "say"], "name": "tiny"}
                def connect(self, asked):
                    CONNECT
                def say(self, asked):
                    return {"reply": {"text": "made up"}}
        """).replace("CONNECT", connect)
    )
    return "python:adapter:Adapter"


def test_the_built_in_agent_is_ready(tmp_path: Path) -> None:
    code, said = told(tmp_path, "mock")

    assert code == 0, said
    assert said.rstrip().endswith("\nready")
    for part in ("agent", "agent's keys", "mock Provider", "connect", "say"):
        assert re.search(rf"^ready +{part} ", said, re.MULTILINE)
    assert "requests in" not in said, "the cost of a Provider's run is not told"


def test_one_whose_issuer_is_another_is_blocked(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = f"127.0.0.1:{free.getsockname()[1]}"
    module = "pact_conformance.counterpart.personal_agent"
    code, said = told(
        tmp_path,
        f"cmd:{sys.executable} -m {module} --listen {where}",
        E2E_AGENT_JWKS=f"http://{where}/jwks.json",
    )

    assert code == 1
    assert re.search(r"^ready +connect ", said, re.MULTILINE)
    assert f"its token is refused for its iss, 'http://{where}'" in said
    assert re.search(r"^ +→ compare E2E_AGENT_ISSUER", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("connect", "expected"),
    [
        ("return {'gaveUp': 'no such host'}", "blocked  connect .*gave up: no such host"),
        ("return {'gaveUp': 'no such host'}", "→ no request came: set E2E_MOCK_LISTEN and E2E_"),
        ("raise OSError('refused')", "blocked  connect .*connect raised OSError: refused"),
        ("return {'brand': 'b'}", "blocked  say .*no message came"),
        (
            "urllib.request.urlopen(asked['card']); return {'gaveUp': 'odd card'}",
            "→ look at its log",
        ),
    ],
)
def test_one_that_does_not_meet_the_mock_provider_is_blocked(
    tmp_path: Path, connect: str, expected: str
) -> None:
    code, said = told(tmp_path, tiny(tmp_path, connect))

    assert code == 1
    assert re.search(expected, said), said
    assert re.search(r"missing +operations +not offered: sign_in, go_on, holds,", said)
    assert re.search(r"blocked +agent's keys .*127\.0\.0\.1:9", said)


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("cmd:./gone", "blocked +agent +there is no command ./gone"),
        ("python:gone:x", r"blocked +agent +cannot import gone \(ModuleNotFoundError"),
        ("http://127.0.0.1:9", "blocked +agent +the agent did not answer hello"),
        ("manual", "ready +agent +manual: a person uses the agent"),
    ],
)
def test_one_that_cannot_be_asked(tmp_path: Path, agent: str, expected: str) -> None:
    code, said = told(tmp_path, agent)

    assert code == 1
    assert re.search(expected, said), said


def test_a_public_url_that_leads_elsewhere_is_blocked(tmp_path: Path) -> None:
    code, said = told(tmp_path, tiny(tmp_path, "return {}"), E2E_MOCK_URL="http://127.0.0.1:9")

    assert code == 1
    assert re.search(r"blocked +mock Provider +http://127\.0\.0\.1:9: ConnectError", said), said


def test_every_need_of_an_agent_can_be_told() -> None:
    """A need that is neither a setting nor an operation would be missing for ever."""
    nothing = load_settings({}, environment={})
    needs = {need for row in load().of(role="personal-agent") for need in row.needs}

    for need in needs | set(DELEGATED):
        assert not given(need, nothing, Plan())
        assert how_to_give(need)
    offering = Plan(agent_offers=("holds", "rotate_key"))
    assert given("agent.holds", nothing, offering)
    assert not given("agent.restart", nothing, offering)
