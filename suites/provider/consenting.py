"""The consent page as the User saw it, for the checks that read it (§5.3)."""

from pact_conformance.delegation import Delegation
from pact_conformance.grants import Grant, Tried
from pact_conformance.subject.approver import Page
from pact_conformance.verdicts import Untested

from .authorizing import DO_REVOKE, SKIPPED, Part


def shown(delegation: Delegation, part: Tried[Part], none_ticked: Tried[Grant]) -> Page:
    """Return the consent page of a flow for two scopes.

    Raises:
        Unsettled: no such flow came about.
        Untested: the approver does not tell, or consent was skipped.
    """
    tried = none_ticked.value
    if tried is not None and tried.done.consent is not None:
        return seen(delegation, tried)
    return seen(delegation, part.had().asked)


def seen(delegation: Delegation, grant: Grant) -> Page:
    """Return the consent page of a flow.

    Raises:
        Untested: the approver does not tell, or consent was skipped.
    """
    page = grant.done.consent
    if page is None and grant.done.decided == "skipped":
        raise Untested(SKIPPED, do=DO_REVOKE)
    if page is None or not page.text.strip():
        raise Untested(
            f"the approver {delegation.approver.name} does not say what the consent page showed",
            do="set E2E_APPROVER to form or browser, or let yours answer with `consent`",
        )
    return page
