"""Brands at which turns fail: without a token's worth, without a route, with every error of §6."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pact_conformance.rig import conversation
from pact_conformance.subject.agent import AgentUnderTest
from pact_conformance.subject.seen import Seen
from pact_conformance.subject.stage import Stage
from pact_conformance.wire.media_types import A2A_JSON

from .cards import NOT_FOUND_PAGE
from .conversing import GOING_ON
from .people import ROSALIND
from .playing import GREETING, Play, Said, play

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="a2a"'}

NO_ENTRY = "The doorkeeper knows no such key and lets nobody in."

# A2A's reasons, with the status and the code that PACT's table gives them (§6).
REASONS = {
    "INVALID_PARAMS": (400, "INVALID_ARGUMENT"),
    "CONTENT_TYPE_NOT_SUPPORTED": (400, "INVALID_ARGUMENT"),
    "UNSUPPORTED_OPERATION": (400, "FAILED_PRECONDITION"),
    "PUSH_NOTIFICATION_NOT_SUPPORTED": (400, "FAILED_PRECONDITION"),
    "TASK_NOT_FOUND": (404, "NOT_FOUND"),
    "INTERNAL": (500, "INTERNAL"),
}

# What the errors say to people; no word of it decides anything.
SAID_OF_ERRORS = "The umbrella stand is full today."

SAID_OF_ERRORS_APART = "This is unsupported here, and nothing was closed by it."

# The reasons that a first turn gets, and those that come in a conversation.
PRONE = ("INVALID_PARAMS", "TASK_NOT_FOUND", "UNSUPPORTED_OPERATION", "INTERNAL")
APART = ("CONTENT_TYPE_NOT_SUPPORTED", "PUSH_NOTIFICATION_NOT_SUPPORTED")

# Seconds after which an agent that has stopped asking a Brand for its failures may ask again.
CALM = 600.0

# So long a pause is asked for: of an agent in virtual time, and of one that really waits.
PAUSE_VIRTUAL, PAUSE_REAL = 30, 3


def error_answer(reason: str, message: str = SAID_OF_ERRORS, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON values
    """Return an A2A error as an answer of a script."""
    code, status = REASONS[reason]
    error = {"code": code, "status": status, "message": message, "details": [_info(reason)]}
    return {"status": code, "body": {"error": error}, **more}


def _info(reason: str) -> dict[str, str]:
    return {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "a2a-protocol.org",
    }


@dataclass(frozen=True)
class Failing:
    """A turn that gets one and the same failure, however often it is tried."""

    body: str
    play: Play

    @property
    def turn(self) -> Said:
        """What was said."""
        return self.play.first


@conversation(turns=0, together=0)
def locked_out(
    stage: Stage, agent: AgentUnderTest, first_conversation: Play
) -> Mapping[str, Failing]:
    """Turns that get 401 with the challenge of §3.4, by the form of the body."""
    first_conversation.must_begin()
    about = {"status": 401, "headers": CHALLENGE, "contentType": "text/plain"}
    return _failing(stage, agent, about, {"empty": "", "text": NO_ENTRY})


@conversation(turns=0, together=0)
def unrouted(
    stage: Stage, agent: AgentUnderTest, first_conversation: Play
) -> Mapping[str, Failing]:
    """Turns that get 404 without an A2A body, by the form of the body."""
    first_conversation.must_begin()
    about = {"status": 404, "contentType": "text/html"}
    return _failing(stage, agent, about, {"empty": "", "html": NOT_FOUND_PAGE})


@conversation(turns=0, together=0)
def refused_with(
    stage: Stage, agent: AgentUnderTest, first_conversation: Play
) -> Mapping[str, Failing]:
    """First turns that get an A2A error, by its reason; for two of them see `told_apart`."""
    first_conversation.must_begin()
    found = {}
    for reason in PRONE:
        script = {"message:send": [error_answer(reason, always=True)]}
        acted = play(stage, agent, answers=script)
        acted.say(ROSALIND, GREETING)
        found[reason] = Failing(SAID_OF_ERRORS, acted)
    return found


def _failing(
    stage: Stage, agent: AgentUnderTest, about: Mapping[str, Any], bodies: Mapping[str, str]
) -> Mapping[str, Failing]:
    found = {}
    for form, body in bodies.items():
        script = {"message:send": [{**about, "text": body, "always": True}]}
        acted = play(stage, agent, answers=script)
        acted.say(ROSALIND, GREETING)
        found[form] = Failing(body, acted)
    return found


@dataclass(frozen=True)
class Apart:
    """Errors in a conversation that look like the one for a closed conversation, and are not."""

    opened: Said
    turns: Mapping[str, Said]
    """By reason."""
    then: Said
    """The turn after them."""

    bodies = (SAID_OF_ERRORS_APART,)

    @property
    def messages(self) -> list[Seen]:
        """What was sent from the first of the errors on."""
        return [it for said in (*self.turns.values(), self.then) for it in said.messages]


@conversation(turns=0, together=0)
def told_apart(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Apart:
    """In a conversation come errors that look like the one of a closed conversation.

    One has its HTTP status and the other its status text too; its name stands in a later detail,
    and its words in the message.
    """
    first_conversation.must_go_on()
    answers: list[dict[str, Any] | None] = [None]
    for reason in APART:
        answer = error_answer(reason, SAID_OF_ERRORS_APART)
        answer["body"]["error"]["details"].append(_info("UNSUPPORTED_OPERATION"))
        answers.append(answer)
    acted = play(stage, agent, answers={"message:send": answers})
    opened = acted.say(ROSALIND, GREETING)
    opened.must_work()
    turns = {reason: acted.go_on(ROSALIND, GOING_ON, after=opened) for reason in APART}
    return Apart(opened, turns, acted.go_on(ROSALIND, "What now?", after=opened))


@dataclass(frozen=True)
class Stumbling:
    """A conversation in which failures without an A2A body come, and a turn after them."""

    play: Play
    turns: tuple[Said, ...]
    last: Said

    @property
    def bodies(self) -> tuple[str, ...]:
        """The texts that were in place of a reply."""
        return tuple(str(it["text"]).strip() for it in STUMBLES if it["text"])


STUMBLES: tuple[dict[str, Any], ...] = (
    {"status": 405, "text": ""},
    {
        "status": 429,
        "headers": {"Retry-After": "1"},
        "text": "Not so fast, says the turnstile.",
        "contentType": "text/plain",
    },
    {"status": 500, "text": '{"error": {"code": 500, "mess', "contentType": "application/a2a+json"},
    {"status": 503, "text": NOT_FOUND_PAGE + " " * (1 << 18), "contentType": "text/html"},
)


@conversation(turns=0, together=0)
def stumbling(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Stumbling:
    """In a conversation come 405, 429, 500 and 503, cut short and long, then nothing more.

    An agent that tries again gets the next one.
    """
    first_conversation.must_go_on()
    acted = play(stage, agent, answers={"message:send": [None, *STUMBLES]})
    opened = acted.say(ROSALIND, GREETING)
    opened.must_work()
    turns: list[Said] = []
    while len(acted.messages) <= len(STUMBLES) and len(turns) < len(STUMBLES):
        turns.append(_when_calm(acted, opened, GOING_ON))
    return Stumbling(acted, tuple(turns), _when_calm(acted, opened, "And now?"))


def _when_calm(acted: Play, opened: Said, text: str) -> Said:
    """Go on; where nothing was sent, and time can be moved, once more when some has passed."""
    said = acted.go_on(ROSALIND, text, after=opened)
    if said.messages or not acted.agent.virtual_time or not isinstance(acted.brand, str):
        return said
    acted.scene.pass_time(CALM)
    acted.agent.pass_time(acted.brand, CALM)
    return acted.go_on(ROSALIND, text, after=opened)


# A page as networks put it before whatever was asked for.
PAGE = "Welcome to the harbour's network. Please accept the terms of the pilots."

# What comes with status 200 and is neither a Message nor a task, by what it is.
GARBLED: Mapping[str, dict[str, Any]] = {
    "page": {"text": f"<html><body><p>{PAGE}</p></body></html>", "contentType": "text/html"},
    "other": {"body": {"answer": {"says": PAGE}}},
    "nested": {"text": '{"message":' + "[" * 100_000, "contentType": A2A_JSON},
}


@dataclass(frozen=True)
class Garbled:
    """A conversation in which turns get what is no answer of A2A, and a turn after them."""

    play: Play
    turns: Mapping[str, Said]
    """By what came in place of the reply."""
    last: Said


@conversation(turns=0, together=0)
def garbled(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Garbled:
    """In a conversation come a page, JSON that is something else, and JSON without a bottom."""
    first_conversation.first.must_work()
    acted = play(stage, agent, answers={"message:send": [None, *GARBLED.values()]})
    opened = acted.say(ROSALIND, GREETING)
    opened.must_work()
    turns = {}
    for form in GARBLED:
        turns[form] = _when_calm(acted, opened, GOING_ON)
    return Garbled(acted, turns, _when_calm(acted, opened, "And now?"))


@dataclass(frozen=True)
class Paused:
    """A turn that gets 429 with `Retry-After`, and the pause that this asks for, in seconds."""

    turn: Said
    seconds: int


@conversation(turns=0, together=0)
def paused(stage: Stage, agent: AgentUnderTest, first_conversation: Play) -> Mapping[str, Paused]:
    """Turns that get 429 once, with a number of seconds and with a date."""
    first_conversation.must_begin()
    seconds = PAUSE_VIRTUAL if agent.virtual_time else PAUSE_REAL
    found = {}
    for form, value in (("seconds", str(seconds)), ("date", f"{{date+{seconds}}}")):
        answer = {"status": 429, "headers": {"Retry-After": value}, "text": ""}
        acted = play(stage, agent, answers={"message:send": [answer]})
        found[form] = Paused(acted.say(ROSALIND, GREETING), seconds)
    return found
