"""Changes of what a message is answered with: replies, step-ups, the end of a conversation (§4)."""

from copy import deepcopy
from typing import Any

from pact_conformance.fuzz.hostile_answers.draft import SAID, Draft, closed
from pact_conformance.fuzz.hostile_answers.entering import (
    kind,
    more,
    odd,
    otherwise_written,
    typed,
    valued,
    without,
)
from pact_conformance.fuzz.hostile_answers.flows import HEADERS
from pact_conformance.fuzz.hostile_answers.making import CANCEL, READ
from pact_conformance.fuzz.hostile_answers.writing import Twice, written
from pact_conformance.fuzz.kind import Kind, OneOf

_REPLY, _CONTEXT, _A2A = "4.2-agent-reply", "4.2-agent-context-opaque", "2-agent-a2a-json"
_NO_REPLY = "4.2-agent-no-reply"

_MEMBERS = ("message.messageId", "message.contextId", "message.role", "message.parts")
_EXTRAS: dict[str, Any] = {
    "extensions": ["https://x.example/extension"],
    "referenceTaskIds": ["t-1"],
    "kind": "message",
    "metadata": {"x-mood": "good"},
}
_CONTEXTS = (
    "7",
    "a/b?c#d%20e",
    "ﺪﻋﻢ-☂",
    "Ctx",
    "0x10",
    "null",
    "{}",
    "'; DROP TABLE contexts; --",
    "../../etc/passwd",
    "x" * 1000,
    "A" * 36,
    "f0c12e6b-231e-4d92-a610-2518a0f27d2Z",
    "1e3",
    "00",
)
_BLANK_CONTEXTS = (" with blanks at both ends ", "ctx\twith a tab", "ctx-1 ", "\u00a0ctx")
_TEXTS = {
    "with lines": f"{SAID}\r\n\r\nSecond line.\t",
    "with markup": f"<p>{SAID}</p> &amp; **bold** [link](https://shop.example/)",
    "in another script": f"{SAID} ﺪﻋﻢ \u202e\u200f ☂ 👩‍👩‍👧‍👦 e\u0301",
    "with braces": f"{SAID} {{0}} %s ${{x}} {{{{y}}}} \\n",
    "like JSON": f'{{"said": "{SAID}"}}',
    "of 20,000 characters": f"{SAID} {'And so on. ' * 1800}",
}
_ODD_TEXTS = {
    "empty": "",
    "blank": " \t\u00a0",
    "with NUL": f"{SAID}\u0000",
    "of 400,000 characters": f"{SAID} {'x' * 400_000}",
}
# What stands beside the part with the text.
_PARTS: dict[str, dict[str, Any]] = {
    "text": {"text": "Goodbye."},
    "text with a media type": {"text": "Goodbye.", "mediaType": "text/markdown"},
    "an empty text": {"text": ""},
    "data": {"data": {"orderId": 7}},
    "a file by its URL": {"url": "https://shop.example/label.pdf", "mediaType": "application/pdf"},
    "a file in base64": {"raw": "AAAA", "filename": "a.bin"},
    "a kind that nobody knows": {"hologram": {"x": 1}},
    "an empty object": {},
}
_TASKS: dict[str, Any] = {
    "completed": {"id": "t-1", "contextId": "c-1", "status": {"state": "TASK_STATE_COMPLETED"}},
    "working": {"id": "t-1", "contextId": "c-1", "status": {"state": "TASK_STATE_WORKING"}},
    "without a status": {"id": "t-1"},
    "null": None,
    "of no state": {"id": "t-1", "contextId": "c-1", "status": {}},
    "in a state that nobody knows": {"id": "t-1", "status": {"state": "TASK_STATE_DANCING"}},
    "an empty object": {},
}


def _extra(draft: Draft, name: str) -> None:
    draft.reply.document["message"][name] = deepcopy(_EXTRAS[name])


def _context(draft: Draft, context_id: str) -> None:
    draft.reply.document["message"]["contextId"] = context_id
    draft.goes_on = True


