"""Changes to a message of blank text: it is refused, whatever else is amiss (§4.1, §6)."""

from collections.abc import Callable, Iterable
from typing import Any

from pact_conformance.fuzz.entering import Apply, kind
from pact_conformance.fuzz.kind import Kind, OneOf, Whole
from pact_conformance.fuzz.malformed_requests.draft import BLANK, Draft
from pact_conformance.fuzz.malformed_requests.entering import BODY, NO_FAILURE, blanked, suspected
from pact_conformance.fuzz.malformed_requests.written import Raw
from pact_conformance.wire.text import WHITE_SPACE

_OTHERS = frozenset({"CONTENT_TYPE_NOT_SUPPORTED"})

_VALUES = ("null", "true", "false", "0", "-1", "1.5", '""', '"a"', "[]", "[[]]", "{}")
_ROLES = (
    *("null", '""', "true", "2", "0", "-1", "7", "1.5", "1e400", "4294967297", "[]", "{}"),
    *('["ROLE_USER"]', '{"role":"ROLE_USER"}', '"1"', '"user"', '"USER"', '"role_user"'),
    *('"Role_User"', '" ROLE_USER"', '"ROLE_USER "', r'"ROLE_USER\n"', r'"ROLE_USER\u0000"'),
    *('"ROLE_USER,ROLE_AGENT"', '"ROLE_AGENT"', '"ROLE_UNSPECIFIED"', '"ROLE_"', '"ROLE"'),
    *('"ROLE-USER"', '"ROLE USER"', '"\uff32OLE_USER"', '"__proto__"'),
)
# Texts that are odd for an id, as JSON.
_IDS = (
    *('"a b"', '"a/b"', '"../a"', '"a?b#c"', '"%00"', '"a:cancel"', '"\'"', '"\';--"', '"\\""'),
    *('"\\\\"', r'"\u0000"', r'"a\u0000b"', r'"\ud800"', r'"a\nb"', '"\u00e9"', '"\U0001f600"'),
    *('"\ufeff"', '"${a}"', '"{{a}}"', '"<b>"', '"null"', '"0"', '"-1"', '"__proto__"'),
    *('"constructor"', f'"{"a" * 65}"', f'"{"a" * 300}"', f'"{"a" * 20_000}"'),
)
_TASK_TYPES = ("7", "true", "[]", "{}", '["t-1"]')
_TOPS = ("null", "true", "false", "0", "7", '""', '"a"', "[]", "[[]]", "[{}]", "{}")
_PARTS = (
    *("null", "true", "0", '""', '"a"', "{}", "[]", "[null]", "[true]", "[7]", '["a"]', "[[]]"),
    *("[{}]", "[{},{}]", '[{"text":" "},null]', '[null,{"text":" "}]', '[{"text":" "},[]]'),
    *('{"text":" "}', '{"0":{"text":" "}}', '[[{"text":" "}]]', '{"length":1}', '["text"]'),
)
_TEXTS = ("null", "true", "false", "0", "7", "1e400", "[]", "[[]]", '[" "]', "{}", '{"text":" "}')
_DATA = ("null", "true", "false", "0", "1e400", '""', '" "', "[]", "[null]", "{}", '{"text":" "}')
_RAWS = (
    '""',
    '"a"',
    '"===="',
    '"%%%%"',
    '"YQ"',
    '"YQ=="',
    '" YQ=="',
    '"\u00e9"',
    "null",
    "7",
    "[]",
)
_URLS = (
    *('""', '"a"', '"//"', '"http://"', '"http://["', '"javascript:alert(1)"', '"data:,a"', "7"),
    *('"file:///etc/passwd"', '"http://\u00e9.example/"', r'"http://a.example/\u0000"', "null"),
    *('"https://files.example/a.png"', f'"https://files.example/{"a" * 5000}"'),
)
_SPACES = {f"U+{ord(it):04X}": it for it in sorted(WHITE_SPACE)}
_ALL = "all of them"


def _put(*way: str | int) -> Callable[[Draft, str], None]:
    """Return what puts a JSON text in some place of the message."""

    def apply(draft: Draft, text: str) -> None:
        suspected(draft, text)
        holder: Any = draft.message
        for step in way[:-1]:
            holder = holder[step]
        holder[way[-1]] = Raw(text)

    return apply


def _allowing(reasons: Iterable[str], apply: Apply) -> Apply:
    allowed = set(reasons)

    def applied(draft: Draft, *values: Any) -> None:  # noqa: ANN401 - a change's
        draft.reasons |= allowed
        apply(draft, *values)

    return applied


def _top(draft: Draft, text: str) -> None:
    draft.at("message")
    draft.document = Raw(text)
    draft.reason = "INVALID_PARAMS"


