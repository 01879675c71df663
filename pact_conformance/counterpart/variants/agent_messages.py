"""Legal ways to send messages, and to go on where something fails (§2, §4, §6)."""

import json
from dataclasses import replace
from uuid import uuid4

from pact_conformance.counterpart.personal_agent.answers import (
    Failed,
    Outcome,
    Refused,
    Unauthorized,
)
from pact_conformance.counterpart.personal_agent.failure import Failure
from pact_conformance.counterpart.personal_agent.messages import Draft
from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent
from pact_conformance.counterpart.personal_agent.results import Reply
from pact_conformance.counterpart.personal_agent.sending import Retries
from pact_conformance.counterpart.personal_agent.transport import Answer, Request
from pact_conformance.counterpart.personal_agent.turns import Said, Turn, start_anew
from pact_conformance.counterpart.variants.registry import agent_variant
from pact_conformance.wire.media_types import A2A_JSON


@agent_variant("2-agent-version")
def names_no_version(agent: PersonalAgent) -> None:
    """Requests do not say which version of A2A is spoken."""
    del agent.message_headers["A2A-Version"]
    del agent.delegation.oauth_headers["A2A-Version"]


@agent_variant()
def sends_messages_as_a2a_json(agent: PersonalAgent) -> None:
    """Messages are sent as `application/a2a+json`, with a charset, and take that type alone."""
    agent.message_headers["Content-Type"] = lambda *_: f"{A2A_JSON}; charset=utf-8"
    agent.message_headers["Accept"] = lambda *_: A2A_JSON


@agent_variant()
def takes_any_media_type(agent: PersonalAgent) -> None:
    """Requests have no `Accept`."""
    for headers in (agent.card_headers, agent.message_headers, agent.delegation.oauth_headers):
        headers.pop("Accept")


@agent_variant()
def sends_headers_of_its_own(agent: PersonalAgent) -> None:
    """Requests have further headers, of tracing and of the agent's own."""
    agent.message_headers["Traceparent"] = lambda *_: f"00-{uuid4().hex}-00f067aa0ba902b7-01"
    agent.message_headers["X-Request-Id"] = lambda *_: uuid4().hex
    agent.delegation.oauth_headers["X-Request-Id"] = lambda *_: uuid4().hex


@agent_variant()
def writes_absent_members_as_empty(agent: PersonalAgent) -> None:
    """What there is none of is written as the empty text, as ProtoJSON may."""
    context_id = agent.message_members["contextId"]
    agent.message_members["contextId"] = lambda *about: context_id(*about) or ""
    agent.message_members["taskId"] = lambda *_: ""
    agent.message_members["extensions"] = lambda *_: []


@agent_variant()
def writes_absent_members_as_null(agent: PersonalAgent) -> None:
    """What there is none of is written as null."""
    message_request = agent.message_request

    def request(agent: PersonalAgent, draft: Draft) -> Request:
        made = message_request(agent, draft)
        body = json.loads(made.body or b"{}")
        body["message"] = {"contextId": None, "taskId": None, "metadata": None, **body["message"]}
        return replace(made, body=json.dumps({"tenant": None, **body}, indent=2).encode())

    agent.message_request = request


@agent_variant()
def says_more_in_a_message(agent: PersonalAgent) -> None:
    """A message has metadata, and its text in two parts with a media type."""
    agent.message_members["metadata"] = lambda *_: {"https://agent.example/channel": "chat"}
    agent.message_members["parts"] = lambda _agent, draft: [
        {"text": draft.text, "mediaType": "text/plain"},
        {"text": "Thank you.", "metadata": {}},
    ]
    agent.request_members["configuration"] = lambda *_: {
        "acceptedOutputModes": ["text/plain"],
        "historyLength": 0,
        "returnImmediately": False,
    }


@agent_variant()
def says_it_in_its_own_words(agent: PersonalAgent) -> None:
    """What the User says is told in the agent's words."""
    draft = agent.draft
    agent.draft = lambda *about: _wrapped(draft(*about))


@agent_variant()
def gives_messages_long_ids(agent: PersonalAgent) -> None:
    """The id of a message has 200 characters, with punctuation."""
    agent.mint_message_id = lambda: f"urn:agent:message/{uuid4()}?{'x' * 145}"


@agent_variant()
def never_sends_again(agent: PersonalAgent) -> None:
    """A message whose answer is lost is not sent again, and neither is one that got 429."""
    agent.retries = Retries(lost=(), running=())
    agent.retry_after = lambda *_: None


@agent_variant()
def sends_again_five_times(agent: PersonalAgent) -> None:
    """A message whose answer is lost is sent again up to five times."""
    agent.retries = Retries(lost=(1.0,) * 5, running=(1.0,) * 5)


