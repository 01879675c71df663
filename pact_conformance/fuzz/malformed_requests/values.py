"""Changes to what a body holds that leave it JSON: members, numbers, texts, depth (RFC 8259)."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from pact_conformance.fuzz.entering import kind, named
from pact_conformance.fuzz.kind import Kind, OneOf, Whole
from pact_conformance.fuzz.malformed_requests.draft import Draft
from pact_conformance.fuzz.malformed_requests.entering import NO_FAILURE, suspected
from pact_conformance.fuzz.malformed_requests.written import Pairs, Raw

_OPTIONAL = "4.1-optional-members"
_CONFIGURATION = "4.1-configuration"

# Numbers that every reader of JSON can hold, be it as a binary64 (RFC 8259 §6).
_NUMBERS = (
    *("0", "-0", "1.0", "-1", "1E5", "1e+2", "1.5e-7", "0.1", "0e0", "1000000", "2147483648"),
    *("-2147483649", "4294967296", "9007199254740991", "9007199254740993", "-9007199254740993"),
    *(
        "9223372036854775807",
        "0.30000000000000004",
        "1e20",
        "1e308",
        "5e-324",
        "1.00000000000000000",
    ),
)
# Numbers for which a reader may set limits.
_HUGE: Mapping[str, str] = {
    "1e400": "1e400",
    "-1e400": "-1e400",
    "1e-400": "1e-400",
    "9223372036854775808": "9223372036854775808",
    "18446744073709551616": "18446744073709551616",
    "400 digits": "9" * 400,
    "4,301 digits": "9" * 4301,
    "20,000 digits": "9" * 20_000,
    "20,000 digits behind the point": "0." + "3" * 20_000,
    "1e1000000000": "1e1000000000",
    "1e-1000000000": "1e-1000000000",
    "an exponent of 400 digits": f"1e{'9' * 400}",
}
# Texts of metadata, by what is in them; each is Unicode.
_TEXTS: Mapping[str, str] = {
    "nothing": '""',
    "every short escape": r'"\"\\\/\b\f\n\r\t"',
    "a pair of surrogates as escapes": r'"\ud83d\ude00"',
    "a pair of surrogates in capital letters": r'"\uD83D\uDE00"',
    "a character of four bytes": '"\U0001f600"',
    "the last character of Unicode's first plane but two": '"\ufffd"',
    "DEL": '"\x7f"',
    "a line separator": '"\u2028"',
    "a direction mark": '"\u202e"',
    "combining accents": '"e\u0301\u0302\u0303"',
    "a byte order mark": '"\ufeff"',
    "a thousand letters": f'"{"a" * 1000}"',
    "JSON": json.dumps('{"message":{}}'),
}
# Half a pair and U+0000: JSON has them, Unicode or databases do not.
_HALVES: Mapping[str, str] = {
    "the first half of a pair": r'"\ud800"',
    "the second half of a pair": r'"\udfff"',
    "two first halves": r'"\ud83d\ud83d"',
    "a pair the wrong way round": r'"\ude00\ud83d"',
    "half a pair and a letter": r'"\ud83dA"',
    "U+0000": r'"\u0000"',
    "U+0000 and more": r'"a\u0000b"',
    "no character of Unicode": '"\\uffff"',
}
# Texts like any other, which firewalls may take for attacks.
_SUSPECT: Mapping[str, str] = {
    "markup": '"<script>alert(1)</script>"',
    "a template": '"${7*7} {{7*7}} %s %n"',
    "a comment of SQL": '"a\' OR 1=1 --"',
    "a way up": '"../../../etc/passwd"',
}
_PLACES = OneOf(("request", "message", "part"))
_UNKNOWN = (
    *("x-unheard-of", "kind", "jsonrpc", "id", "@type", "$schema", "_", "a.b", "a b", "0", "-1"),
    *("caf\u00e9", "\u6ce8", "\U0001f600", "a" * 300, "messages", "user", "prompt", "stream"),
)
# Names that mean something to some readers: who compares without regard to case takes them for
# another member, others refuse them, for they mean something in their own language.
_ALIASES = (
    *("MESSAGE", "Message", "message_id", "MessageId", "messageID", "context_id", "task_id"),
    *("Role", "ROLE", "Parts", "Text", "TEXT", "media_type", "", " ", "message ", "\u017ftate"),
    *("__proto__", "constructor", "prototype", "toString", "__class__", "hasOwnProperty", "$ref"),
    *("\0", "message\0", "a\nb", "\ud800"),
)
_MEMBERS: Mapping[str, Callable[[Draft], object]] = {
    "metadata of the message": lambda it: it.message.update(metadata={"locale": "en"}),
    "empty metadata of the message": lambda it: it.message.update(metadata={}),
    "metadata of the request": lambda it: it.document.update(metadata={"client": {"a": [1, None]}}),
    "metadata of the part": lambda it: it.part.update(metadata={"a": True}),
    "extensions": lambda it: it.message.update(extensions=["https://extensions.example/mood"]),
    "no extensions in a list": lambda it: it.message.update(extensions=[]),
    "referenceTaskIds": lambda it: it.message.update(referenceTaskIds=["t-1"]),
    "no referenceTaskIds in a list": lambda it: it.message.update(referenceTaskIds=[]),
    "a filename of the part": lambda it: it.part.update(filename="question.txt"),
    "the mediaType of the part": lambda it: it.part.update(mediaType="text/plain"),
}
_CONFIGURATIONS: Mapping[str, object] = {
    "that is empty": {},
    "with output modes": {"acceptedOutputModes": ["text/plain", "application/json", "*/*"]},
    "without output modes in a list": {"acceptedOutputModes": []},
    "that returns at once": {"returnImmediately": True},
    "that does not return at once": {"returnImmediately": False},
}
# Of another type than A2A's, in members that may be ignored.
_WRONG = ("null", "true", "0", '""', '"a"', "[]", "[[]]", "[null]", "-1", "1.5", "1e400")
_OPTIONALS: Mapping[str, tuple[str, str]] = {
    "metadata of the request": ("request", "metadata"),
    "metadata of the message": ("message", "metadata"),
    "metadata of the part": ("part", "metadata"),
    "extensions": ("message", "extensions"),
    "referenceTaskIds": ("message", "referenceTaskIds"),
    "filename": ("part", "filename"),
    "mediaType": ("part", "mediaType"),
    "configuration": ("request", "configuration"),
    "historyLength": ("request.configuration", "historyLength"),
    "acceptedOutputModes": ("request.configuration", "acceptedOutputModes"),
    "returnImmediately": ("request.configuration", "returnImmediately"),
    "taskPushNotificationConfig": ("request.configuration", "taskPushNotificationConfig"),
}
_TWICE: Mapping[str, tuple[str, str, str]] = {
    "the message, empty at first": ("request", "message", "before"),
    "the message, empty at last": ("request", "message", "behind"),
    "the parts, none at first": ("message", "parts", "before"),
    "the parts, none at last": ("message", "parts", "behind"),
    "the role": ("message", "role", "same"),
    "the messageId": ("message", "messageId", "same"),
}


def _valued(table: Mapping[str, str] | None = None) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        text = name if table is None else table[name]
        suspected(draft, text)
        draft.member("metadata")["x"] = Raw(text)

    return apply


def _nested(draft: Draft, how: str, levels: int) -> None:
    opening, closing = ("[", "]") if how == "arrays" else ('{"a":', "}")
    draft.member("metadata")["x"] = Raw(f"{opening * levels}0{closing * levels}")


def _repeated(draft: Draft, what: str, number: int) -> None:
    if what == "members":
        draft.member("metadata")["x"] = {f"a{at}": at for at in range(number)}
    elif what == "items":
        draft.member("metadata")["x"] = Raw(f"[{','.join(['0'] * number)}]")
    else:
        draft.member("metadata")["x"] = Raw(f'"{"a" * number}"')


def _long(draft: Draft, what: str, number: int) -> None:
    draft.bare |= {400, 413}
    _repeated(draft, what, number)


def _extra(draft: Draft, place: str, name: str) -> None:
    suspected(draft, name)
    draft.at(place)[name] = {"a": 1}


def _alias(draft: Draft, place: str, name: str) -> None:
    draft.reasons |= {"TASK_NOT_FOUND", "CONTENT_TYPE_NOT_SUPPORTED"}
    _extra(draft, place, name)


def _wrong(draft: Draft, member: str, text: str) -> None:
    place, name = _OPTIONALS[member]
    draft.reasons |= {"CONTENT_TYPE_NOT_SUPPORTED", "PUSH_NOTIFICATION_NOT_SUPPORTED"}
    draft.at(place)[name] = Raw(text)


def _member(draft: Draft, name: str) -> None:
    draft.at("part")
    _MEMBERS[name](draft)


def _configured(draft: Draft, name: str) -> None:
    draft.at("request")["configuration"] = _CONFIGURATIONS[name]


def _history(draft: Draft, number: int) -> None:
    draft.at("request")["configuration"] = {"historyLength": number}


def _twice(draft: Draft, what: str) -> None:
    place, name, how = _TWICE[what]
    holder = draft.at(place)
    empty: Any = [] if name == "parts" else {}
    own = (name, holder[name])
    pair = (own, own) if how == "same" else ((name, empty), own)
    pair = pair[::-1] if how == "behind" else pair
    made = Pairs((*((key, value) for key, value in holder.items() if key != name), *pair))
    if place == "request":
        draft.document = made
    else:
        draft.document["message"] = made


VALUES: tuple[Kind[Draft], ...] = (
    kind(
        "number",
        "the number {0} in metadata",
        "accepted",
        _OPTIONAL,
        _valued(),
        "metadata.x",
        takes=[OneOf(_NUMBERS)],
    ),
    kind(
        "number-huge",
        "a number of {0} in metadata",
        "either",
        NO_FAILURE,
        _valued(_HUGE),
        "metadata.x",
        takes=[named(_HUGE)],
    ),
    kind(
        "text",
        "a text with {0} in metadata",
        "accepted",
        _OPTIONAL,
        _valued(_TEXTS),
        "metadata.x",
        takes=[named(_TEXTS)],
    ),
    kind(
        "text-half",
        "a text with {0}, escaped, in metadata",
        "either",
        NO_FAILURE,
        _valued(_HALVES),
        "metadata.x",
        takes=[named(_HALVES)],
    ),
    kind(
        "text-suspect",
        "a text with {0} in metadata",
        "either",
        NO_FAILURE,
        _valued(_SUSPECT),
        "metadata.x",
        takes=[named(_SUSPECT)],
    ),
    kind(
        "nested",
        "{0} nested {1} deep in metadata",
        "accepted",
        _OPTIONAL,
        _nested,
        "metadata.x",
        takes=[OneOf(("objects", "arrays")), Whole(1, 16)],
    ),
    kind(
        "nested-deep",
        "{0} nested {1} deep in metadata",
        "either",
        NO_FAILURE,
        _nested,
        "metadata.x",
        takes=[OneOf(("objects", "arrays")), OneOf((100, 300, 600, 1000, 3000, 10_000))],
    ),
    kind(
        "long",
        "{1} {0} in metadata",
        "accepted",
        _OPTIONAL,
        _repeated,
        "metadata.x",
        takes=[OneOf(("letters", "members", "items")), Whole(1, 200)],
    ),
    kind(
        "longer",
        "{1} {0} in metadata",
        "either",
        NO_FAILURE,
        _long,
        "metadata.x",
        takes=[OneOf(("letters", "items")), OneOf((20_000, 70_000, 200_000))],
    ),
    kind(
        "member-unknown",
        "a member `{1}` of the {0}, which A2A does not know",
        "warn-if-refused",
        "2-unknown-members",
        _extra,
        "member",
        takes=[_PLACES, OneOf(_UNKNOWN)],
    ),
    kind(
        "member-alias",
        "a further member `{1}` of the {0}",
        "either",
        NO_FAILURE,
        _alias,
        "member",
        takes=[_PLACES, OneOf(_ALIASES)],
    ),
    kind(
        "member-optional",
        "{0}",
        "accepted",
        _OPTIONAL,
        _member,
        "optional",
        takes=[named(_MEMBERS)],
    ),
    kind(
        "member-wrong",
        "{1} for {0}, which may be ignored",
        "either",
        NO_FAILURE,
        _wrong,
        "optional",
        "configuration",
        "metadata.x",
        takes=[named(_OPTIONALS), OneOf(_WRONG)],
    ),
    kind(
        "member-twice",
        "{0} twice",
        "either",
        NO_FAILURE,
        _twice,
        "message",
        "metadata.x",
        "member",
        "optional",
        "configuration",
        takes=[named(_TWICE)],
    ),
    kind(
        "configuration",
        "a configuration {0}",
        "accepted",
        _CONFIGURATION,
        _configured,
        "configuration",
        takes=[named(_CONFIGURATIONS)],
    ),
    kind(
        "history-length",
        "a configuration with a historyLength of {0}",
        "accepted",
        _CONFIGURATION,
        _history,
        "configuration",
        takes=[Whole(0, 1000)],
    ),
)
"""The kinds of changes to what a body holds."""
