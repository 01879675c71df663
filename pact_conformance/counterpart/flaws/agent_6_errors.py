"""Agents that get §6 wrong: what errors tell them."""

from collections.abc import Mapping
from typing import Any

from pact_conformance.counterpart.flaws.agent_requests import read_as_reply
from pact_conformance.counterpart.flaws.registry import agent_flaw
from pact_conformance.counterpart.personal_agent.answers import Failed, Outcome, Refused
from pact_conformance.counterpart.personal_agent.delegation.oauth import OAuthError
from pact_conformance.counterpart.personal_agent.documents import member
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import Reply
from pact_conformance.counterpart.personal_agent.store import Relation
from pact_conformance.counterpart.personal_agent.transport import Answer
from pact_conformance.counterpart.personal_agent.turns import Said, Turn, start_anew

Form = Mapping[str, str]


@agent_flaw("6-agent-errors", "4.2-agent-closed")
def shows_the_message_of_an_error_as_the_reply(agent: PersonalAgent) -> None:
    """The human message of an A2A error is shown as what the Brand has said."""

    def shown(answer: Answer) -> str | None:
        error = member(agent.read_document(answer), "error")
        return str(error.get("message")) if isinstance(error, dict) else None

    read_as_reply(agent, shown)


@agent_flaw("6-agent-errors")
def says_nothing_about_an_error(agent: PersonalAgent) -> None:
    """A turn that gets an A2A error ends with an empty reply."""

    def silent(agent: PersonalAgent, turn: Turn, draft: Draft, outcome: Refused) -> Said:
        if outcome.reason in agent.reasons:
            return refused(agent, turn, draft, outcome)
        return Reply("", turn.conversation.handle)

    refused = agent.reactions[Refused]
    agent.reactions[Refused] = silent


@agent_flaw("6-agent-reason")
def takes_every_400_for_a_closed_conversation(agent: PersonalAgent) -> None:
    """Any error with status 400 is taken to mean that the conversation is closed."""
    read_error = agent.read_error

    def read(agent: PersonalAgent, status: int, document: object) -> Outcome:
        outcome = read_error(agent, status, document)
        if isinstance(outcome, Refused) and status == 400:
            return Refused("UNSUPPORTED_OPERATION", status)
        return outcome

    agent.read_error = read


@agent_flaw("6-agent-reason")
def takes_what_is_not_supported_for_closed(agent: PersonalAgent) -> None:
    """Any reason with the word UNSUPPORTED or NOT_SUPPORTED in it begins a conversation anew."""
    agent.reasons["CONTENT_TYPE_NOT_SUPPORTED"] = start_anew
    agent.reasons["VERSION_NOT_SUPPORTED"] = start_anew


@agent_flaw("6-agent-reason", "4.2-agent-closed")
def looks_for_words_in_an_error(agent: PersonalAgent) -> None:
    """What an error is about is looked for in its human message, and not in its reason."""
    agent.read_reason = lambda error: (
        "UNSUPPORTED_OPERATION" if "supported" in str(error.get("message")) else None
    )


@agent_flaw("6-agent-plain-errors", "2.2-agent-unknown-brand")
def takes_what_it_cannot_parse_for_an_empty_reply(agent: PersonalAgent) -> None:
    """An error whose body is no JSON ends the turn with an empty reply."""

    def shown(answer: Answer) -> str | None:
        is_plain = answer.status > 401 and agent.read_document(answer) is None
        return "" if is_plain else None

    read_as_reply(agent, shown)


@agent_flaw("6-agent-plain-errors")
def shows_the_page_of_a_broken_server_as_the_reply(agent: PersonalAgent) -> None:
    """Text that comes with a status of 500 or more is shown as what the Brand has said."""

    def shown(answer: Answer) -> str | None:
        is_plain = answer.status >= 500 and b'"error"' not in answer.body
        return answer.body.decode(errors="replace") if is_plain else None

    read_as_reply(agent, shown)


@agent_flaw("6-agent-plain-errors", "4.2-agent-no-reply")
def gives_a_brand_up_for_ever(agent: PersonalAgent) -> None:
    """After an answer that is no A2A nothing is sent to the Brand any more."""
    deliver = agent.deliver
    broken: set[str] = set()

    def once(agent: PersonalAgent, draft: Draft) -> Outcome:
        handle = draft.relation.brand.handle
        if handle in broken:
            raise Failure("the Brand is out of order")
        outcome = deliver(agent, draft)
        if isinstance(outcome, Failed):
            broken.add(handle)
        return outcome

    agent.deliver = once


@agent_flaw("6-agent-retry-after")
def has_a_back_off_of_its_own(agent: PersonalAgent) -> None:
    """After a 429 a message is sent again within a second, whatever the Brand says."""
    agent.retry_after = lambda *_: 0.2


@agent_flaw("6-agent-retry-after")
def polls_at_its_interval_after_a_429(agent: PersonalAgent) -> None:
    """A poll that gets 429 counts as undecided, and the next one comes after the interval."""
    post = agent.delegation.post

    def posted(agent: PersonalAgent, relation: Relation, url: str, form: Form) -> Any:  # noqa: ANN401
        if "device_code" not in form:
            return post(agent, relation, url, form)
        request = agent.delegation.oauth_request(agent, relation, url, form)
        answer = agent.transport.send(request)
        if answer.status == 429:
            raise OAuthError("authorization_pending")
        return agent.delegation.read_oauth(agent, answer)

    agent.delegation.post = posted


@agent_flaw("6-agent-retry-after")
def reads_retry_after_as_seconds_alone(agent: PersonalAgent) -> None:
    """A date in `Retry-After` counts as one second."""
    retry_after = agent.retry_after

    def read(answer: Answer, now: float) -> float | None:
        value = answer.headers.get("retry-after", "")
        return retry_after(answer, now) if value.isdigit() else 1.0

    agent.retry_after = read
