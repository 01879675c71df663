"""Makes agents under test of tiny adapters."""

import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.journal import Journal
from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.agent import AgentUnderTest, User, agent_of

JANE = User("jane", "Jane Doe", "jane@example.com")
CARD = "https://brand.example/card.json"

BEGIN = """
import json, os, signal, sys, time

def answer(asked, **told):
    print(json.dumps({"id": asked["id"], **told}), flush=True)

ALL = ["connect", "say", "sign_in", "go_on", "holds", "rotate_key", "forget", "restart"]

for line in sys.stdin:
    asked = json.loads(line)
    match asked["operation"]:
        case "hello":
            answer(asked, operations=ALL, name="tiny")
        case "connect":
            answer(asked, brand="b")
"""

DEADLINE = 20.0


def command(folder: Path, script: str, *, begin: str = BEGIN) -> str:
    """An adapter that answers hello and connect, and then what the script says (cases)."""
    path = folder / "adapter.py"
    path.write_text(begin + textwrap.indent(textwrap.dedent(script), " " * 8))
    return f"cmd:{sys.executable} {path}"


def settings(how: str, seconds: float = DEADLINE) -> Settings:
    """The settings of a tester of an agent."""
    return Settings(
        agent=how,
        agent_issuer="https://pa.example",
        agent_jwks="https://pa.example/jwks.json",
        test_timeout_ms=int(seconds * 1000),
    )


@contextmanager
def driven(
    folder: Path,
    how: str,
    *,
    mask: Mask | None = None,
    seconds: float = DEADLINE,
    **more: Any,  # noqa: ANN401 - arguments of agent_of
) -> Iterator[AgentUnderTest]:
    """An agent under test; what it logs is in the folder."""
    mask = mask or Mask()
    journal = Journal(folder / "journal.ndjson")
    client = RecordingClient(journal, mask, deadline=seconds)
    agent = agent_of(settings(how, seconds), client, mask, folder=folder, **more)
    try:
        yield agent
    finally:
        agent.close()
        client.close()
        journal.close()
