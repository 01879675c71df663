"""Codes as they stand in links: a user code in its spellings, and what a link may carry of one.

A step-up gives a link and no code beside it (§5.5). Who has the link has the code, so the link is a
secret, and so is whatever in it may be the code when it turns up in another link.
"""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

SHORTEST = 6
"""A shorter text is no code: it would be found everywhere."""

_DEPTH = 5
_NO_LETTER = re.compile(r"[^0-9A-Za-z]+")
_CONSONANTS = re.compile(r"[b-df-hj-np-tv-xz]+")
_LONGEST_WORD = 20
_BETWEEN = ("", " ", "+", "-", "%20", "%2D", "%2d", "%2520", "%252D", "%252d")
_CODE = re.compile(r"(?=.*[0-9])[\w.~-]+|[A-Z-]+", re.ASCII)


def is_word(text: str) -> bool:
    """Say whether a text may well be a word: short, in lower case, and with a vowel.

    Codes avoid vowels, so that they spell nothing (RFC 8628 §6.1).
    """
    is_plain = len(text) < _LONGEST_WORD and text.isalpha() and text.islower()
    return is_plain and not _CONSONANTS.fullmatch(text)


def spellings(code: str) -> frozenset[str]:
    """Return how people and servers write a user code: in either case, its groups joined or not.

    Some writers of URLs escape even a hyphen, which needs no escape.
    """
    told = {_NO_LETTER.sub(between, code) for between in _BETWEEN} | {code}
    cased = {it for text in told for it in (text, text.lower(), text.upper())}
    return frozenset(it for it in cased if len(it) >= SHORTEST)


def codes(link: str) -> Iterator[str]:
    """Yield what may be a code in a link, and in the links inside of it, decoded."""
    yield from _codes(link, _DEPTH)


def _codes(link: str, depth: int) -> Iterator[str]:
    try:
        parts = urlsplit(link)
    except ValueError:
        return
    if not parts.query and not parts.fragment:
        last = unquote(parts.path.rstrip("/").rpartition("/")[2])
        if _CODE.fullmatch(last):
            yield from _code(last)
    for text in (parts.query, parts.fragment):
        values = [value for _, value in parse_qsl(text)]
        for value in values or [unquote(text)]:
            yield from _value(value, depth)


def _value(value: str, depth: int) -> Iterator[str]:
    is_link = "://" in value or value.startswith("/")
    if is_link and depth:
        yield from _codes(value, depth - 1)
    elif "%" in value and depth:
        yield from _value(unquote(value), depth - 1)
    elif not is_link:
        yield from _code(value)


def _code(text: str) -> Iterator[str]:
    if len(text) >= SHORTEST and not is_word(text):
        yield text