def _message(draft: Draft, text: str) -> None:
    draft.blank()
    draft.document["message"] = Raw(text)


def _left_out(draft: Draft, name: str) -> None:
    draft.blank()
    if name == "message":
        del draft.document["message"]
    else:
        del draft.message[name]


def _parted(member: str) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, text: str) -> None:
        suspected(draft, text)
        draft.message["parts"] = [{member: Raw(text)}]

    return apply


def _beside(draft: Draft, member: str) -> None:
    draft.part[member] = {"a": 1} if member == "data" else "aGVsbG8="


def _spaces(draft: Draft, which: str, number: int) -> None:
    text = "".join(_SPACES.values()) if which == _ALL else _SPACES[which]
    draft.part["text"] = text * number


def _many(draft: Draft, number: int) -> None:
    draft.message["parts"] = [{"text": BLANK} for _ in range(number)]


def _shape(  # noqa: PLR0917 - a row of the table below
    id_: str, words: str, requirement: str, apply: Apply, slot: str, values: Iterable[str]
) -> Kind[Draft]:
    """Return a kind whose every value is due a refusal, for the text of the message is blank."""
    return kind(
        id_, words, "refused", requirement, blanked(apply), slot, takes=[OneOf(tuple(values))]
    )


_WHOLE = ("message", "role", "messageId", "contextId", "taskId", "parts", "metadata.x", "member")
_REST = ("optional", "configuration")

SHAPES: tuple[Kind[Draft], ...] = (
    kind(
        "top",
        "a body of nothing but `{0}`",
        "refused",
        BODY,
        _top,
        *_WHOLE,
        *_REST,
        takes=[OneOf(_TOPS)],
    ),
    kind(
        "message",
        "a message that is `{0}`",
        "refused",
        BODY,
        _message,
        *_WHOLE,
        *_REST,
        takes=[OneOf(_VALUES)],
    ),
    kind(
        "left-out",
        "no {0}",
        "refused",
        BODY,
        _left_out,
        *_WHOLE,
        *_REST,
        takes=[OneOf(("message", "role", "parts", "messageId"))],
    ),
    _shape("role", "the role `{0}`", "4.1-role", _put("role"), "role", _ROLES),
    _shape(
        "message-id",
        "the messageId `{0}`",
        "4.1-message-id",
        _put("messageId"),
        "messageId",
        _VALUES,
    ),
    _shape(
        "message-id-odd", "the messageId `{0}`", NO_FAILURE, _put("messageId"), "messageId", _IDS
    ),
    _shape("context-id", "the contextId `{0}`", BODY, _put("contextId"), "contextId", _VALUES),
    _shape(
        "context-id-odd", "the contextId `{0}`", NO_FAILURE, _put("contextId"), "contextId", _IDS
    ),
    _shape(
        "task-id-odd",
        "the taskId `{0}`",
        NO_FAILURE,
        _allowing({"TASK_NOT_FOUND"}, _put("taskId")),
        "taskId",
        (*_IDS, *_TASK_TYPES),
    ),
    _shape(
        "parts",
        "parts that are `{0}`",
        "4.1-parts",
        _allowing(_OTHERS, _put("parts")),
        "parts",
        _PARTS,
    ),
    _shape(
        "part-text",
        "a text that is `{0}`",
        BODY,
        _allowing(_OTHERS, _put("parts", 0, "text")),
        "parts",
        _TEXTS,
    ),
    _shape(
        "part-data",
        "a part with the data `{0}` alone",
        "4.1-part-kinds-alone",
        _allowing(_OTHERS, _parted("data")),
        "parts",
        _DATA,
    ),
    _shape(
        "part-raw",
        "a part with the bytes `{0}` alone",
        "4.1-part-kinds-alone",
        _allowing(_OTHERS, _parted("raw")),
        "parts",
        _RAWS,
    ),
    _shape(
        "part-url",
        "a part with the url `{0}` alone",
        "4.1-part-kinds-alone",
        _allowing(_OTHERS, _parted("url")),
        "parts",
        _URLS,
    ),
    _shape(
        "part-beside",
        "blank text and {0} in one part",
        BODY,
        _allowing(_OTHERS, _beside),
        "parts",
        ("raw", "url", "data"),
    ),
    kind(
        "blank",
        "a text of {0}, {1} times",
        "refused",
        "4.1-blank-text",
        blanked(_spaces),
        "parts",
        takes=[OneOf((*_SPACES, _ALL)), Whole(1, 40)],
    ),
    kind(
        "blank-parts",
        "{0} parts of blank text",
        "refused",
        "4.1-blank-text",
        blanked(_many),
        "parts",
        takes=[Whole(2, 100)],
    ),
)
"""The kinds of changes to a message that cannot be served."""
