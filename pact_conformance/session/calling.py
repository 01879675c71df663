"""Seeing before a run that whoever it needs is there: to play the User, and to be the agent.

A person, where one is to do it, is looked for at the terminal.
"""

import pytest

from pact_conformance.session.terminal import Terminal, terminal_of
from pact_conformance.settings import Settings
from pact_conformance.subject.agent import readiness as agent
from pact_conformance.subject.approver import readiness as approver


def call(config: pytest.Config, settings: Settings) -> Terminal | None:
    """Return the person at the terminal, where one is to play the User or to use the agent.

    Raises:
        pytest.UsageError: whoever is needed cannot, in one line.
    """
    if config.option.collectonly:
        return None
    approves = settings.profile != "identity"
    lack = agent.lacking(settings) or (approver.lacking(settings) if approves else None)
    if lack is not None:
        raise pytest.UsageError(lack)
    if settings.agent == "manual":
        return _person(config, "E2E_AGENT", "python:…, cmd:… or http(s)://…")
    if approves and settings.approver == "manual":
        return _person(config, "E2E_APPROVER", "form, browser, cmd:… or http(s)://…")
    return None


def _person(config: pytest.Config, name: str, instead: str) -> Terminal:
    if config.getoption("numprocesses", None) or config.getoption("dist", "no") != "no":
        raise pytest.UsageError(
            f"{name}=manual asks a person, which processes of -n cannot: leave -n out"
        )
    terminal = terminal_of(config)
    if terminal is None:
        raise pytest.UsageError(
            f"{name}=manual asks a person, and the standard input is no terminal: run at one, "
            f"or set {name} to {instead}"
        )
    return terminal
