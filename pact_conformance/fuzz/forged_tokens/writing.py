"""Changes of how header and claims are written as JSON and as bytes (RFC 8259, RFC 7519 §7.2)."""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.draft import Draft, Members
from pact_conformance.fuzz.forged_tokens.entering import PARTS, changed, kind, members
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.tokens import base64url
from pact_conformance.tokens.assemble import json_text

_COMPACT = "3.2-compact-jws"

Write: TypeAlias = Callable[[Members], None]


def _spaced(opening: str, comma: str, colon: str, closing: str) -> Write:
    def apply(it: Members) -> None:
        it.opening, it.comma, it.colon, it.closing = opening, comma, colon, closing

    return apply


def _escape_names(it: Members) -> None:
    for member in it.all:
        member.name = _escaped(member.name)


def _escape_values(it: Members) -> None:
    for member in it.all:
        if member.value.startswith('"'):
            member.value = _escaped(member.value)


def _escape_slashes(it: Members) -> None:
    for member in it.all:
        member.value = member.value.replace("/", "\\/")


def _escaped(text: str) -> str:
    """Return a JSON string with its first letter escaped; one that begins otherwise stays."""
    if re.fullmatch(r'"[A-Za-z0-9].*"', text, re.DOTALL) is None:
        return text
    return f'"\\u{ord(text[1]):04x}{text[2:]}'


# White space that JSON allows anywhere between its tokens.
_SPACES: Mapping[str, Write] = {
    "a space before the first name": _spaced("{ ", ",", ":", "}"),
    "a space behind each colon": _spaced("{", ",", ": ", "}"),
    "a space behind each comma": _spaced("{", ", ", ":", "}"),
    "line breaks and tabs": _spaced("{\n\t", ",\n\t", ": ", "\n}"),
    "carriage returns": _spaced("{\r\n ", ",\r\n ", ":", "\r\n}\r\n"),
    "a space before the brace": _spaced(" {", ",", ":", "}"),
    "a line break behind the brace": _spaced("{", ",", ":", "}\n"),
}
_ORDERS: Mapping[str, Callable[[Members], None]] = {
    "from last to first": lambda it: it.all.reverse(),
    "by name": lambda it: it.all.sort(key=lambda member: member.name),
    "with the first at the end": lambda it: it.all.append(it.all.pop(0)),
}
_ESCAPES: Mapping[str, Write] = {
    "names": _escape_names,
    "values": _escape_values,
    "slashes": _escape_slashes,
}

# What is no JSON, and read all the same by readers who mean well.
_LENIENT: Mapping[str, Callable[[str], str]] = {
    "a comma too many": lambda it: f"{it[:-1]},}}",
    "a comma at the start": lambda it: f"{{,{it[1:]}",
    "a comment": lambda it: f"/* a comment */{it}",
    "a comment at the end": lambda it: f"{it}// a comment",
    "apostrophes for quotation marks": lambda it: it.replace('"', "'"),
    "names without quotation marks": lambda it: re.sub(r'"(\w+)":', r"\1:", it),
    "a tab inside a text": lambda it: f'{it[:-1]},"note":"a\tb"}}',
    "an escape that there is not": lambda it: f'{it[:-1]},"note":"a\\qb"}}',
    "a no-break space": lambda it: f"{{\u00a0{it[1:]}",
}

# What is no JSON object, though one stands in it.
_SURROUNDED: Mapping[str, Callable[[str], str]] = {
    "another object behind it": lambda it: f"{it}{{}}",
    "a brace behind it": lambda it: f"{it}}}",
    "a letter behind it": lambda it: f"{it}x",
    "a comma behind it": lambda it: f"{it},",
    "NUL behind it": lambda it: f"{it}\0",
    "text before it": lambda it: f"x{it}",
    "`)]}'` before it": lambda it: f")]}}'\n{it}",
    "an array around it": lambda it: f"[{it}]",
    "an object around it": lambda it: f'{{"claims":{it}}}',
    "the text of it": json_text,
    "no brace at its end": lambda it: it[:-1],
    "nothing": lambda _: "",
}
_CODINGS: Mapping[str, str] = {
    "UTF-16": "utf-16",
    "UTF-16, little end first": "utf-16-le",
    "UTF-16, big end first": "utf-16-be",
    "UTF-32": "utf-32",
    "UTF-7": "utf-7",
    "EBCDIC": "cp500",
}
_BAD_BYTES: Mapping[str, bytes] = {
    "ff": b"\xff",
    "a byte of Latin-1": b"\xe9",
    "NUL in an overlong form": b"\xc0\x80",
    "a surrogate": b"\xed\xa0\x80",
    "a cut character": b"\xf0\x9f\x9b",
}


def _members(table: Mapping[str, Write]) -> Callable[[Draft, str, str], None]:
    def apply(draft: Draft, part: str, name: str) -> None:
        before = members(draft, part).text
        table[name](members(draft, part))
        changed(before, members(draft, part).text)

    return apply


