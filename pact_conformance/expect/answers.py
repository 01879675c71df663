"""Verbs for any answer: refusals, routes and A2A errors (§2.2, §3.4, §6)."""

from collections.abc import Collection

from pact_conformance.expect.remarks import warn
from pact_conformance.journal.answer import NOT_JSON, Answer
from pact_conformance.verdicts import Deviation, Inconclusive
from pact_conformance.wire.errors import A2AError

SHOWN = 160


def describe(answer: Answer) -> str:
    """Say in a few words what came: the status, the reason or the start of the body."""
    error = answer.error
    if error is not None and error.reason:
        return f"{answer.status} with {error.reason}"
    body = " ".join(answer.text.split())
    if not body:
        return f"{answer.status} with an empty body"
    shown = body if len(body) <= SHOWN else body[:SHOWN] + "…"
    return f"{answer.status} with {shown}"


def settled(answer: Answer) -> Answer:
    """Return the answer if the subject gave it.

    Raises:
        Inconclusive: a gateway in between answered, or a rate limit outlived its waits.
    """
    if answer.status in {502, 503, 504} and answer.error is None:
        raise Inconclusive(
            f"a gateway answered {answer.status} for the Provider",
            do="look at what stands between the suite and the Provider, and run again",
        )
    if answer.status == 429:
        raise Inconclusive(
            "the Provider still rate-limits after the waits that were allowed",
            do="raise --pact-max-wait or the limit of the personal agent that the suite plays",
        )
    return answer


def status(answer: Answer, *wanted: int) -> Answer:
    """Demand one of these HTTP statuses."""
    settled(answer)
    if answer.status not in wanted:
        raise Deviation(" or ".join(map(str, wanted)), describe(answer))
    return answer


def unauthorized(answer: Answer) -> None:
    """Demand the refusal of §3.4: 401. Its challenge and body are judged by journal rules."""
    settled(answer)
    if answer.status != 401:
        raise Deviation("401, as for every authentication failure", describe(answer))


def past_authentication(answer: Answer) -> None:
    """Demand that the token was taken: whatever comes then, it is neither 401 nor a failure."""
    settled(answer)
    if answer.status == 401 or answer.status >= 500:
        raise Deviation("an answer from behind authentication", describe(answer))


def not_accepted(answer: Answer) -> None:
    """Demand that a token was not taken; failing over it is no acceptance either (§3.1)."""
    if answer.status != 401 and answer.status < 500:
        settled(answer)
        raise Deviation("401, or a failure, but no acceptance", describe(answer))


def unrouted(answer: Answer) -> None:
    """Demand 404 or 405 (§2.2). That no A2A body comes with it is a journal rule."""
    status(answer, 404, 405)


def no_server_error(answer: Answer) -> None:
    """Demand that the request did not make the Provider fail."""
    settled(answer)
    if answer.status >= 500:
        raise Deviation("an answer below 500", describe(answer))


def not_served(answer: Answer) -> None:
    """Demand that no result came: neither a Message nor a Task nor anything else with 2xx."""
    settled(answer)
    if 200 <= answer.status < 300:
        raise Deviation("a refusal", describe(answer))


def a2a_error(answer: Answer, *reasons: str, warned: Collection[str] = ()) -> A2AError:
    """Demand an A2A error with one of `reasons`; one of `warned` is accepted with a warning.

    Only the reason is judged here. The envelope's form, its code and the table's HTTP status and
    canonical status belong to journal rules (§6).
    """
    settled(answer)
    wanted = f"the A2A error {' or '.join(reasons)}"
    error = answer.error
    if error is None or answer.status < 400:
        raise Deviation(wanted, describe(answer))
    if error.reason in warned:
        warn(f"{error.reason} came; {' or '.join(reasons)} is expected")
    elif error.reason not in reasons:
        raise Deviation(wanted, describe(answer))
    return error


def a2a_result(answer: Answer) -> object:
    """Demand 200 with a JSON body and return its value."""
    status(answer, 200)
    if answer.json is NOT_JSON:
        raise Deviation("200 with a JSON body", describe(answer))
    return answer.json
