"""The verb for tokens that are data: what `fixtures/forgeries` says must become of each (§3.2)."""

from pact_conformance.expect.answers import no_server_error, past_authentication, unauthorized
from pact_conformance.expect.remarks import warn
from pact_conformance.journal.answer import Answer
from pact_conformance.tokens.forgeries import Forgery


def fate(answer: Answer, forgery: Forgery) -> None:
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
