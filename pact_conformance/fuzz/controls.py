"""What a control that did not get through says, and what is to be done about it."""

import time

from pact_conformance.expect.answers import describe
from pact_conformance.journal.answer import Answer
from pact_conformance.subject.rate_limit import retry_after
from pact_conformance.verdicts import Inconclusive

PROVES_NOTHING = "so what was refused since the last one proves nothing"


def failed(sent: str, answer: Answer, *, do: str, because: str = PROVES_NOTHING) -> Inconclusive:
    """Return why the fuzzing stops at a good request that did not get what is due to it.

    Args:
        sent: the good request in words.
        answer: what it got.
        do: what to do, unless it was a rate limit that got in the way.
        because: what follows from it; empty: nothing.
    """
    got = describe(answer)
    if answer.status == 429:
        seconds = retry_after(answer.headers.get("retry-after"), time.time())
        got = "429" if seconds is None else f"429 with Retry-After: {seconds:.0f}"
        do = "run again later, with a lower --pact-fuzz-rate or a higher --pact-max-wait"
    because = f", {because}" if because else ""
    return Inconclusive(f"the control failed: {sent} got {got}{because}", do=do)
