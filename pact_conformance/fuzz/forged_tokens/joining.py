"""Changes of how the segments are joined, and of what stands around them (RFC 7515 §7)."""

import json
from collections.abc import Callable, Mapping
from urllib.parse import quote

from pact_conformance.fuzz.forged_tokens.draft import Draft
from pact_conformance.fuzz.forged_tokens.entering import kind
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.tokens.assemble import Segments
from pact_conformance.tokens.tampering import TEXTS

_COMPACT = "3.2-compact-jws"

Join = Callable[[Segments], str]


def _by(separator: str) -> Join:
    return lambda it: separator.join((it.header, it.payload, it.signature))


_NUMBERS: Mapping[str, Join] = {
    **{name: join for name, join in TEXTS.items() if not name.startswith(("json", "quoted"))},
    "six-segments": lambda it: f"{it}.{it.header}.{it.payload}.{it.signature}",
    "two-trailing-dots": lambda it: f"{it}..",
    "four-segments-the-last-made-up": lambda it: f"{it}.AAAA",
    "five-segments-three-empty": lambda it: f"{it.header}..{it.payload}..{it.signature}",
    "signature-alone": lambda it: it.signature,
    "header-twice": lambda it: f"{it.header}.{it}",
    "claims-twice": lambda it: f"{it.header}.{it.payload}.{it.payload}.{it.signature}",
    "claims-first": lambda it: f"{it.payload}.{it.header}.{it.signature}",
    "three-dots-before": lambda it: f"...{it}",
}
_SEPARATORS: Mapping[str, Join] = {
    "colons": _by(":"),
    "semicolons": _by(";"),
    "commas": _by(","),
    "slashes": _by("/"),
    "tildes": _by("~"),
    "spaces": _by(" "),
    "percent-encoded dots": _by("%2E"),
    "fullwidth dots": _by("\uff0e"),
    "ideographic full stops": _by("\u3002"),
    "one dot leaders": _by("\u2024"),
}


def _unprotected(it: Segments) -> dict[str, object]:
    return {
        "protected": it.header,
        "payload": it.payload,
        "signature": it.signature,
        "header": {"kid": "another"},
    }


_JSON: Mapping[str, Callable[[Segments], object]] = {
    "the flattened JSON form": lambda it: {
        "protected": it.header,
        "payload": it.payload,
        "signature": it.signature,
    },
    "the flattened JSON form with an unprotected header": _unprotected,
    "the general JSON form": lambda it: {
        "payload": it.payload,
        "signatures": [{"protected": it.header, "signature": it.signature}],
    },
    "the general JSON form with two signatures": lambda it: {
        "payload": it.payload,
        "signatures": [{"protected": it.header, "signature": it.signature}] * 2,
    },
    "a JSON array of its segments": lambda it: [it.header, it.payload, it.signature],
    "a JSON text": str,
    "a JSON object with a token in it": lambda it: {"token": str(it)},
}
_AROUND: Mapping[str, Join] = {
    "in quotation marks": lambda it: f'"{it}"',
    "in apostrophes": lambda it: f"'{it}'",
    "in angle brackets": lambda it: f"<{it}>",
    "with `token=` before it": lambda it: f"token={it}",
    'with `token="` before and `"` behind it': lambda it: f'token="{it}"',
    "with a further `Bearer` before it": lambda it: f"Bearer {it}",
    "with `JWT` before it": lambda it: f"JWT {it}",
    "with a comma behind it": lambda it: f"{it},",
    "with a comma and itself behind it": lambda it: f"{it},{it}",
    "with a semicolon behind it": lambda it: f"{it};",
    "with a comma and another scheme behind it": lambda it: f"{it}, Basic Zm9vOmJhcg==",
    "with a space and a word behind it": lambda it: f"{it} more",
    "with a space and a word before it": lambda it: f"more {it}",
    "with a no-break space behind it": lambda it: f"{it}\u00a0",
    "with a byte order mark before it": lambda it: f"\ufeff{it}",
    "with `%00` behind it": lambda it: f"{it}%00",
    "with `#x` behind it": lambda it: f"{it}#x",
    "with `?x` behind it": lambda it: f"{it}?x",
    "with `~` behind it": lambda it: f"{it}~",
    "percent-encoded": lambda it: quote(str(it), safe="").replace(".", "%2E"),
    "from last to first": lambda it: str(it)[::-1],
    "in upper case": lambda it: str(it).upper(),
}


# The good token is a word of the header, and many look at one word only.
_BETWEEN_SPACES = (
    "with a further `Bearer` before it",
    "with a space and a word behind it",
    "with a space and a word before it",
)


def _joined(table: Mapping[str, Join]) -> Callable[[Draft, str], None]:
    def apply(draft: Draft, name: str) -> None:
        draft.join = table[name]

    return apply


def _as_json(draft: Draft, name: str) -> None:
    draft.join = lambda it: json.dumps(_JSON[name](it), separators=(",", ":"))


JOINING: tuple[Kind[Draft], ...] = (
    kind(
        "segments",
        "another number of segments ({0})",
        "refused",
        _COMPACT,
        _joined(_NUMBERS),
        "join",
        takes=[OneOf(tuple(_NUMBERS))],
    ),
    kind(
        "separators",
        "{0} between the segments",
        "refused",
        _COMPACT,
        _joined(_SEPARATORS),
        "join",
        takes=[OneOf(tuple(_SEPARATORS))],
    ),
    kind(
        "json-form",
        "the token as {0}",
        "refused",
        _COMPACT,
        _as_json,
        "join",
        takes=[OneOf(tuple(_JSON))],
    ),
    kind(
        "around",
        "the token {0}",
        lambda name: "warn-if-accepted" if name in _BETWEEN_SPACES else "refused",
        _COMPACT,
        _joined(_AROUND),
        "join",
        takes=[OneOf(tuple(_AROUND))],
    ),
)
