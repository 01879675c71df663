"""Changes of how a body is written as JSON and as bytes (RFC 8259)."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from pact_conformance.fuzz.entering import kind, named
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.kind import Kind, OneOf, Whole
from pact_conformance.fuzz.malformed_requests.draft import Draft
from pact_conformance.fuzz.malformed_requests.entering import BODY, NO_FAILURE, SERVED, with_body
from pact_conformance.fuzz.malformed_requests.written import Raw, Style

Members = list[tuple[str, Any]]


def _escaped(text: str) -> str:
    """Return a JSON string with its first letter escaped; one that begins otherwise stays."""
    if re.fullmatch(r'"[A-Za-z0-9].*"', text, re.DOTALL) is None:
        return text
    return f'"\\u{ord(text[1]):04x}{text[2:]}'


def _wholly_escaped(text: str) -> str:
    letters = json.loads(text).encode("utf-16-be", "surrogatepass")
    units = (letters[at : at + 2].hex().upper() for at in range(0, len(letters), 2))
    return f'"{"".join(f"{chr(92)}u{unit}" for unit in units)}"'


_MANY = " " * 100

# White space that JSON allows anywhere between its tokens.
_SPACES: Mapping[str, tuple[str, str, str, str]] = {
    "a space behind each colon": ("{", ",", ": ", "}"),
    "a space behind each comma": ("{", ", ", ":", "}"),
    "a space before each first name": ("{ ", ",", ":", "}"),
    "a space before each colon": ("{", ",", " :", "}"),
    "line breaks and tabs": ("{\n\t", ",\n\t", ": ", "\n}"),
    "carriage returns": ("{\r\n ", ",\r\n ", ":", "\r\n}"),
    "a hundred spaces everywhere": (
        f"{{{_MANY}",
        f"{_MANY},{_MANY}",
        f"{_MANY}:{_MANY}",
        f"{_MANY}}}",
    ),
}
_AROUND: Mapping[str, Callable[[str], str]] = {
    "a line break behind it": lambda it: f"{it}\n",
    "a space before it": lambda it: f" {it}",
    "line breaks before it": lambda it: f"\r\n\r\n{it}",
    "a tab behind it": lambda it: f"{it}\t",
}
_ORDERS: Mapping[str, Callable[[Members], Members]] = {
    "from last to first": lambda it: it[::-1],
    "by name": lambda it: sorted(it, key=lambda member: member[0]),
    "with the first at the end": lambda it: [*it[1:], *it[:1]],
}
_ESCAPES: Mapping[str, Mapping[str, Callable[[str], str]]] = {
    "in names": {"name": _escaped},
    "in values": {"text": _escaped},
    "for each letter of names": {"name": _wholly_escaped},
    "for each letter of values": {"text": _wholly_escaped},
}

# What is no JSON, and read all the same by readers who mean well.
_LENIENT: Mapping[str, Callable[[str], str]] = {
    "a comma before the last brace": lambda it: f"{it[:-1]},}}",
    "a comma at the start": lambda it: f"{{,{it[1:]}",
    "a comma before a bracket": lambda it: it.replace("]", ",]", 1),
    "two commas in a row": lambda it: it.replace(",", ",,", 1),
    "a comment": lambda it: f"/* a comment */{it}",
    "a comment inside": lambda it: f"{{/**/{it[1:]}",
    "a comment at the end": lambda it: f"{it}// a comment",
    "a comment of scripts": lambda it: f"# a comment\n{it}",
    "apostrophes for quotation marks": lambda it: it.replace('"', "'"),
    "names without quotation marks": lambda it: re.sub(r'"(\w+)":', r"\1:", it),
    "equals signs for colons": lambda it: it.replace('":', '"='),
    "semicolons for commas": lambda it: it.replace(',"', ';"'),
    "no commas": lambda it: it.replace(',"', '"'),
    "no-break spaces": lambda it: f"{{\u00a0{it[1:]}",
    "a vertical tab": lambda it: f"{{\v{it[1:]}",
    "a form feed at the end": lambda it: f"{it}\f",
    "a zero-width space": lambda it: f"{{\u200b{it[1:]}",
    "an ideographic space at the end": lambda it: f"{it}\u3000",
}

# What is no JSON object, though a good request stands in it.
_SURROUNDED: Mapping[str, Callable[[str], str]] = {
    "an empty object behind it": lambda it: f"{it}{{}}",
    "itself behind it": lambda it: it + it,
    "itself on the next line": lambda it: f"{it}\n{it}",
    "null behind it": lambda it: f"{it}null",
    "a brace behind it": lambda it: f"{it}}}",
    "a letter behind it": lambda it: f"{it}x",
    "a comma behind it": lambda it: f"{it},",
    "a semicolon behind it": lambda it: f"{it};",
    "NUL behind it": lambda it: f"{it}\0",
    "a thousand NULs behind it": lambda it: it + "\0" * 1000,
    "NUL before it": lambda it: f"\0{it}",
    "a record separator before it": lambda it: f"\x1e{it}",
    "text before it": lambda it: f"x{it}",
    "`data: ` before it": lambda it: f"data: {it}\n\n",
    "`)]}'` before it": lambda it: f")]}}'\n{it}",
    "its length before it": lambda it: f"{len(it)}\n{it}",
    "a name before it": lambda it: f"body={it}",
    "parentheses around it": lambda it: f"({it})",
    "no brace before it": lambda it: it[1:],
}

# JSON of another shape.
_WRAPPED: Mapping[str, Callable[[str], str]] = {
    "an array of one": lambda it: f"[{it}]",
    "the member of an object": lambda it: f'{{"request":{it}}}',
    "a JSON text": json.dumps,
}
# Values that JSON has no words for.
_NO_VALUES = (
    *("", "undefined", "None", "True", "TRUE", "nil", "NULL", "'a'", "`a`", "a"),
    *("01", "-01", "+1", ".5", "1.", "-.5", "1e", "1e+", "0x1F", "0b1", "1_000", "1,000.0"),
    *("--1", "- 1", "1 2", "1f", "1n", "1L", "\u0661", "\uff11", "\u221e", "-", "2026-01-01"),
    *('"', '"a', '"\\"', '"\\q"', '"\\x41"', '"\\\'"', '"\\u12"', '"\\u{41}"', '"\\u 041"'),
    *('"\\U00000041"', '"\\0"', '"a""b"', '"a"+"b"', "[", "[1", "[1,]", "[,1]", "[1 2]", "(1)"),
    *('{"a"}', '{"a":}', '{"a":1,}', "{a:1}", "{1:1}", '{"a":1 "b":2}', '{"a"::1}', "{]", "[}"),
    *("b'a'", "new Date(0)", "/a/", "<a/>", "{{a}}", "$a", "@a", "!!str a", "&a 1", "*a"),
)
_CONSTANTS = ("NaN", "Infinity", "-Infinity")

_CODINGS: Mapping[str, str] = {
    "UTF-16": "utf-16",
    "UTF-16, little end first": "utf-16-le",
    "UTF-16, big end first": "utf-16-be",
    "UTF-32": "utf-32",
    "UTF-32, big end first": "utf-32-be",
}
_NO_CODINGS: Mapping[str, str] = {"EBCDIC": "cp500", "another EBCDIC": "cp037"}
_BAD_BYTES: Mapping[str, bytes] = {
    "ff": b"\xff",
    "fe": b"\xfe",
    "a byte of Latin-1": b"\xe9",
    "a lead byte without its tail": b"\xc3(",
    "a tail byte alone": b"\x80",
    "NUL in an overlong form": b"\xc0\x80",
    "a slash in an overlong form": b"\xe0\x80\xaf",
    "a cut character": b"\xf0\x9f\x9b",
    "a character beyond Unicode": b"\xf4\x90\x80\x80",
    "five bytes for one character": b"\xf8\x88\x80\x80\x80",
    "Shift JIS": "\u6ce8\u6587".encode("shift_jis"),
    "GB 18030": "\u8ba2\u5355".encode("gb18030"),
}
_SURROGATES: Mapping[str, bytes] = {
    "a surrogate": b"\xed\xa0\x80",
    "a pair of surrogates": b"\xed\xa0\xbd\xed\xb8\x80",
}


def _styled(table: Mapping[str, Any], *members: str) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        with_body(draft)
        values = table[name]
        changes = dict(zip(members, values, strict=True)) if members else values
        _restyle(draft.style, changes)

    return apply


def _restyle(style: Style, changes: Mapping[str, Any]) -> None:
    for member, value in changes.items():
        setattr(style, member, value)


def _text(table: Mapping[str, Callable[[str], str]]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        with_body(draft)
        draft.layer = "http" if "NUL" in name else draft.layer

        def rewritten(text: str) -> str:
            changed = table[name](text)
            if changed == text:
                raise Impossible("it would change nothing")
            return changed

        draft.text = rewritten

    return apply


def _cut(draft: Draft, number: int) -> None:
    with_body(draft)

    def cut(text: str) -> str:
        if number >= len(text):
            raise Impossible("nothing would be left")
        return text[:-number]

    draft.text = cut


def _valued(draft: Draft, text: str) -> None:
    draft.member("metadata")["x"] = Raw(text)


def _controlled(draft: Draft, code: int) -> None:
    draft.member("metadata")["x"] = Raw(f'"a{chr(code)}b"')
    draft.layer = "http" if code == 0 else draft.layer


def _coded(table: Mapping[str, str]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        with_body(draft)

        def encode(text: str) -> bytes:
            try:
                return text.encode(table[name], "surrogatepass")
            except UnicodeEncodeError:
                raise Impossible("the coding has no words for it") from None

        draft.encode = encode

    return apply


def _marked(draft: Draft) -> None:
    with_body(draft)
    encode = draft.encode
    draft.encode = lambda text: b"\xef\xbb\xbf" + encode(text)


def _bytes(table: Mapping[str, bytes]) -> Callable[[Draft, str, str], None]:
    def apply(draft: Draft, where: str, name: str) -> None:
        metadata = draft.member("metadata")
        draft.layer = "http"  # whoever looks at the bytes of a body may refuse it
        metadata.update({"MARK": "x"} if where == "a name" else {"x": "MARK"})

        def encode(text: str) -> bytes:
            coded = text.encode("utf-8", "surrogatepass")
            if b"MARK" not in coded:
                raise Impossible("it is written with escapes")
            return coded.replace(b"MARK", table[name])

        draft.encode = encode

    return apply


_WHERE = OneOf(("a text", "a name"))

_WRITTEN_OTHERWISE: tuple[Kind[Draft], ...] = (
    kind(
        "json-spaces",
        "a body with {0} in its JSON",
        "accepted",
        SERVED,
        _styled(_SPACES, "opening", "comma", "colon", "closing"),
        "spaces",
        takes=[named(_SPACES)],
    ),
    kind(
        "json-around",
        "a body with {0}",
        "accepted",
        SERVED,
        _text(_AROUND),
        "writing",
        takes=[named(_AROUND)],
    ),
    kind(
        "json-order",
        "members in another order ({0})",
        "accepted",
        SERVED,
        lambda draft, name: _styled({name: {"order": _ORDERS[name]}})(draft, name),
        "order",
        takes=[named(_ORDERS)],
    ),
    kind(
        "json-escapes",
        "escapes {0}",
        "accepted",
        SERVED,
        _styled(_ESCAPES),
        "escapes",
        takes=[named(_ESCAPES)],
    ),
    kind(
        "json-mark",
        "a byte order mark before the body",
        "either",
        NO_FAILURE,
        _marked,
        "coding",
    ),
)

WRITING: tuple[Kind[Draft], ...] = (
    *_WRITTEN_OTHERWISE,
    kind(
        "json-lenient",
        "a body with {0}, which JSON does not have",
        "refused",
        BODY,
        _text(_LENIENT),
        "writing",
        takes=[named(_LENIENT)],
    ),
    kind(
        "json-surrounded",
        "a body that is a good one with {0}",
        "refused",
        BODY,
        _text(_SURROUNDED),
        "writing",
        takes=[named(_SURROUNDED)],
    ),
    kind(
        "json-wrapped",
        "a body that is a good one as {0}",
        "refused",
        BODY,
        _text(_WRAPPED),
        "writing",
        takes=[named(_WRAPPED)],
    ),
    kind(
        "json-cut",
        "a body without its last {0} characters",
        "refused",
        BODY,
        _cut,
        "writing",
        takes=[Whole(1, 60)],
    ),
    kind(
        "json-no-value",
        "`{0}` where a value has to stand",
        "refused",
        BODY,
        _valued,
        "metadata.x",
        takes=[OneOf(_NO_VALUES)],
    ),
    kind(
        "json-constant",
        "{0} where a value has to stand",
        "warn-if-accepted",
        BODY,
        _valued,
        "metadata.x",
        takes=[OneOf(_CONSTANTS)],
    ),
    kind(
        "json-control",
        "a text with character {0} in it, which is not escaped",
        "refused",
        BODY,
        _controlled,
        "metadata.x",
        takes=[Whole(0, 31)],
    ),
    kind(
        "json-coding",
        "a body in {0}",
        "warn-if-accepted",
        BODY,
        _coded(_CODINGS),
        "coding",
        takes=[named(_CODINGS)],
    ),
    kind(
        "json-no-coding",
        "a body in {0}",
        "refused",
        BODY,
        _coded(_NO_CODINGS),
        "coding",
        takes=[named(_NO_CODINGS)],
    ),
    kind(
        "json-bytes",
        "{0} with {1} in it, which is no UTF-8",
        "refused",
        BODY,
        _bytes(_BAD_BYTES),
        "coding",
        "metadata.x",
        takes=[_WHERE, named(_BAD_BYTES)],
    ),
    kind(
        "json-surrogates",
        "{0} with {1} in it, which is no UTF-8",
        "warn-if-accepted",
        BODY,
        _bytes(_SURROGATES),
        "coding",
        "metadata.x",
        takes=[_WHERE, named(_SURROGATES)],
    ),
)
"""The kinds of changes to how a body is written."""
