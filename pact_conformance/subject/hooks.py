"""Hooks: a command or URL of the tester that does what the protocol cannot.

Every hook gets the same JSON object: on the standard input of a command, or POSTed to a URL. It
answers with exit code 0 or a 2xx, after what was asked has happened; anything else is a failed
hook, and what depends on it is inconclusive.
"""

import json
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import httpx

from pact_conformance.subject.once import Once
from pact_conformance.verdicts import Inconclusive, NotApplicable, Untested

Name = Literal[
    "close_conversation",
    "revoke_grant",
    "disable_agent",
    "enable_agent",
    "fail_agent",
    "slow_agent",
    "rate_limit",
    "advance_clock",
    "expire_code",
]

# So much of what a hook says to its failure is shown.
SHOWN = 120

# What a tester may have declared absent instead of giving a hook for it.
ABSENCE_OF: Mapping[str, str] = {
    "close_conversation": "closing",
    "disable_agent": "disabling",
    "rate_limit": "rate_limits",
    "revoke_grant": "revocation",
}


class Hooks:
    """The tester's hooks.

    Args:
        given: the command (`cmd:…`) or URL of each hook that there is.
        absent: what the subject never does, with the reason.
        interface: the interface URL of the Brand that hooks act on unless told another.
        seconds: the deadline of one hook.
        ca_file: of a CA that is trusted besides the usual ones.
    """

    def __init__(
        self,
        given: Mapping[str, str | None],
        absent: Mapping[str, str],
        *,
        interface: str,
        seconds: float,
        ca_file: Path | None = None,
    ) -> None:
        self._given = given
        self._absent = absent
        self._interface = interface
        self._seconds = seconds
        self._ca_file = ca_file

    def has(self, name: Name) -> bool:
        """Say whether the tester gave this hook, and declares nothing that speaks against it."""
        return bool(self._given.get(name)) and ABSENCE_OF.get(name, "") not in self._absent

    def need(self, name: Name) -> None:
        """End the check unless the hook is there.

        Raises:
            NotApplicable: the tester declares that the subject never does such a thing.
            Untested: the tester gave no such hook.
        """
        absence = ABSENCE_OF.get(name, "")
        if absence in self._absent:
            raise NotApplicable(f"declared absent: {self._absent[absence]}")
        if not self._given.get(name):
            instead = f", or declare absent.{absence} with a reason" if absence else ""
            raise Untested(f"the hook {name} is needed", do=f"set hooks.{name}{instead}")

    def call(self, name: Name, **about: Any) -> None:  # noqa: ANN401 - JSON values
        """Call a hook and wait until what it asks has happened.

        Args:
            name: which.
            about: what it is about: `issuer`, `sub`, `contextId`, `on`, `seconds`, `interface`.

        Raises:
            Inconclusive: the hook failed or took too long.
        """
        self.need(name)
        how = str(self._given[name])
        asked = {"hook": name, "interface": self._interface, **about}
        try:
            if how.startswith("cmd:"):
                self._command(how.removeprefix("cmd:"), asked)
            else:
                self._post(how, asked)
        except (OSError, subprocess.SubprocessError, httpx.HTTPError, ValueError) as error:
            raise Inconclusive(
                f"the hook {name} failed: {error}", do=f"mend hooks.{name} and run again"
            ) from error

    @contextmanager
    def during(self, name: Name, **about: Any) -> Iterator[None]:  # noqa: ANN401 - JSON values
        """Keep a condition up while the block runs: the hook gets `on` true, then false.

        Raises:
            Inconclusive: the hook failed; but what the block raised goes before it.
        """
        self.need(name)
        try:
            self.call(name, on=True, **about)
            yield
        except BaseException:
            with suppress(Inconclusive):
                self.call(name, on=False, **about)
            raise
        self.call(name, on=False, **about)

    def _command(self, command: str, asked: Mapping[str, Any]) -> None:
        done = subprocess.run(  # noqa: S603 - the tester's own command
            shlex.split(command),
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=self._seconds,
            check=False,
        )
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise ValueError(f"exit code {done.returncode}: {said[-1] if said else 'no output'}")

    def close(self) -> None:
        """Close connections."""
        if "_client" in self.__dict__:
            self._client.close()

    @Once
    def _client(self) -> httpx.Client:
        trusted = httpx.create_ssl_context(trust_env=False)
        if self._ca_file is not None:
            trusted.load_verify_locations(self._ca_file)
        return httpx.Client(timeout=self._seconds, trust_env=False, verify=trusted)

    def _post(self, url: str, asked: Mapping[str, Any]) -> None:
        answer = self._client.post(url, json=asked)
        if not answer.is_success:
            said = " ".join(answer.text.split())[:SHOWN]
            raise ValueError(f"it answered {answer.status_code}{said and f': {said}'}")
