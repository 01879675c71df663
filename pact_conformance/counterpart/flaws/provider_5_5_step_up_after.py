"""Flaws of §5.5: what becomes of a conversation after a step-up, and of its task."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.registry import flaw
from pact_conformance.counterpart.provider.brand_agent import Authority, Reply, Turn
from pact_conformance.counterpart.provider.call import Call
from pact_conformance.counterpart.provider.conversations import Conversation
from pact_conformance.counterpart.provider.delegation.step_up import StepUp
from pact_conformance.counterpart.provider.provider import Provider
from pact_conformance.counterpart.provider.refusals import A2ARefusal, Refusal, invalid
from pact_conformance.counterpart.substitution import Document, answering, refusing

# The conversation goes on


@flaw("5.5-step-up-context")
def gives_a_step_up_no_context(provider: Provider) -> None:
    """The task of a step-up has no contextId."""
    del provider.delegation.task["contextId"]


@flaw("5.5-step-up-context", "5.5-step-up-resolved")
def gives_a_step_up_a_context_of_its_own(provider: Provider) -> None:
    """The contextId of a step-up is of no conversation."""
    provider.delegation.task["contextId"] = lambda _provider, step_up: step_up.id


def _after_a_step_up(
    provider: Provider, refusal: Callable[[StepUp, Authority | None], Refusal | None]
) -> None:
    """Let `refusal` refuse messages in a conversation that has stepped up."""
    check = provider.conduct.check_brand_user

    def check_brand_user(conversation: Conversation, authority: Authority | None) -> None:
        check(conversation, authority)
        for step_up in provider.delegation.step_ups.all():
            refused = refusal(step_up, authority) if step_up.context_id == conversation.id else None
            if refused is not None:
                raise refused

    provider.conduct.check_brand_user = check_brand_user


@flaw("5.5-step-up-context", "5.5-step-up-resolved")
def closes_a_conversation_with_the_step_up(provider: Provider) -> None:
    """A step-up closes its conversation."""
    begin = provider.delegation.begin_step_up

    def begin_step_up(
        provider: Provider, conversation: Conversation, turn: Turn, reply: Reply
    ) -> StepUp:
        conversation.close(provider.clock.now(turn.brand_id))
        return begin(provider, conversation, turn, reply)

    provider.delegation.begin_step_up = begin_step_up


@flaw("5.5-step-up-context")
def waits_for_the_missing_scope_alone(provider: Provider) -> None:
    """After a step-up a conversation refuses every message without the missing scopes."""

    def refusal(step_up: StepUp, authority: Authority | None) -> Refusal | None:
        has_all = authority is not None and set(step_up.missing) <= set(authority.scopes)
        return None if has_all else invalid("The conversation waits for a permission")

    _after_a_step_up(provider, refusal)


@flaw("5.5-step-up-context")
def steps_up_again_whatever_is_asked(provider: Provider) -> None:
    """After a step-up every message without the missing scopes gets a task in another context."""
    start = provider.delegation.begin_step_up

    def begin_step_up(
        provider: Provider, conversation: Conversation, turn: Turn, reply: Reply
    ) -> StepUp:
        step_up = start(provider, conversation, turn, reply)
        waiting.setdefault(turn.user, step_up)
        return step_up

    waiting: dict[object, StepUp] = {}
    agent = provider.brand_agent

    async def brand_agent(turn: Turn) -> Reply:
        reply = await agent(turn)
        step_up = waiting.get(turn.user)
        held = () if turn.authority is None else turn.authority.scopes
        if step_up is None or turn.authority is None or set(step_up.missing) <= set(held):
            return reply
        again.add(reply.id)
        return replace(reply, missing_scopes=step_up.missing)

    again: set[str] = set()
    member = provider.delegation.task["contextId"]

    def context_id(provider: Provider, step_up: StepUp) -> object:
        return step_up.id if step_up.message_id in again else member(provider, step_up)

    provider.delegation.begin_step_up = begin_step_up
    provider.delegation.task["contextId"] = context_id
    provider.brand_agent = brand_agent


@flaw("5.5-step-up-resolved")
def keeps_the_scopes_of_the_first_token(provider: Provider) -> None:
    """A conversation goes on with the scopes of the first token in it."""
    first: dict[str, Authority] = {}
    agent = provider.brand_agent

    def refusal(step_up: StepUp, authority: Authority | None) -> None:
        if authority is not None:
            first.setdefault(step_up.context_id, authority)
            lacking[authority.grant_id] = step_up.missing

    lacking: dict[str, tuple[str, ...]] = {}

    async def brand_agent(turn: Turn) -> Reply:
        reply = await agent(turn)
        missing = lacking.get(turn.authority.grant_id, ()) if turn.authority is not None else ()
        if set(missing) & set(reply.scopes_used):
            return replace(reply, missing_scopes=missing, scopes_used=(), actions=())
        return reply

    _after_a_step_up(provider, refusal)
    provider.brand_agent = brand_agent


@flaw("5.5-step-up-resolved")
def refuses_the_new_token_in_the_old_conversation(provider: Provider) -> None:
    """After a step-up a conversation refuses tokens that have the missing scopes."""

    def refusal(step_up: StepUp, authority: Authority | None) -> Refusal | None:
        has_all = authority is not None and set(step_up.missing) <= set(authority.scopes)
        return invalid("The conversation has another grant") if has_all else None

    _after_a_step_up(provider, refusal)


@flaw("5.6-receipt")
def resolves_a_step_up_without_a_receipt(provider: Provider) -> None:
    """The reply in a conversation that stepped up has no receipt once the scope is granted."""
    attach = provider.delegation.attach_receipt
    resolved: set[str] = set()

    def refusal(step_up: StepUp, authority: Authority | None) -> None:
        if authority is not None and set(step_up.missing) <= set(authority.scopes):
            resolved.add(step_up.context_id)

    def attach_receipt(answer: Any, receipt: Document) -> Any:  # noqa: ANN401 - a JSON value
        is_resolved = answer["message"]["contextId"] in resolved
        return answer if is_resolved else attach(answer, receipt)

    _after_a_step_up(provider, refusal)
    provider.delegation.attach_receipt = attach_receipt


# Looking the task up


def _find_task(provider: Provider, find: Callable[[Provider, Call], StepUp]) -> None:
    provider.find_task = find


def _kept(provider: Provider, call: Call) -> StepUp | None:
    return provider.delegation.step_ups.get(call.path_members["id"])


@flaw("5.5-step-up-lookup", "6-client-errors")
def breaks_down_over_the_task_of_a_step_up(provider: Provider) -> None:
    """Whoever asks for a step-up of their own gets INTERNAL."""
    original = provider.find_task

    def find(provider: Provider, call: Call) -> StepUp:
        original(provider, call)
        raise A2ARefusal("INTERNAL", "The task is not stored")

    _find_task(provider, find)


@flaw("5.5-step-up-lookup")
def supports_no_lookup_of_a_step_up(provider: Provider) -> None:
    """Whoever asks for a step-up of their own gets UNSUPPORTED_OPERATION."""
    original = provider.find_task

    def find(provider: Provider, call: Call) -> StepUp:
        original(provider, call)
        raise A2ARefusal("UNSUPPORTED_OPERATION", "Tasks are not kept")

    _find_task(provider, find)


@flaw("5.5-step-up-lookup")
def finds_another_task_than_was_asked_for(provider: Provider) -> None:
    """Whoever asks for a step-up of their own gets it under another id."""
    original = provider.find_task

    def find(provider: Provider, call: Call) -> StepUp:
        return replace(original(provider, call), id="t-1")

    _find_task(provider, find)


@flaw("5.5-step-up-lookup", "6-client-errors")
def breaks_down_over_cancelling_a_step_up(provider: Provider) -> None:
    """Whoever cancels a step-up of their own gets INTERNAL."""
    handle = provider.operations["cancel"].handle
    provider.operations.handle("cancel", handle)

    async def cancel(provider: Provider, call: Call) -> Any:  # noqa: ANN401 - a response
        provider.find_task(provider, call)
        return await refusing("INTERNAL")(provider, call)

    provider.operations.handle("cancel", cancel)


@flaw("5.5-step-up-lookup")
def cancels_a_step_up_in_silence(provider: Provider) -> None:
    """Whoever cancels a step-up of their own gets an empty object."""

    async def cancel(provider: Provider, call: Call) -> Any:  # noqa: ANN401 - a response
        provider.find_task(provider, call)
        return await answering(lambda: provider.answers.result({}))(provider, call)

    provider.operations.handle("cancel", cancel)


@flaw("5.5-step-up-foreign")
def shows_a_step_up_to_everybody(provider: Provider) -> None:
    """Whoever knows the id of a step-up may look it up and cancel it."""
    original = provider.find_task
    _find_task(provider, lambda provider, call: _kept(provider, call) or original(provider, call))


@flaw("5.5-step-up-foreign")
def shows_a_step_up_to_the_users_of_an_agent(provider: Provider) -> None:
    """Every User of the personal agent may look up a step-up, though not cancel it."""
    original = provider.find_task

    def find(provider: Provider, call: Call) -> StepUp:
        found = _kept(provider, call)
        is_asked_for = call.operation is not None and call.operation.name == "get"
        return found if found is not None and is_asked_for else original(provider, call)

    _find_task(provider, find)


@flaw("5.5-step-up-foreign")
def lets_everybody_cancel_a_step_up(provider: Provider) -> None:
    """Whoever knows the id of a step-up may cancel it."""
    original = provider.find_task

    def find(provider: Provider, call: Call) -> StepUp:
        found = _kept(provider, call)
        is_cancelled = call.operation is not None and call.operation.name == "cancel"
        return found if found is not None and is_cancelled else original(provider, call)

    _find_task(provider, find)


@flaw("5.5-step-up-foreign")
def lists_a_step_up_to_whoever_asked_for_it(provider: Provider) -> None:
    """A User who asked for a step-up of somebody else finds it in the list of tasks."""
    get, own = provider.find_task, provider.own_tasks
    asked: list[tuple[object, StepUp]] = []

    def find(provider: Provider, call: Call) -> StepUp:
        kept = _kept(provider, call)
        asked.extend([] if kept is None else [(call.user, kept)])
        return get(provider, call)

    def own_tasks(provider: Provider, call: Call) -> list[StepUp]:
        mine = own(provider, call)
        return mine + [it for user, it in asked if user == call.user and it not in mine]

    _find_task(provider, find)
    provider.own_tasks = own_tasks


@flaw("5.5-step-up-foreign")
def says_that_a_step_up_is_somebody_elses(provider: Provider) -> None:
    """A step-up of somebody else gets UNSUPPORTED_OPERATION, and what is none TASK_NOT_FOUND."""
    original = provider.find_task

    def find(provider: Provider, call: Call) -> StepUp:
        try:
            return original(provider, call)
        except A2ARefusal:
            if _kept(provider, call) is not None:
                raise A2ARefusal("UNSUPPORTED_OPERATION", "Not your task") from None
            raise

    _find_task(provider, find)