def _text(table: Mapping[str, Callable[[str], str]]) -> Callable[[Draft, str, str], None]:
    def apply(draft: Draft, part: str, name: str) -> None:
        _encode(draft, part, lambda text: changed(text, table[name](text)).encode())

    return apply


def _encode(draft: Draft, part: str, encode: Callable[[str], bytes]) -> None:
    setattr(draft, f"{part}_bytes", encode)


def _coded(draft: Draft, part: str, name: str) -> None:
    def encode(text: str) -> bytes:
        try:
            coded = text.encode(_CODINGS[name])
        except UnicodeEncodeError as error:
            sign = f"U+{ord(text[error.start]):04X}"
            raise Impossible(f"{name} has no sign for {sign}") from error
        if coded == text.encode():
            raise Impossible("it is the same in UTF-8")
        return coded

    _encode(draft, part, encode)


def _marked(draft: Draft, part: str) -> None:
    _encode(draft, part, lambda text: b"\xef\xbb\xbf" + text.encode())


def _bad_bytes(draft: Draft, part: str, name: str) -> None:
    def encode(text: str) -> bytes:
        return text[:-1].encode() + b',"note":"' + _BAD_BYTES[name] + b'"}'

    _encode(draft, part, encode)


def _nested(draft: Draft) -> None:
    draft.header.set("cty", "JWT")
    inner = draft.caller.token().text
    draft.claims_bytes = lambda _: inner.encode()


def _encoded_twice(draft: Draft, part: str) -> None:
    _encode(draft, part, lambda text: base64url.encode(text.encode()).encode())


def _rewritten(draft: Draft, part: str, how: str) -> None:
    """Write a part in another way once it is signed: the signature covers the texts."""

    def presented(it: Draft) -> None:
        before = members(it, part).text
        table = {**_SPACES, **_ORDERS, **_ESCAPES}
        table[how](members(it, part))
        changed(before, members(it, part).text)

    draft.presented = presented


_REWRITES = ("a space behind each colon", "by name", "values", "from last to first")


def _slots(name: str) -> tuple[str, ...]:
    return tuple(f"{part}.{name}" for part in PARTS)


_PART = OneOf(("claims", "header"))


def _unusual() -> list[Kind[Draft]]:
    return [
        kind(
            "spaces",
            "{0} as JSON with {1}",
            "accepted",
            "3.2-es256",
            _members(_SPACES),
            *_slots("writing"),
            takes=[_PART, OneOf(tuple(_SPACES))],
        ),
        kind(
            "order",
            "{0} in another order ({1})",
            "accepted",
            "3.2-es256",
            _members(_ORDERS),
            *_slots("order"),
            takes=[_PART, OneOf(tuple(_ORDERS))],
        ),
        kind(
            "escapes",
            "{0} with escapes in its {1}",
            "accepted",
            "3.2-es256",
            _members(_ESCAPES),
            *_slots("escapes"),
            *_slots("order"),
            takes=[_PART, OneOf(tuple(_ESCAPES))],
        ),
    ]


WRITING: tuple[Kind[Draft], ...] = (
    *_unusual(),
    kind(
        "json-lenient",
        "{0} with {1}, which JSON does not have",
        "warn-if-accepted",
        _COMPACT,
        _text(_LENIENT),
        *_slots("writing"),
        takes=[_PART, OneOf(tuple(_LENIENT))],
    ),
    kind(
        "json-surrounded",
        "{0} is a JSON object with {1}",
        "refused",  # a header and claims are completely valid JSON objects (RFC 7519 §7.2)
        _COMPACT,
        _text(_SURROUNDED),
        *_slots("writing"),
        takes=[_PART, OneOf(tuple(_SURROUNDED))],
    ),
    kind(
        "json-coding",
        "{0} in {1}",
        "warn-if-accepted",
        _COMPACT,
        _coded,
        *_slots("writing"),
        takes=[_PART, OneOf(tuple(_CODINGS))],
    ),
    kind(
        "json-mark",
        "{0} with a byte order mark before it",
        "either",
        _COMPACT,
        _marked,
        *_slots("writing"),
        takes=[_PART],
    ),
    kind(
        "json-bytes",
        "{0} with {1} in a text, which is no UTF-8",
        "warn-if-accepted",
        _COMPACT,
        _bad_bytes,
        *_slots("writing"),
        takes=[_PART, OneOf(tuple(_BAD_BYTES))],
    ),
    kind(
        "nested",
        "the claims are another good token",
        "either",  # whoever knows nested tokens goes on with the inner one (RFC 7519 §7.2)
        _COMPACT,
        _nested,
        "header.cty",
        "claims.writing",
    ),
    kind(
        "encoded-twice",
        "{0} encoded twice",
        "refused",
        _COMPACT,
        _encoded_twice,
        *_slots("writing"),
        takes=[_PART],
    ),
    kind(
        "rewritten",
        "{0} written otherwise once it was signed ({1})",
        "refused",
        "3.2-signature",
        _rewritten,
        "signature",
        *_slots("order"),
        *_slots("writing"),
        *_slots("escapes"),
        takes=[_PART, OneOf(_REWRITES)],
    ),
)
