"""§6 Errors: a failure of the Brand's agent and a limit, which only a hook brings about.

Everything else is decided over every exchange of the run, by the journal rules of
`pact_conformance/journal/rules`: the envelope, its code, the place of the reason, the table, no
failure for bad input, and that 401, 404, 405 and 429 are no A2A errors.
"""

import time

from pact_conformance import expect
from pact_conformance.journal.answer import Answer
from pact_conformance.rig import requirement
from pact_conformance.subject.rate_limit import retry_after
from pact_conformance.verdicts import Inconclusive

from .troubles import Limited


@requirement("6-internal")
def test_a_failure_of_the_agent_is_an_internal_error(failed: Answer) -> None:
    expect.a2a_error(failed, "INTERNAL")
    expect.status(failed, 500)


@requirement("6-429-retry-after")
def test_a_user_who_is_limited_is_served_after_the_wait_that_was_asked_for(
    limited: Limited | None,
) -> None:
    if limited is None:
        expect.absent("without the hook rate_limit only 429s that come by themselves are judged")
    if limited.first.status != 429:
        raise Inconclusive(
            f"the hook rate_limit did not lead to 429 but to {limited.first.status}",
            do="let hooks.rate_limit limit that User before it returns",
        )
    header = limited.first.headers.get("retry-after")
    expect.that(
        retry_after(header, time.time()) is not None,
        "a Retry-After with seconds or an HTTP date",
        header,
    )
    expect.past_authentication(limited.later)
