"""§5.5 Step-up: how the agent gets the missing scope, and says again what needed it."""

from pact_conformance import expect
from pact_conformance.rig import requirement
from pact_conformance.subject.agent import NeedsSignIn
from pact_conformance.verdicts import Deviation, Untested

from .delegating import CANCEL, told
from .delegating_step_up import SteppedUp

_WANTED = "a device authorization request with the missing scope"


@requirement("5.5-agent-step-up")
def test_the_missing_scope_is_asked_for(stepped_up_agent: SteppedUp) -> None:
    _is_asked_for(stepped_up_agent)
    if not stepped_up_agent.by_itself:
        expect.note("the step-up is handed to the agent's caller, who starts the flow")


def _is_asked_for(stepped: SteppedUp) -> None:
    """Demand a flow with the missing scope, of the agent's own or at its caller's word."""
    if not stepped.flows:
        raise Deviation(_WANTED, f"none: {told(stepped.said)}")
    requested = {it for flow in stepped.flows for it in flow.scopes}
    expect.that(
        CANCEL in requested, f"{_WANTED}, {CANCEL}", ", ".join(sorted(requested)) or "no scope"
    )
    if not isinstance(stepped.said, NeedsSignIn):
        expect.note(f"the User is not shown a link at once: {told(stepped.said)}")


@requirement("5.5-agent-resend")
def test_the_message_is_sent_again_in_its_conversation(stepped_up_agent: SteppedUp) -> None:
    stepped = stepped_up_agent
    new = [it for it in stepped.who.tokens if it != stepped.token]
    if not new:
        if stepped.who.broke is not None:
            raise stepped.who.broke
        raise Untested(f"no new token was got: {told(stepped.ended)}", do="see 5.5-agent-step-up")
    wanted = "a message with the same contextId and the new token"
    if not stepped.again:
        raise Deviation(wanted, f"none: {told(stepped.ended)}")
    context_id = stepped.needing.message.get("contextId")
    for message in stepped.again:
        found = message.message.get("contextId")
        expect.that(found == context_id, f"the contextId {context_id}", str(found))
    expect.that(
        any(it.delegation == new[-1] for it in stepped.again), wanted, "none with the new token"
    )


@requirement("5.5-agent-resend-new-id")
def test_what_is_sent_again_has_an_id_of_its_own(stepped_up_agent: SteppedUp) -> None:
    if not stepped_up_agent.again:
        raise Untested("nothing was sent again", do="see 5.5-agent-resend")
    first = stepped_up_agent.needing.message.get("messageId")
    again = stepped_up_agent.again[0].message.get("messageId")

    expect.that(again != first, "a new messageId", "that of the message that got the step-up")


@requirement("5.5-agent-task-ephemeral")
def test_a_task_that_cannot_be_looked_up_ends_nothing(
    stepped_up_agent: SteppedUp, ephemeral_step_up: SteppedUp
) -> None:
    if not stepped_up_agent.again:
        raise Untested("nothing is sent again with a durable task", do="see 5.5-agent-resend")
    if ephemeral_step_up.who.broke is not None:
        raise ephemeral_step_up.who.broke
    for came, what in (
        (ephemeral_step_up.flows, "a device flow"),
        (ephemeral_step_up.again, "the message sent again"),
    ):
        said = ephemeral_step_up.ended or ephemeral_step_up.said
        expect.that(bool(came), f"{what}, as with a durable task", f"none: {told(said)}")
