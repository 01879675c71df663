"""The ways to whoever plays the User and to the agent under test, as a tester names them."""

import re
import shlex
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_FACTORY = re.compile(rf"{_DOTTED}(?<!\.py):{_DOTTED}")

_APPROVERS = frozenset({"form", "browser", "manual"})
_AGENTS = frozenset({"mock", "manual"})


def check_url(value: str, expected: str) -> None:
    """See that somebody can be asked over HTTP at this URL.

    Raises:
        ValueError: it is no such URL, or has a password in it; nothing would send that.
    """
    try:
        parts = urlsplit(value)
        sound = parts.scheme in {"http", "https"} and parts.port != 0
        host = parts.hostname or ""
    except ValueError as error:
        raise ValueError(f"{expected} ({error})") from None
    if "@" in parts.netloc:
        raise ValueError(f"{expected} without user:password@; give headers under [headers]")
    if not sound or not host or any(char.isspace() for char in value):
        raise ValueError(expected)


def checked_approver(value: str) -> str:
    """Return who plays the User: a word, a command or a URL.

    Raises:
        ValueError: it is none of them.
    """
    if value in _APPROVERS:
        return value
    _check_reachable(value, "expected form, browser, cmd:COMMAND, an http(s) URL or manual")
    return value


def checked_agent(value: str) -> str:
    """Return how the agent under test is reached: a word, a factory, a command or a URL.

    Raises:
        ValueError: it is none of them.
    """
    if value in _AGENTS:
        return value
    expected = "expected mock, python:MODULE:FACTORY, cmd:COMMAND, an http(s) URL or manual"
    if value.startswith("python:"):
        if not _FACTORY.fullmatch(value.removeprefix("python:")):
            raise ValueError("expected python:MODULE:FACTORY, both as Python names them")
        return value
    _check_reachable(value, expected)
    return value


def check_agent_is_known(agent: str | None, issuer: str | None, jwks: str | None) -> None:
    """See that the stage can know the agent under test (§3.1).

    Raises:
        ValueError: its issuer or the URL of its keys is not set, and it is no built-in agent.
    """
    if agent in {None, "mock"}:
        return
    unset = [
        name
        for name, value in (("E2E_AGENT_ISSUER", issuer), ("E2E_AGENT_JWKS", jwks))
        if not (value and value.strip())
    ]
    if unset:
        verb = "is" if len(unset) == 1 else "are"
        raise ValueError(
            f"{' and '.join(unset)} {verb} not set: the mock Provider knows the agent by its "
            "issuer and by the URL of its keys"
        )


def _check_reachable(value: str, expected: str) -> None:
    if not value.startswith("cmd:"):
        check_url(value, expected)
        return
    try:
        command = shlex.split(value.removeprefix("cmd:"))
    except ValueError as error:
        raise ValueError(f"a command that no shell reads ({error})") from None
    if not command:
        raise ValueError("expected a command after cmd:")


ApproverWay = Annotated[str, AfterValidator(checked_approver)]
AgentWay = Annotated[str, AfterValidator(checked_agent)]