def _text(table: dict[str, str]) -> Any:  # noqa: ANN401 - an Apply
    def apply(draft: Draft, which: str) -> None:
        draft.reply.document["message"]["parts"][0]["text"] = table[which]

    return apply


def _part(draft: Draft, which: str, where: str) -> None:
    parts = draft.reply.document["message"]["parts"]
    parts.insert(0 if where == "before" else len(parts), dict(_PARTS[which]))


def _task(draft: Draft, which: str, where: str) -> None:
    task = deepcopy(_TASKS[which])
    if where == "beside":
        draft.reply.document["task"] = task
    else:
        draft.reply.document = {"task": task}


def _header(draft: Draft, name: str) -> None:
    draft.reply.headers[name] = HEADERS[name]


def _status(draft: Draft, status: int) -> None:
    draft.reply.status = status


def _twice(draft: Draft, name: str) -> None:
    message = draft.reply.document["message"]
    message[name] = Twice(message[name], message[name])


def _bare(draft: Draft, how: str) -> None:
    message = draft.reply.document["message"]
    draft.reply.document = {
        "a bare Message": message,
        "an array": [{"message": message}],
        "JSON-RPC": {"jsonrpc": "2.0", "id": 1, "result": {"message": message}},
        "a Message in a Message": {"message": {"message": message}},
        "a result": {"result": message},
        "a text": written({"message": message}),
        "A2A 0.3": {**message, "kind": "message", "role": "agent"},
        "a Message among messages": {"messages": [message]},
    }[how]


_BARE = (
    "a bare Message", "an array", "JSON-RPC", "a Message in a Message", "a result", "a text",
    "A2A 0.3", "a Message among messages",
)  # fmt: skip

# These find the Message whole, so they come before whatever takes it apart.
REPLIES: tuple[Kind[Draft], ...] = (
    more("reply", "reply", ("", "message", "message.parts.0"), "the reply"),
    otherwise_written("reply", "reply", "the reply", "2-agent-http-json"),
    typed("reply", "reply", "the reply",
          ("application/a2a+json; charset=utf-8", "Application/A2A+JSON",
           'application/a2a+json;profile="x,y;z"'), "accepted", _A2A),
    kind("reply-header", "the reply has a header `{0}`", "accepted", _REPLY, _header,
         "reply.header", takes=[OneOf(tuple(HEADERS))]),
    kind("reply-extra", "the Message has `{0}`, which A2A knows", "accepted", _REPLY, _extra,
         "reply.extra", takes=[OneOf(tuple(_EXTRAS))]),
    kind("reply-context", "the `contextId` is `{0}`", "accepted", _CONTEXT, _context,
         "reply.document", "message.turns", takes=[OneOf(_CONTEXTS)]),
    kind("reply-context-blank", "the `contextId` is `{0}`", "accepted", _CONTEXT, _context,
         "reply.document", "message.turns", takes=[OneOf(_BLANK_CONTEXTS)]),
    kind("reply-text", "the reply is a text {0}", "accepted", _REPLY, _text(_TEXTS),
         "reply.document", takes=[OneOf(tuple(_TEXTS))]),
    kind("reply-part", "{0} {1} the part with the text", "warn-if-refused", _REPLY, _part,
         "reply.document", takes=[OneOf(tuple(_PARTS)), OneOf(("behind", "before"))]),
    kind("reply-text-odd", "the reply is a text {0}", "either", _REPLY, _text(_ODD_TEXTS),
         "reply.document", takes=[OneOf(tuple(_ODD_TEXTS))]),
    valued("reply", "reply-role", "the Message's `role` is `{0}`", "either", _NO_REPLY, "reply",
           "message.role", ("ROLE_USER", "agent", "role_agent", "ROLE_UNSPECIFIED", "assistant")),
    valued("reply", "reply-metadata", "the Message's `metadata` is {0}", "either", _REPLY, "reply",
           "message.metadata",
           {"null": None, "a text": "x", "an array": [], "of a null receipt":
            {"pact.receipt": None}, "of a receipt that is a text": {"pact.receipt": "eyJ"}}),
    without("reply", "reply-without", "reply", _MEMBERS, "the reply", "either", _REPLY),
    kind("reply-twice", "the Message has `{0}` twice", "either", _REPLY, _twice, "reply.document",
         takes=[OneOf(("parts", "role", "contextId", "messageId"))]),
    odd("reply", "reply", ("", "message", *_MEMBERS, "message.parts.0", "message.parts.0.text"),
        "the reply", _NO_REPLY),
    kind("reply-task", "a task that is {0} stands {1} the Message", "either", _NO_REPLY, _task,
         "reply.document", takes=[OneOf(tuple(_TASKS)), OneOf(("beside", "in the place of"))]),
    kind("reply-bare", "the reply is written as {0}", "either", _NO_REPLY, _bare, "reply.document",
         takes=[OneOf(_BARE)]),
    kind("reply-status", "the reply comes with status {0}", "either", _NO_REPLY, _status,
         "reply.status", takes=[OneOf((201, 202, 203, 206))]),
    typed("reply", "reply", "the reply",
          ("application/json", "text/plain", "text/html", "text/event-stream", "", "x"), "either",
          _A2A, id_="reply-type-other"),
)  # fmt: skip

