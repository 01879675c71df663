"""Seeing before a run that somebody can play the User; a person is looked for at the terminal."""

import pytest

from pact_conformance.session.terminal import Terminal, terminal_of
from pact_conformance.settings import Settings
from pact_conformance.subject.approver.readiness import lacking


def call(config: pytest.Config, settings: Settings) -> Terminal | None:
    """Return the person at the terminal, where one is to play the User.

    Raises:
        pytest.UsageError: whoever is to play the User cannot, in one line.
    """
    if settings.profile == "identity" or config.option.collectonly:
        return None
    lack = lacking(settings)
    if lack is not None:
        raise pytest.UsageError(lack)
    if settings.approver != "manual":
        return None
    if config.getoption("numprocesses", None) or config.getoption("dist", "no") != "no":
        raise pytest.UsageError(
            "E2E_APPROVER=manual asks a person, which processes of -n cannot: leave -n out"
        )
    terminal = terminal_of(config)
    if terminal is None:
        raise pytest.UsageError(
            "E2E_APPROVER=manual asks a person, and the standard input is no terminal: run at one, "
            "or set E2E_APPROVER to form, browser, cmd:… or http(s)://…"
        )
    return terminal
