"""What the approver lacks on this machine, seen before anything is sent."""

import shlex
import shutil

from pact_conformance.settings import Settings
from pact_conformance.subject.approver import chromium


def lacking(settings: Settings) -> str | None:
    """Say in one line what the approver lacks, and what to do; None if it is ready to begin."""
    how = settings.approver or ""
    if how == "browser":
        lack = chromium.lacking(settings.approver_fields)
        return None if lack is None else f"E2E_APPROVER=browser: {lack}"
    if how.startswith("cmd:"):
        command = shlex.split(how.removeprefix("cmd:"))[0]
        if shutil.which(command) is None:
            return f"E2E_APPROVER: there is no command {command}"
    return None
