"""Whoever plays the User at the Brand's login and the Provider's consent page (§5.3)."""

from pact_conformance.subject.approver.another import unanswered
from pact_conformance.subject.approver.errand import (
    Answered,
    Approver,
    Box,
    Count,
    Done,
    Errand,
    ErrorPage,
    Page,
    Session,
    Step,
)
from pact_conformance.subject.approver.making import approver_of

__all__ = [
    "Answered",
    "Approver",
    "Box",
    "Count",
    "Done",
    "Errand",
    "ErrorPage",
    "Page",
    "Session",
    "Step",
    "approver_of",
    "unanswered",
]
