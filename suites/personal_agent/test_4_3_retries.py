"""§4.3 Retries: a message that is sent again because its answer was lost."""

from pact_conformance import expect
from pact_conformance.rig import requirement

from .conversing import Lost
from .telling import must_end


@requirement("4.3-agent-same-id")
def test_a_message_that_is_sent_again_stays_the_same(lost_answer: Lost) -> None:
    lost, again = lost_answer.lost, lost_answer.again
    if not again:
        expect.absent("the agent does not send a message again whose answer was lost")

    for name in ("messageId", "contextId", "parts"):
        before, after = lost.message.get(name), again[0].message.get(name)
        expect.that(after == before, f"the same {name}", f"{after!r} after {before!r}")


@requirement("4.3-agent-bounded")
def test_retries_that_are_refused_come_to_an_end(lost_answer: Lost) -> None:
    _ = lost_answer.lost
    if not lost_answer.again:
        expect.absent("the agent does not send a message again whose answer was lost")

    must_end(lost_answer.turn)
