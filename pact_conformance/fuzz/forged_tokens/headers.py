"""Changes of the other header parameters: crit, b64, typ, cty, zip, and those nobody knows."""

import json
import zlib
from collections.abc import Callable, Mapping

from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.entering import kind, written
from pact_conformance.fuzz.kind import Kind, OneOf

_CRIT, _B64, _EXTRA = "header.crit", "header.b64", "header.extra"
_CRITICAL, _MEMBERS = "3.2-crit", "3.2-extra-members"

# Names that nobody has defined, alone and beside some that everybody has.
_UNKNOWN = (
    '["x-unheard-of"]',
    '["x-unheard-of","x-unheard-of"]',
    '["alg","x-unheard-of"]',
    '["x-unheard-of","alg"]',
    '["kid","x-unheard-of"]',
    '["typ","x-unheard-of"]',
    '["X-Unheard-Of"]',
    '[""]',
    '["\\u0000"]',
    '["__proto__"]',
    '["constructor"]',
    '["http://example.com/UNDEFINED"]',
)
_MALFORMED = (
    "[]",
    '"x-unheard-of"',
    '"alg"',
    '{"x-unheard-of":true}',
    "{}",
    "1",
    "true",
    "[null]",
    "[1]",
    '[["x-unheard-of"]]',
    '[{"x-unheard-of":true}]',
    '"[\\"x-unheard-of\\"]"',
)
_FALSY = ("false", "0", '""')
_KNOWN = ("null", '["alg"]', '["typ"]', '["alg","typ"]')


def _unknown(draft: Draft, text: str, shown: str) -> None:
    draft.header.write("crit", text)
    if shown == "there":
        for name in json.loads(text):
            if name not in draft.header:
                draft.header.set(name, value=True)


def _named_with(name: str, value: str) -> Callable[[Draft], None]:
    def apply(draft: Draft) -> None:
        draft.header.set("crit", [name])
        draft.header.write(name, value)

    return apply


def _deflated(draft: Draft, how: str) -> None:
    draft.header.set("zip", "DEF")
    window = {"raw": -zlib.MAX_WBITS, "zlib": zlib.MAX_WBITS, "gzip": zlib.MAX_WBITS | 16}[how]

    def squeeze(text: str) -> bytes:
        made = zlib.compressobj(wbits=window)
        return made.compress(text.encode()) + made.flush()

    draft.claims_bytes = squeeze


# What a header may say besides, as JSON texts.
_EXTRAS: Mapping[str, str] = {
    "x-note": '"hello"',
    "ver": "1",
    "env": '{"a":[1,null,{"b":true}]}',
    "https://pa.example/header": '"x"',
    "n\u00e4me": '"Zo\\u00eb"',
}
_OTHER_CASES: Mapping[str, str] = {
    "ALG": '"none"',
    "Kid": '"no-such-key"',
    "CRIT": '["x-unheard-of"]',
    "Typ": '"at+jwt"',
    "JWK": "{}",
}
_GOOD_TYPES = ('"jwt"', '"Jwt"')
_OTHER_TYPES = (
    '"at+jwt"',
    '"application/jwt"',
    '"JOSE"',
    '"secevent+jwt"',
    '""',
    "null",
    "1",
    "[]",
    '["JWT"]',
    "{}",
)


def _extra(table: Mapping[str, str]) -> Callable[[Draft, str], None]:
    return lambda draft, name: draft.header.add(name, table[name])


HEADERS: tuple[Kind[Draft], ...] = (
    kind(
        "crit-unknown",
        "crit {0}, and what it names is {1}",
        "refused",
        _CRITICAL,
        _unknown,
        _CRIT,
        takes=[OneOf(_UNKNOWN), OneOf(("missing", "there"))],
    ),
    kind(
        "crit-malformed",
        "crit is {0}",
        "refused",
        _CRITICAL,
        written("header", "crit"),
        _CRIT,
        takes=[OneOf(_MALFORMED)],
    ),
    kind(
        "crit-falsy",
        "crit is {0}, no list at all",
        "warn-if-accepted",
        _CRITICAL,
        written("header", "crit"),
        _CRIT,
        takes=[OneOf(_FALSY)],
    ),
    kind(
        "crit-known",
        "crit is {0}",
        "either",
        _CRITICAL,
        written("header", "crit"),
        _CRIT,
        takes=[OneOf(_KNOWN)],
    ),
    kind(
        "crit-exp",
        "crit names a header parameter exp that is there",
        "either",
        _CRITICAL,
        _named_with("exp", "4102444800"),
        _CRIT,
    ),
    kind(
        "crit-b64",
        "crit names b64, which is false",
        "refused",
        _CRITICAL,
        _named_with("b64", "false"),
        _CRIT,
        _B64,
    ),
    kind(
        "crit-b64-true",
        "crit names b64, which is true",
        "either",
        _CRITICAL,
        _named_with("b64", "true"),
        _CRIT,
        _B64,
    ),
    kind(
        "b64",
        "b64 is {0}, and no crit names it",
        "either",
        _CRITICAL,
        written("header", "b64"),
        _B64,
        takes=[OneOf(("false", "true", "null", '"false"', "0"))],
    ),
    kind(
        "typ-missing",
        "no typ",
        "accepted",
        _MEMBERS,
        lambda draft: draft.header.remove("typ"),
        "header.typ",
    ),
    kind(
        "typ-case",
        "typ is {0}",
        "accepted",
        _MEMBERS,
        written("header", "typ"),
        "header.typ",
        takes=[OneOf(_GOOD_TYPES)],
    ),
    kind(
        "typ-other",
        "typ is {0}",
        "either",
        _MEMBERS,
        written("header", "typ"),
        "header.typ",
        takes=[OneOf(_OTHER_TYPES)],
    ),
    kind(
        "cty",
        "cty is {0}",
        "either",
        _MEMBERS,
        written("header", "cty"),
        "header.cty",
        takes=[OneOf(('"JWT"', '"json"', "null", "1"))],
    ),
    kind(
        "zip",
        "zip is {0}, and the claims are not compressed",
        "either",
        _MEMBERS,
        written("header", "zip"),
        "header.zip",
        takes=[OneOf(('"DEF"', "null"))],
    ),
    kind(
        "zip-compressed",
        "zip is DEF, and the claims are compressed ({0})",
        "refused",
        "3.2-compact-jws",
        _deflated,
        "header.zip",
        "claims.writing",
        takes=[OneOf(("raw", "zlib", "gzip"))],
    ),
    kind(
        "header-extra",
        "a header parameter `{0}` that nobody knows",
        "accepted",
        _MEMBERS,
        _extra(_EXTRAS),
        _EXTRA,
        takes=[OneOf(tuple(_EXTRAS))],
    ),
    kind(
        "header-name-case",
        "a header parameter `{0}`, which is another name",
        "accepted",
        _MEMBERS,
        _extra(_OTHER_CASES),
        _EXTRA,
        takes=[OneOf(tuple(_OTHER_CASES))],
    ),
)
