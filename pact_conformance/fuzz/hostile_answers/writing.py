"""JSON as it is written: members twice, in another order, or as a text that is no JSON at all."""

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Names and places that lead to a member of a document."""


@dataclass(frozen=True)
class Raw:
    """A value that is written as this text, JSON or not."""

    text: str


@dataclass(frozen=True)
class Twice:
    """A member that stands twice in its object, with two values."""

    first: Any
    last: Any


@dataclass(frozen=True)
class Manner:
    """How a document is written."""

    backwards: bool = False
    """The members of each object in the opposite order."""
    comma: str = ","
    colon: str = ":"
    escapes: bool = False
    """Each letter of a name as `\\uXXXX`."""


PLAIN = Manner()


def written(value: object, manner: Manner = PLAIN) -> str:
    """Return a value as JSON; what is `Raw` in it as it is, and of `Twice` the first one first."""
    match value:
        case Raw(text):
            return text
        case dict():
            members = [_member(*it, manner) for it in value.items()]
            return "{" + manner.comma.join(members[::-1] if manner.backwards else members) + "}"
        case list():
            return "[" + manner.comma.join(written(it, manner) for it in value) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _member(name: str, member: object, manner: Manner) -> str:
    values = (member.first, member.last) if isinstance(member, Twice) else (member,)
    said = _escaped(name) if manner.escapes else json.dumps(name, ensure_ascii=False)
    return manner.comma.join(f"{said}{manner.colon}{written(it, manner)}" for it in values)


def _escaped(name: str) -> str:
    return '"' + "".join(f"\\u{ord(it):04x}" for it in name) + '"'


def put(document: Any, path: Path, value: object) -> None:  # noqa: ANN401 - a JSON value
    """Give the member at a path a value; objects on the way are there."""
    *way, last = path
    for step in way:
        document = document[step]
    document[last] = value


def drop(document: Any, path: Path) -> None:  # noqa: ANN401 - a JSON value
    """Take the member at a path out."""
    *way, last = path
    for step in way:
        document = document[step]
    del document[last]


def held(document: Any, path: Path) -> Any:  # noqa: ANN401 - a JSON value
    """Return the value at a path."""
    for step in path:
        document = document[step]
    return document


def at(place: str) -> Path:
    """Return the path that a text like `message.parts.0.text` names; the empty text: the whole."""
    return tuple(int(it) if it.isdigit() else it for it in place.split(".")) if place else ()


def member(document: object, *names: str) -> Any:  # noqa: ANN401 - a JSON value
    """Return what stands under names in objects; None where there is nothing."""
    for name in names:
        document = document.get(name) if isinstance(document, dict) else None
    return document
