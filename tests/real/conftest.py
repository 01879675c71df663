"""Begins what mostly waits beside the other tests of this folder."""

import json
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.environment import CHECKOUT

from .example_air.served import interpreter
from .running import Run, begin

KEPT = Path(__file__).parent / "pact_personal_agent" / "kept.toml"
ADAPTER = CHECKOUT / "examples" / "agent-runtimes" / "adapter.py"


@pytest.fixture(scope="session", autouse=True)
def _begun(request: pytest.FixtureRequest) -> None:
    """Its polls are five seconds apart; the run of Example Air needs as long and more."""
    needed = any(
        "pact_personal_agent" in it.fixturenames
        for it in request.session.items
        if isinstance(it, pytest.Function)
    )
    if needed:
        request.getfixturevalue("pact_personal_agent")


@pytest.fixture(scope="session")
def pact_personal_agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A run of the suite against the personal agent of agent-runtimes."""
    folder = tmp_path_factory.mktemp("pact-personal-agent")
    run = begin(folder, settings(folder))
    yield run
    run.end()


def settings(folder: Path) -> list[str]:
    """Write what a tester of it sets."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [interpreter(), ADAPTER, port, folder / "key.pem"]
    issuer = f"http://127.0.0.1:{port}"
    return [
        f"agent = {json.dumps('cmd:' + shlex.join(map(str, command)))}",
        f"agent_issuer = {json.dumps(issuer)}",
        f"agent_jwks = {json.dumps(issuer + '/jwks.json')}",
        f"kept = {json.dumps(str(KEPT))}",
    ]
