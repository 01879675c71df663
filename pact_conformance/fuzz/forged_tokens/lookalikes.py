"""Texts that look like another one and are not it: what a comparison by anything but `==` takes."""

import html
import json
import unicodedata
from base64 import b64encode
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import quote, urlsplit, urlunsplit

from pact_conformance.fuzz.forged_tokens.entering import Rewrite

_FULLWIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}

DIGITS: Mapping[str, Mapping[int, int]] = MappingProxyType(
    {
        script: {ord("0") + digit: zero + digit for digit in range(10)}
        for script, zero in {"Arabic": 0x660, "Devanagari": 0x966, "fullwidth": 0xFF10}.items()
    }
)
"""Digits of other scripts, for `str.translate`."""


def _first(text: str, table: Mapping[str, str]) -> str:
    """Replace the first character that the table has, from the end on: hosts are looked at less."""
    for place in range(len(text) - 1, -1, -1):
        if text[place] in table:
            return text[:place] + table[text[place]] + text[place + 1 :]
    return text


def _last_letter(rewrite: Rewrite) -> Rewrite:
    def apply(text: str) -> str:
        for place in range(len(text) - 1, -1, -1):
            if text[place].isalpha():
                return text[:place] + rewrite(text[place]) + text[place + 1 :]
        return text

    return apply


def _inside(what: str) -> Rewrite:
    return lambda text: f"{text[: len(text) // 2]}{what}{text[len(text) // 2 :]}"


def _url(**changes: Rewrite) -> Rewrite:
    """Rewrite parts of a URL; a text that is none stays as it is."""

    def apply(text: str) -> str:
        parts = urlsplit(text)
        if not parts.scheme or not parts.netloc:
            return text
        changed = {name: rewrite(getattr(parts, name)) for name, rewrite in changes.items()}
        return urlunsplit(parts._replace(**changed))

    return apply


def _port(text: str) -> str:
    parts = urlsplit(text)
    default = {"https": "443", "http": "80"}.get(parts.scheme)
    if default is None or not parts.netloc or parts.port is not None:
        return text
    return urlunsplit(parts._replace(netloc=f"{parts.netloc}:{default}"))


