"""What the answer to a message means (§3.4, §4.2, §5.5, §6)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.request import parse_http_list

from pact_conformance.counterpart.personal_agent import documents
from pact_conformance.counterpart.personal_agent.transport import Answer

if TYPE_CHECKING:
    from pact_conformance.counterpart.personal_agent.personal_agent import PersonalAgent


@dataclass(frozen=True)
class Replied:
    """The Brand's agent has replied with a Message (§4.2)."""

    message: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class SteppedUp:
    """The turn needs scopes that its delegation token lacks (§5.5)."""

    task: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Refused:
    """An A2A error (§6)."""

    reason: str | None
    status: int


@dataclass(frozen=True)
class Unauthorized:
    """A 401, which has no A2A body (§3.4)."""

    invalid_token: bool
    """Whether the challenge is that of a bad delegation token (§5.5)."""


@dataclass(frozen=True)
class Failed:
    """Anything else: no answer that PACT knows."""

    why: str


Outcome = Replied | SteppedUp | Refused | Unauthorized | Failed


def read_outcome(agent: "PersonalAgent", answer: Answer) -> Outcome:
    """Return what an answer to `message:send` means."""
    if answer.status == 401:
        return Unauthorized(agent.is_invalid_token(answer))
    document = agent.read_document(answer)
    if answer.status == 200:
        return agent.read_result(agent, document)
    return agent.read_error(agent, answer.status, document)


def read_document(answer: Answer) -> Any:  # noqa: ANN401 - any JSON value
    """Return the JSON of an answer; None for an empty body, HTML and whatever else is none."""
    if not documents.is_json(answer.headers.get("content-type")):
        return None
    try:
        return documents.read_json(answer.body)
    except ValueError:
        return None


def read_result(agent: "PersonalAgent", document: object) -> Outcome:
    """Return what a SendMessageResponse holds: a Message or a step-up task, beside anything."""
    message, task = documents.member(document, "message"), documents.member(document, "task")
    if agent.is_reply(message):
        return Replied(message)
    if agent.is_step_up(task):
        return SteppedUp(task)
    return Failed("the Brand has answered with neither a reply nor a step-up")


def is_reply(message: object) -> bool:
    """Say whether this is a Message of the Brand's agent."""
    role, parts = documents.member(message, "role"), documents.member(message, "parts")
    return bool(role == "ROLE_AGENT") and isinstance(parts, list)


def is_step_up(task: object) -> bool:
    """Say whether this is a task that waits for the User to approve more (§5.5)."""
    return documents.text(task, "status", "state") == "TASK_STATE_AUTH_REQUIRED"


def read_error(agent: "PersonalAgent", status: int, document: object) -> Outcome:
    """Return what an answer with another status than 200 and 401 means."""
    error = documents.member(document, "error")
    if isinstance(error, dict):
        return Refused(agent.read_reason(error), status)
    return Failed(f"the Brand has answered with HTTP {status}")


def read_reason(error: Mapping[str, Any]) -> str | None:
    """Return the reason of an A2A error, which stands in its first detail and nowhere else (§6)."""
    details = error.get("details")
    first = details[0] if isinstance(details, list) and details else None
    return documents.text(first, "reason")


def is_invalid_token(answer: Answer) -> bool:
    """Say whether a 401 has the challenge of a bad delegation token (§5.5)."""
    values = answer.headers.get_list("www-authenticate")
    return any(_names_invalid_token(value) for value in values)


def _names_invalid_token(value: str) -> bool:
    """Look for a Bearer challenge with that error among all in a header (RFC 9110 §11.6.1)."""
    scheme = ""
    for item in parse_http_list(value):
        name, _, quoted = item.partition("=")
        words = name.split()
        if len(words) == 2 or (words and not quoted):
            scheme = words[0].lower()
        is_error = bool(words) and words[-1].lower() == "error"
        if scheme == "bearer" and is_error and quoted.strip().strip('"') == "invalid_token":
            return True
    return False


def reply_text(message: Mapping[str, Any]) -> str:
    """Return the text of a Message: its text parts, a line each; other kinds have none."""
    texts = (documents.text(part, "text") for part in message["parts"])
    return "\n".join(text for text in texts if text is not None)
