"""Makes the approver that the settings name."""

from pact_conformance.journal.client import RecordingClient
from pact_conformance.journal.mask import Mask
from pact_conformance.settings import Settings
from pact_conformance.subject.approver.errand import Approver
from pact_conformance.subject.approver.form import FormApprover
from pact_conformance.verdicts import Untested

HOW = "set E2E_APPROVER to form, browser, cmd:…, http(s)://… or manual"


def approver_of(settings: Settings, client: RecordingClient, mask: Mask) -> Approver:
    """Return whoever plays the User.

    Args:
        settings: of the tester; passwords of the accounts are masked from now on.
        client: sends what the approver sends over HTTP.
        mask: takes secrets out of what the approver says.

    Raises:
        Untested: the settings name nobody.
    """
    for account in settings.accounts:
        mask.add(account.password.get_secret_value(), "password")
    if settings.approver == "form":
        return FormApprover(settings, client, mask)
    raise Untested("somebody has to play the User", do=HOW)
