"""Agents that get the step-up of §5.5 wrong."""

from dataclasses import replace
from typing import Any

from pact_conformance.counterpart.flaws.agent_requests import ask, below
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.answers import SteppedUp
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import Reply
from pact_conformance.counterpart.personal_agent.store import Grant, Relation, SignIn, Waiting
from pact_conformance.counterpart.personal_agent.turns import Said, Turn


@agent_flaw("5.5-agent-step-up")
def takes_a_step_up_for_a_failure(agent: PersonalAgent) -> None:
    """A task in TASK_STATE_AUTH_REQUIRED ends the turn."""

    def failed(_agent: PersonalAgent, _turn: Turn, _draft: Draft, _outcome: Any) -> Said:  # noqa: ANN401
        raise Failure("the Brand has answered with a task")

    agent.reactions[SteppedUp] = failed


@agent_flaw("5.5-agent-step-up")
def shows_the_text_of_a_step_up(agent: PersonalAgent) -> None:
    """What the task says is shown as the Brand's reply, and nothing follows."""

    def shown(_agent: PersonalAgent, turn: Turn, _draft: Draft, outcome: Any) -> Said:  # noqa: ANN401
        parts = documents.member(outcome.task, "status", "message", "parts")
        text = documents.text(parts[0], "text") if parts else None
        return Reply(text or "Please sign in.", turn.conversation.handle)

    agent.reactions[SteppedUp] = shown


@agent_flaw("5.5-agent-step-up")
def asks_again_for_what_it_has(agent: PersonalAgent) -> None:
    """After a step-up it asks for the scopes that were granted before, and for no other."""
    wanted_scopes = agent.delegation.wanted_scopes

    def same(agent: PersonalAgent, relation: Relation, asked: Any) -> tuple[str, ...]:  # noqa: ANN401
        granted = agent.delegation.granted(agent, relation)
        return granted or wanted_scopes(agent, relation, asked)

    agent.delegation.wanted_scopes = same


@agent_flaw("5.5-agent-resend")
def begins_a_conversation_after_a_step_up(agent: PersonalAgent) -> None:
    """What was said is sent again in a new conversation."""
    resend = agent.resend

    def anew(agent: PersonalAgent, relation: Relation, waiting: Waiting) -> Said:
        waiting.conversation.context_id = None
        return resend(agent, relation, waiting)

    agent.resend = anew


@agent_flaw("5.5-agent-resend")
def keeps_the_token_from_before_a_step_up(agent: PersonalAgent) -> None:
    """The token of a step-up is not kept where there was one before."""
    keep = agent.delegation.keep

    def first(agent: PersonalAgent, relation: Relation, grant: Grant) -> None:
        held = agent.delegation.held(agent, relation)
        if held is None or held.scopes == grant.scopes:
            keep(agent, relation, grant)

    agent.delegation.keep = first


@agent_flaw("5.5-agent-resend-new-id")
def sends_it_again_as_a_retry(agent: PersonalAgent) -> None:
    """What is sent again after a step-up has the id of the message before, as a retry has."""
    draft, step_up = agent.draft, agent.reactions[SteppedUp]
    ids: dict[str, str] = {}

    def stepped_up(agent: PersonalAgent, turn: Turn, asked: Draft, outcome: Any) -> Said:  # noqa: ANN401
        ids[turn.conversation.handle] = asked.message_id
        return step_up(agent, turn, asked, outcome)

    def same(made: Draft) -> Draft:
        kept = ids.pop(made.conversation.handle, None)
        return made if kept is None else replace(made, message_id=kept)

    agent.draft = lambda *about: same(draft(*about))
    agent.reactions[SteppedUp] = stepped_up


@agent_flaw("4.1-agent-no-task-id")
def answers_the_task_of_a_step_up(agent: PersonalAgent) -> None:
    """The message that is sent again after a step-up names its task."""
    step_up, request = agent.reactions[SteppedUp], agent.message_members
    tasks: dict[str, str | None] = {}

    def stepped_up(agent: PersonalAgent, turn: Turn, draft: Draft, outcome: Any) -> Said:  # noqa: ANN401
        tasks[draft.conversation.handle] = documents.text(outcome.task, "id")
        return step_up(agent, turn, draft, outcome)

    agent.reactions[SteppedUp] = stepped_up
    request["taskId"] = lambda _agent, draft: tasks.get(draft.conversation.handle)


@agent_flaw("5.5-agent-task-ephemeral")
def wants_the_task_of_a_step_up_to_be_there(agent: PersonalAgent) -> None:
    """After the User has approved, the task is looked up, and where it is not there it gives up."""
    step_up, go_on = agent.reactions[SteppedUp], agent.delegation.go_on
    tasks: dict[tuple[str, str], str | None] = {}

    def stepped_up(agent: PersonalAgent, turn: Turn, asked: Draft, outcome: Any) -> Said:  # noqa: ANN401
        tasks[turn.relation.key] = documents.text(outcome.task, "id")
        return step_up(agent, turn, asked, outcome)

    def looked(agent: PersonalAgent, relation: Relation, sign_in: SignIn) -> Said:
        task = tasks.pop(relation.key, None)
        if task is not None:
            found = ask(agent, relation, "GET", below(relation, f"tasks/{task}"))
            if found is None or found.status != 200:
                raise Failure("the task is gone")
        return go_on(agent, relation, sign_in)

    agent.reactions[SteppedUp] = stepped_up
    agent.delegation.go_on = looked