CASES: Mapping[str, Rewrite] = MappingProxyType(
    {
        "upper": str.upper,
        "lower": str.lower,
        "swapped": str.swapcase,
        "one letter": _last_letter(str.swapcase),
        "first letter": lambda it: it[:1].swapcase() + it[1:],
    }
)
BLANKS: Mapping[str, Rewrite] = MappingProxyType(
    {
        "a space behind": lambda it: f"{it} ",
        "a space before": lambda it: f" {it}",
        "a tab behind": lambda it: f"{it}\t",
        "a tab before": lambda it: f"\t{it}",
        "a line break behind": lambda it: f"{it}\n",
        "a line break before": lambda it: f"\n{it}",
        "a carriage return behind": lambda it: f"{it}\r",
        "NUL behind": lambda it: f"{it}\0",
        "NUL and more behind": lambda it: f"{it}\0.invalid",
        "a no-break space behind": lambda it: f"{it}\u00a0",
        "an em space before": lambda it: f"\u2003{it}",
    }
)
UNSEEN: Mapping[str, Rewrite] = MappingProxyType(
    {
        "a soft hyphen inside": _inside("\u00ad"),
        "a zero-width space inside": _inside("\u200b"),
        "a zero-width joiner behind": lambda it: f"{it}\u200d",
        "a byte order mark before": lambda it: f"\ufeff{it}",
        "a direction mark inside": _inside("\u200e"),
        "a variation selector behind": lambda it: f"{it}\ufe0f",
    }
)
FOLDED: Mapping[str, Rewrite] = MappingProxyType(
    {
        "a Kelvin sign for k": lambda it: _first(it, {"k": "\u212a", "K": "\u212a"}),
        "a long s": lambda it: _first(it, {"s": "\u017f", "S": "\u017f"}),
        "a dotted capital I": lambda it: _first(it, {"i": "\u0130"}),
        "a dotless i": lambda it: _first(it, {"i": "\u0131"}),
        "a sharp s for ss": lambda it: it.replace("ss", "\u00df", 1),
        "a ligature for fi": lambda it: it.replace("fi", "\ufb01", 1),
    }
)
COMPATIBLE: Mapping[str, Rewrite] = MappingProxyType(
    {
        "a fullwidth letter": _last_letter(lambda it: it.translate(_FULLWIDTH)),
        "all fullwidth": lambda it: it.translate(_FULLWIDTH),
        "a mathematical letter": lambda it: _first(
            it, {chr(97 + n): chr(0x1D41A + n) for n in range(26)}
        ),
        "a circled letter": lambda it: _first(
            it, {chr(97 + n): chr(0x24D0 + n) for n in range(26)}
        ),
        "a superscript letter": lambda it: _first(
            it, {"n": "\u207f", "i": "\u2071", "a": "\u00aa"}
        ),
        "a one dot leader": lambda it: it.replace(".", "\u2024", 1),
    }
)
FOREIGN: Mapping[str, Rewrite] = MappingProxyType(
    {
        "a Cyrillic letter": lambda it: _first(
            it, {"a": "\u0430", "e": "\u0435", "o": "\u043e", "p": "\u0440", "c": "\u0441"}
        ),
        "a Greek letter": lambda it: _first(it, {"o": "\u03bf", "v": "\u03bd", "i": "\u03b9"}),
        "an accent": _last_letter(lambda it: unicodedata.normalize("NFC", f"{it}\u0301")),
        "a combining accent": _last_letter(lambda it: f"{it}\u0301"),
    }
)
LONGER: Mapping[str, Rewrite] = MappingProxyType(
    {
        "a letter": lambda it: f"{it}x",
        "a slash": lambda it: f"{it}/",
        "a dot": lambda it: f"{it}.",
        "`/.`": lambda it: f"{it}/.",
        "`//`": lambda it: f"{it}//",
        "`?`": lambda it: f"{it}?",
        "`#`": lambda it: f"{it}#",
        "`?a=b`": lambda it: f"{it}?a=b",
        "`/other`": lambda it: f"{it}/other",
        "`.invalid`": lambda it: f"{it}.invalid",
        "`@evil.invalid`": lambda it: f"{it}@evil.invalid",
        "`%00`": lambda it: f"{it}%00",
        "`%20`": lambda it: f"{it}%20",
        "`:1`": lambda it: f"{it}:1",
        "`-2`": lambda it: f"{it}-2",
        "itself": lambda it: it * 2,
    }
)
PRECEDED: Mapping[str, Rewrite] = MappingProxyType(
    {
        "a letter": lambda it: f"x{it}",
        "`other-`": lambda it: f"other-{it}",
        "a slash": lambda it: f"/{it}",
        "a dot": lambda it: f".{it}",
        "`https://`": lambda it: f"https://{it}",
        "`urn:`": lambda it: f"urn:{it}",
        "another URL": lambda it: f"https://evil.invalid/{it}",
        "`https://evil.invalid/?`": lambda it: f"https://evil.invalid/?{it}",
    }
)
SHORTER: Mapping[str, Rewrite] = MappingProxyType(
    {
        "the last character": lambda it: it[:-1],
        "the first character": lambda it: it[1:],
        "the second half": lambda it: it[: len(it) // 2],
        "the first half": lambda it: it[len(it) // 2 :],
        "what stands before the first colon": lambda it: it.partition(":")[2] or it,
        "its dots": lambda it: it.replace(".", ""),
        "its hyphens": lambda it: it.replace("-", ""),
    }
)
ENCODED: Mapping[str, Rewrite] = MappingProxyType(
    {
        "its last character percent-encoded": lambda it: f"{it[:-1]}%{ord(it[-1:] or '/'):02X}",
        "it percent-encoded": lambda it: quote(it, safe=""),
        "it in quotation marks": lambda it: f'"{it}"',
        "it in apostrophes": lambda it: f"'{it}'",
        "it in angle brackets": lambda it: f"<{it}>",
        "its first character as \\u escape": lambda it: f"\\u{ord(it[:1] or '/'):04x}{it[1:]}",
        "it in HTML's escapes": lambda it: html.escape(it.replace(".", "&#46;"), quote=True),
        "it in base64": lambda it: b64encode(it.encode()).decode(),
        "it in hexadecimal": lambda it: it.encode().hex(),
    }
)
LISTS: Mapping[str, Rewrite] = MappingProxyType(
    {
        "another behind a comma": lambda it: f"{it},another-provider",
        "another behind a space": lambda it: f"{it} another-provider",
        "another before it and a space": lambda it: f"another-provider {it}",
        "another before it and a comma": lambda it: f"another-provider,{it}",
        "another behind a semicolon": lambda it: f"{it};another-provider",
        "another behind a bar": lambda it: f"{it}|another-provider",
        "another behind a line break": lambda it: f"{it}\nanother-provider",
        "a list of it as JSON text": lambda it: json.dumps([it]),
        "an object with it as JSON text": lambda it: json.dumps({it: True}),
    }
)
_WORDS = (
    *("*", "**", ".*", ".+", "%", "?", "any", "all", "null", "undefined", "None"),
    *("[object Object]", "true", "0", "self", "*://*", "https://*"),
)


def _word(word: str) -> Rewrite:
    return lambda _: word


WILDCARDS: Mapping[str, Rewrite] = MappingProxyType({f"`{it}`": _word(it) for it in _WORDS})
URLS: Mapping[str, Rewrite] = MappingProxyType(
    {
        "the default port": _port,
        "an empty port": _url(netloc=lambda it: f"{it}:"),
        "a user before the host": _url(netloc=lambda it: f"user@{it}"),
        "the host in upper case": _url(netloc=str.upper),
        "the scheme in upper case": lambda it: it.replace(*_upper_scheme(it), 1),
        "another scheme": _url(scheme=lambda it: "http" if it == "https" else "https"),
        "a dot behind the host": _url(netloc=lambda it: f"{it}."),
        "`www.` before the host": _url(netloc=lambda it: f"www.{it}"),
        "a dot segment": _url(path=lambda it: f"/x/..{it or '/'}"),
        "backslashes": lambda it: it.replace("//", "\\\\", 1),
        "no scheme": lambda it: it.partition("//")[2] or it,
        "three slashes": lambda it: it.replace("//", "///", 1),
        "a letter of the host percent-encoded": _url(
            netloc=lambda it: f"%{ord(it[:1] or 'a'):02x}{it[1:]}"
        ),
    }
)


def _upper_scheme(text: str) -> tuple[str, str]:
    scheme = text.partition("://")[0]
    return f"{scheme}://", f"{scheme.upper()}://"
