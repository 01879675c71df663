"""What the agent under test lacks on this machine, seen before anything is sent."""

import shlex
import shutil

from pact_conformance.settings import Settings
from pact_conformance.subject.agent.importing import Unimportable, found


def lacking(settings: Settings) -> str | None:
    """Say in one line why the agent cannot even be started; None if it can."""
    how = settings.agent or ""
    if how.startswith("python:"):
        try:
            found(how)
        except Unimportable as error:
            return f"E2E_AGENT: {error}"
    if how.startswith("cmd:"):
        command = shlex.split(how.removeprefix("cmd:"))[0]
        if shutil.which(command) is None:
            return f"E2E_AGENT: there is no command {command}"
    return None
