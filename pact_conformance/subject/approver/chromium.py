"""Where the Chromium is that the User is played in; none is ever downloaded."""

import shutil
from importlib.util import find_spec
from pathlib import Path

from pact_conformance.file_tables import ApproverFields

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

ARGUMENTS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def executable(fields: ApproverFields) -> str | None:
    """Return the path of the browser: the tester's, else the first that is on the PATH."""
    if fields.browser is not None:
        found = shutil.which(fields.browser)
        return found or (fields.browser if Path(fields.browser).is_file() else None)
    return next(filter(None, map(shutil.which, COMMANDS)), None)


def lacking(fields: ApproverFields) -> str | None:
    """Say what is missing for a browser, and what to do; None if nothing is."""
    if find_spec("playwright") is None:
        return "the package playwright is not installed: pip install 'pact-conformance[browser]'"
    if executable(fields) is None:
        if fields.browser is not None:
            return f"there is no {fields.browser}: correct approver_fields.browser"
        return (
            "there is no Chromium on the PATH: install chromium, or set approver_fields.browser to "
            "where it is"
        )
    return None
