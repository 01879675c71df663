"""JSON as it is written: the same value in other words, and values that JSON has no words for."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Rewrite: TypeAlias = Callable[[str], str]


@dataclass(frozen=True)
class Raw:
    """Stands for a value by its text, JSON or not."""

    text: str


@dataclass(frozen=True)
class Pairs:
    """An object by its members in order; a name may stand in it twice."""

    all: tuple[tuple[str, Any], ...]


def _same(text: str) -> str:
    return text


@dataclass
class Style:
    """How values are written."""

    opening: str = "{"
    comma: str = ","
    colon: str = ":"
    closing: str = "}"
    name: Rewrite = _same
    """Rewrites the JSON text of a name."""
    text: Rewrite = _same
    """Rewrites the JSON text of a string."""
    order: Callable[[list[tuple[str, Any]]], list[tuple[str, Any]]] = list


def write(value: object, style: Style) -> str:
    """Return a value as JSON text; `Raw` and `Pairs` may stand in it anywhere."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, Pairs):
        return _object(list(value.all), style)
    if isinstance(value, Mapping):
        return _object(style.order(list(value.items())), style)
    if isinstance(value, list):
        return f"[{style.comma.join(write(it, style) for it in value)}]"
    if isinstance(value, str):
        return style.text(quoted(value))
    return json.dumps(value)


def quoted(text: str) -> str:
    """Return a JSON string in which nothing is escaped that need not be."""
    return json.dumps(text, ensure_ascii=any("\ud800" <= it <= "\udfff" for it in text))


def _object(members: list[tuple[str, Any]], style: Style) -> str:
    written = (
        f"{style.name(quoted(name))}{style.colon}{write(value, style)}" for name, value in members
    )
    return f"{style.opening}{style.comma.join(written)}{style.closing}"
