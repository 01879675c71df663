"""One sign-in, if the tester wants it tried: a device flow with the approver as the User (§5.3).

It is left out otherwise, for it costs a decision, and a person where the approver is one.
"""

from pact_conformance.doctor.parts import Part
from pact_conformance.grants import error_of
from pact_conformance.rig import Rig
from pact_conformance.verdicts import Unsettled
from pact_conformance.wire.card import Card

NAME = "sign-in"

WORDS = {
    "approved": "approves",
    "denied": "denies",
    "skipped": "is not asked for consent",
}
"""What a User does who decides in one of these ways."""

_USER = "doctor"


def sign_in(rig: Rig) -> Part | None:
    """Have the User sign in and approve one scope; None where there is nothing to sign in for."""
    if rig.settings.profile == "identity" or rig.preflight.finding is not None:
        return None
    if Card(rig.preflight.card, rig.preflight.card_url).delegation is None:
        return None
    if rig.settings.approver is None:
        return Part(NAME, "missing", "nobody plays the User", "set E2E_APPROVER")
    if rig.settings.approver == "manual":
        return Part(NAME, "ready", "manual: not tried, for a run asks at its own terminal")
    try:
        return _tried(rig)
    except Unsettled as error:
        return Part(NAME, "blocked", error.reason, error.do)


def _tried(rig: Rig) -> Part:
    delegation = rig.delegation
    grant = delegation.grants.get([delegation.first], _USER)
    does = WORDS.get(grant.done.decided, grant.done.decided)
    if grant.answer.status != 200:
        error = error_of(grant.answer) or "no error of OAuth"
        said = f"the User {does}, and the token endpoint answers {grant.answer.status} with {error}"
        return Part(NAME, "blocked", said, "see what the Brand's page says; docs/approver.md")
    return Part(NAME, "ready", f"the User signs in and {does}, and a delegation token comes")