_TASK = (
    "task",
    "task.id",
    "task.contextId",
    "task.status",
    "task.status.state",
    "task.status.message",
    "task.metadata",
)
_MISSING: dict[str, Any] = {
    "one twice": [CANCEL, CANCEL],
    "with one that is held": [READ, CANCEL],
}
_ODD_MISSING: dict[str, Any] = {
    "empty": [],
    "null": None,
    "a text": CANCEL,
    "an object": {CANCEL: True},
    "with a number": [CANCEL, 7],
    "with one that is not on the card": [CANCEL, "everything:do"],
    "one that is not on the card": ["everything:do"],
    "with an empty text": [CANCEL, ""],
    "what is held": [READ],
    "ten thousand": [f"s{number}" for number in range(10_000)],
    "with a blank in it": [f"{READ} {CANCEL}"],
}


def _missing(table: dict[str, Any]) -> Any:  # noqa: ANN401 - an Apply
    def apply(draft: Draft, which: str) -> None:
        metadata = draft.step_up.document["task"]["metadata"]
        metadata["pact.missingScopes"] = deepcopy(table[which])

    return apply


def _no_link(draft: Draft) -> None:
    del draft.step_up.document["task"]["metadata"]["pact.verificationUriComplete"]


_OPTIONAL: dict[str, Any] = {
    "history": [],
    "artifacts": [],
    "artifacts with a text": [{"artifactId": "a-1", "parts": [{"text": "Not yet."}]}],
}


def _optional(draft: Draft, name: str) -> None:
    draft.step_up.document["task"][name.partition(" ")[0]] = deepcopy(_OPTIONAL[name])


def _stamped(draft: Draft) -> None:
    draft.step_up.document["task"]["status"]["timestamp"] = "2026-09-30T12:00:00.000Z"


_STEP_UP = "5.5-agent-step-up"