@agent_variant()
def tries_once_more_after_a_401(agent: PersonalAgent) -> None:
    """A message that got a plain 401 is sent once more, with a fresh token."""
    reaction, tried = agent.reactions[Unauthorized], set[str]()

    def again(agent: PersonalAgent, turn: Turn, draft: Draft, outcome: Unauthorized) -> Said:
        if outcome.invalid_token or draft.message_id in tried:
            return reaction(agent, turn, draft, outcome)
        tried.add(draft.message_id)
        return agent.react(agent, turn, draft, agent.deliver(agent, draft))

    agent.reactions[Unauthorized] = again


@agent_variant()
def begins_anew_with_the_next_turn(agent: PersonalAgent) -> None:
    """A turn in a closed conversation fails, and the User's next turn begins a new one."""

    def drop(agent: PersonalAgent, turn: Turn, _draft: Draft, _outcome: Refused) -> Said:
        agent.drop_context(agent, turn)
        raise Failure("the conversation was closed; say it again in a new one")

    agent.reasons["UNSUPPORTED_OPERATION"] = drop


@agent_variant()
def begins_anew_with_the_same_id(agent: PersonalAgent) -> None:
    """What was said in a closed conversation begins a new one under its `messageId`."""

    def anew(agent: PersonalAgent, turn: Turn, draft: Draft, outcome: Refused) -> Said:
        if draft.context_id is None:
            raise Failure(f"the Brand has refused the message: {outcome.reason}")
        agent.drop_context(agent, turn)
        same = replace(draft, context_id=None)
        return agent.react(agent, turn, same, agent.deliver(agent, same))

    agent.reasons["UNSUPPORTED_OPERATION"] = anew


@agent_variant()
def begins_anew_after_invalid_params(agent: PersonalAgent) -> None:
    """INVALID_PARAMS in a conversation is taken to mean that the Brand no longer knows it."""
    agent.reasons["INVALID_PARAMS"] = start_anew


@agent_variant()
def keeps_one_conversation_with_each_brand(agent: PersonalAgent) -> None:
    """A User has one conversation with a Brand, whatever its caller begins (§1)."""
    kept: dict[object, str] = {}

    def keep(_agent: PersonalAgent, turn: Turn, context_id: str | None) -> None:
        if context_id is not None:
            kept[turn.relation.key] = context_id

    def drop(_agent: PersonalAgent, turn: Turn) -> None:
        kept.pop(turn.relation.key, None)

    agent.context_of = lambda *about: kept.get(about[1].key)
    agent.keep_context = keep
    agent.drop_context = drop


@agent_variant()
def introduces_itself_first(agent: PersonalAgent) -> None:
    """A conversation begins with words of the agent's own, and the User's are the next message."""
    take_turn = agent.take_turn

    def taken(agent: PersonalAgent, turn: Turn) -> Said:
        if agent.context_of(agent, turn.relation, turn.conversation) is None:
            words = "Good day, I write for one of your customers."
            take_turn(agent, replace(turn, text=words))
        return take_turn(agent, turn)

    agent.take_turn = taken


@agent_variant()
def sends_again_what_a_broken_server_had(agent: PersonalAgent) -> None:
    """In a conversation a message that got 500 or 503 is sent once more, as it was."""
    deliver = agent.deliver

    def again(agent: PersonalAgent, draft: Draft) -> Outcome:
        outcome = deliver(agent, draft)
        is_broken = isinstance(outcome, Failed) and outcome.why.endswith(("500", "503"))
        return deliver(agent, draft) if is_broken and draft.context_id else outcome

    agent.deliver = again


@agent_variant()
def leaves_a_brand_alone_for_a_minute_after_three_failures(agent: PersonalAgent) -> None:
    """After three failures in a row nothing is sent to a Brand for a minute."""
    deliver, failed = agent.deliver, dict[str, list[float]]()

    def guarded(agent: PersonalAgent, draft: Draft) -> Outcome:
        relation = draft.relation
        times = failed.setdefault(relation.brand.handle, [])
        if len(times) >= 3 and agent.now(relation) < times[-1] + 60:
            raise Failure("the Brand is left alone for a minute")
        outcome = deliver(agent, draft)
        if isinstance(outcome, Failed):
            times.append(agent.now(relation))
        else:
            times.clear()
        return outcome

    agent.deliver = guarded


@agent_variant()
def tells_a_failure_as_a_reply(agent: PersonalAgent) -> None:
    """A turn that came to nothing ends with words of the agent's own, as a model finds them."""
    take_turn = agent.take_turn

    def told(agent: PersonalAgent, turn: Turn) -> Said:
        try:
            return take_turn(agent, turn)
        except Failure:
            text = "Sorry, I could not get through to them just now. Shall I try again later?"
            return Reply(text, turn.conversation.handle)

    agent.take_turn = told


@agent_variant()
def waits_longer_than_asked(agent: PersonalAgent) -> None:
    """After a 429 it waits five seconds longer than `Retry-After` says."""
    retry_after = agent.retry_after

    def longer(answer: Answer, now: float) -> float | None:
        seconds = retry_after(answer, now)
        return None if seconds is None else seconds + 5.0

    agent.retry_after = longer


def _wrapped(draft: Draft) -> Draft:
    return replace(draft, text=f"My user says: “{draft.text}”. Can you help?")
