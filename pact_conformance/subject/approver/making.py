"""Makes the approver that the settings name."""

from pathlib import Path

from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.approver.command import CommandApprover
from pact_conformance.subject.approver.errand import Approver
from pact_conformance.subject.approver.form import FormApprover
from pact_conformance.subject.approver.manual import ManualApprover, Person
from pact_conformance.subject.approver.over_http import HttpApprover
from pact_conformance.verdicts import Untested

HOW = "set E2E_APPROVER to form, browser, cmd:…, http(s)://… or manual"


def approver_of(
    settings: Settings,
    client: RecordingClient,
    mask: Mask,
    *,
    person: Person | None = None,
    folder: Path | None = None,
) -> Approver:
    """Return whoever plays the User.

    Args:
        settings: of the tester; passwords of the accounts are masked from now on.
        client: sends what the approver sends over HTTP.
        mask: takes secrets out of what the approver says.
        person: who is at the terminal, for `manual`.
        folder: of the report, for pictures of the pages.

    Raises:
        Untested: the settings name nobody, or a person and there is none.
    """
    for account in settings.accounts:
        mask.add(account.password.get_secret_value(), "password")
    how = settings.approver or ""
    match how.partition(":")[0]:
        case "form":
            return FormApprover(settings, client, mask)
        case "browser":
            # Not everybody's cost, nor everybody's package.
            from pact_conformance.subject.approver.browser import (  # noqa: PLC0415
                BrowserApprover,
            )

            return BrowserApprover(settings, client, mask, folder)
        case "cmd":
            return CommandApprover(how, settings, mask)
        case "http" | "https":
            return HttpApprover(how, settings, client, mask)
        case "manual" if person is not None:
            return ManualApprover(settings, mask, person)
        case "manual":
            raise Untested("nobody is at the terminal to play the User", do="run at a terminal")
        case _:
            raise Untested("somebody has to play the User", do=HOW)