STEP_UPS: tuple[Kind[Draft], ...] = (
    more("step-up", "step-up", ("", "task", "task.status", "task.metadata"), "the step-up"),
    otherwise_written("step-up", "step-up", "the step-up", _STEP_UP),
    kind("step-up-optional", "the task has `{0}`", "accepted", _STEP_UP, _optional,
         "step-up.optional", "message.turns", takes=[OneOf(tuple(_OPTIONAL))]),
    kind("step-up-timestamp", "the task's status has a `timestamp`", "accepted", _STEP_UP,
         _stamped, "step-up.timestamp", "message.turns"),
    kind("step-up-missing", "the missing scopes are {0}", "accepted", _STEP_UP, _missing(_MISSING),
         "step-up.document", "message.turns", takes=[OneOf(tuple(_MISSING))]),
    without("step-up", "step-up-without", "step-up",
            ("task.status.message", "task.status.message.messageId"), "the step-up", "accepted",
            _STEP_UP),
    kind("step-up-missing-odd", "the missing scopes are {0}", "either", _STEP_UP,
         _missing(_ODD_MISSING), "step-up.document", "message.turns",
         takes=[OneOf(tuple(_ODD_MISSING))]),
    kind("step-up-no-link", "the step-up has no link", "either", _STEP_UP, _no_link,
         "step-up.document", "message.turns"),
    without("step-up", "step-up-without-more", "step-up",
            ("task.id", "task.contextId", "task.metadata", "task.status"), "the step-up", "either",
            _STEP_UP),
    odd("step-up", "step-up", ("", *_TASK), "the step-up", _STEP_UP),
    valued("step-up", "step-up-state", "the task's state is `{0}`", "either", _STEP_UP, "step-up",
           "task.status.state",
           ("TASK_STATE_INPUT_REQUIRED", "AUTH_REQUIRED", "auth-required", "TASK_STATE_FAILED")),
)  # fmt: skip


_CLOSED = "4.2-agent-closed"
_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_DETAILS: dict[str, Any] = {
    "a further detail": {"@type": "type.googleapis.com/google.rpc.Help", "links": []},
    "a further reason": {"@type": _INFO, "reason": "INVALID_PARAMS", "domain": "x.example"},
    "a detail that nobody knows": {"@type": "type.example/x", "x": [None]},
    "a retry": {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1s"},
}
_MESSAGES = (
    "",
    "TASK_NOT_FOUND",
    "Gesloten ☂",
    "INVALID_PARAMS: unknown contextId",
    "x" * 5000,
)


def _closed_with(change: Any) -> Any:  # noqa: ANN401 - of an error's members
    def apply(draft: Draft, *values: str) -> None:
        closed(draft)
        assert draft.closing is not None
        change(draft.closing.document["error"], *values)

    return apply


def _detail(error: dict[str, Any], which: str) -> None:
    error["details"].append(_DETAILS[which])


def _said(error: dict[str, Any], message: str) -> None:
    error["message"] = message


def _metadata(error: dict[str, Any]) -> None:
    error["details"][0]["metadata"] = {"contextId": "c-1", "closedAt": "2026-09-30T12:00:00Z"}


def _member(error: dict[str, Any], where: str) -> None:
    (error if where == "error" else error["details"][0])["x-note"] = {"a": [1, None]}


def _type(draft: Draft, content_type: str) -> None:
    closed(draft)
    assert draft.closing is not None
    draft.closing.content_type = content_type


CLOSINGS: tuple[Kind[Draft], ...] = (
    kind("closing-message", "the error of a closed conversation says `{0}`", "accepted", _CLOSED,
         _closed_with(_said), "closing.message", "message.turns", takes=[OneOf(_MESSAGES)]),
    kind("closing-detail", "the error of a closed conversation has {0}", "accepted", _CLOSED,
         _closed_with(_detail), "closing.details", "message.turns",
         takes=[OneOf(tuple(_DETAILS))]),
    kind("closing-metadata", "the reason of a closed conversation has `metadata`", "accepted",
         _CLOSED, _closed_with(_metadata), "closing.metadata", "message.turns"),
    kind("closing-more", "in the error of a closed conversation, below `{0}`, a member that nobody "
         "knows", "accepted", _CLOSED, _closed_with(_member), "closing.more", "message.turns",
         takes=[OneOf(("error", "details.0"))]),
    kind("closing-type", "the Content-Type of a closed conversation's error is `{0}`", "accepted",
         _CLOSED, _type, "closing.type", "message.turns",
         takes=[OneOf(("application/a2a+json; charset=utf-8", "Application/A2A+JSON"))]),
)  # fmt: skip
