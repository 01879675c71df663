"""What is written on buttons and links, in the languages that they are most often written in."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

Meaning = Literal["deny", "approve", "go_on", "sign_in", "aside", "otherwise", "yes", "no"]

_APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"


def normal(text: str) -> str:
    """Return a text as it is compared: without case, white space collapsed."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace(_APOSTROPHE, "'")
    return " ".join(plain.split())


def says(text: str, meaning: Meaning) -> bool:
    """Say whether a text has one of the words of a meaning in it, or one of its phrases."""
    if not text:
        return False
    plain = normal(text)
    single, phrases = _words(meaning)
    found = set(re.findall(r"[^\W_]+", plain))
    return not found.isdisjoint(single) or any(_holds(plain, it) for it in phrases)


def is_named(texts: Iterable[str], named: Iterable[str]) -> bool:
    """Say whether one of the texts is, or has in it as words, what the tester named."""
    plain = [normal(it) for it in texts if it]
    return any(_holds(text, normal(name)) for text in plain for name in named if name.strip())


@cache
def _words(meaning: Meaning) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words of a meaning, and what is more than a word or has no spaces around it."""
    every = [normal(word) for words in _table()[meaning].values() for word in words]
    single = frozenset(it for it in every if re.fullmatch(r"[^\W_]+", it) and _spaced(it))
    return single, tuple(it for it in every if it not in single)


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def _spaced(word: str) -> bool:
    """Say whether a script has spaces between its words: Chinese and Japanese have none."""
    return not any("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" for char in word)


def _holds(text: str, phrase: str) -> bool:
    """Say whether a phrase stands in a text, and not within a word."""
    if not _spaced(phrase):
        return phrase in text
    return re.search(rf"(?<![^\W_]){re.escape(phrase)}(?![^\W_])", text) is not None
