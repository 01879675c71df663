"""The verbs for tokens that are data: what `fixtures` says must become of each (§3.2, §5.5)."""

from typing import Protocol

from pact_conformance.expect.answers import no_server_error, past_authentication, unauthorized
from pact_conformance.expect.delegation import RECEIPT, has_receipt
from pact_conformance.expect.remarks import warn
from pact_conformance.journal.answer import Answer
from pact_conformance.tokens.delegation_forgeries import DelegationHeader
from pact_conformance.tokens.forgery import Result
from pact_conformance.verdicts import Deviation


class Fated(Protocol):
    """A row of data about something that is sent."""

    @property
    def result(self) -> Result:
        """What a Provider must, should or may make of it."""

    @property
    def comment(self) -> str:
        """What is wrong with it."""


def fate(answer: Answer, forgery: Fated) -> None:
    """Demand what a Provider must, should or may make of this token.

    A SHOULD here warns; where either is right, only a failure of the Provider is wrong.
    """
    refused = answer.status == 401
    match forgery.result:
        case "refused":
            unauthorized(answer)
        case "accepted":
            past_authentication(answer)
        case "either":
            no_server_error(answer)
        case "warn-if-accepted":
            if refused:
                return
            past_authentication(answer)
            warn(f"accepted: {forgery.comment}")
        case "warn-if-refused":
            if not refused:
                past_authentication(answer)
                return
            warn(f"refused: {forgery.comment}")


def header_fate(answer: Answer, header: DelegationHeader) -> None:
    """Demand what a Provider must make of a message with this delegation header (§5.5).

    Where it may be served it is served under delegation, which the receipt shows: a header with
    something in it is never treated as if it were absent.
    """
    body = answer.json
    is_reply = answer.status == 200 and isinstance(body, dict) and "message" in body
    if header.result != "refused" and not header.absent and is_reply and not has_receipt(answer):
        raise Deviation(
            "401, or service under delegation", f"a reply without {RECEIPT}, as without the header"
        )
    fate(answer, header)
