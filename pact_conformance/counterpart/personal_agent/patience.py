"""Waiting where a Brand limits the rate (§6)."""

from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.counterpart.personal_agent.transport import Answer, Request

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent


def exchange(agent: "PersonalAgent", relation: Relation, make: Callable[[], Request]) -> Answer:
    """Send what `make` makes; after a 429 with `Retry-After` wait, and send it once more.

    It is made anew for each sending, so that no token is sent twice.

    Raises:
        Failure: it is not the time yet, and will not be soon; or no answer came.
    """
    agent.wait_for_leave(agent, relation)
    answer = agent.transport.send(make())
    if answer.status == 429 and agent.note_pause(agent, relation, answer):
        agent.wait_for_leave(agent, relation)
        answer = agent.transport.send(make())
        if answer.status == 429:
            agent.note_pause(agent, relation, answer)
    return answer


def wait_for_leave(agent: "PersonalAgent", relation: Relation) -> None:
    """Wait until the Brand takes requests of this User again.

    Raises:
        Failure: that is too long.
    """
    seconds = agent.store.pauses.get(relation.key, 0.0) - agent.now(relation)
    if seconds <= 0:
        return
    if seconds > agent.config.longest_pause:
        raise Failure(f"the Brand takes no requests for {seconds:.0f} s (429)")
    agent.sleep(relation, seconds)


def note_pause(agent: "PersonalAgent", relation: Relation, answer: Answer) -> bool:
    """Remember how long a 429 asks to wait; say whether it asks for anything."""
    now = agent.now(relation)
    seconds = agent.retry_after(answer, now)
    if seconds is None:
        return False
    agent.store.pauses[relation.key] = now + seconds
    return True


def retry_after(answer: Answer, now: float) -> float | None:
    """Return the seconds of `Retry-After`, a number or a date (RFC 9110 §10.2.3); None: no such.

    A date is compared with that of the answer, since the two clocks may differ.
    """
    value = answer.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:_DIGITS])
    until = _timestamp(value)
    if until is None:
        return None
    said = _timestamp(answer.headers.get("date", ""))
    return max(0.0, until - (now if said is None else said))


_DIGITS = 12


def _timestamp(value: str) -> float | None:
    try:
        return parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
