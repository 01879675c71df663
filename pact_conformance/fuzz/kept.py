"""Examples that were kept: found once, and tried again in every run, without Hypothesis.

They are rows of `fixtures/kept`, a file for each family, and of a file of the tester's own.
"""

import json
import re
import tomllib
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pact_conformance.assets import folder
from pact_conformance.catalogue import UnknownRequirement
from pact_conformance.catalogue import load as catalogue
from pact_conformance.fuzz.example import Example, NoExample, parse
from pact_conformance.fuzz.families import kinds_of
from pact_conformance.tokens.forgery import Result

_FOLDER = "kept"
_MEMBERS = ("id", "comment", "example", "requirement", "result")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class BadKept(ValueError):  # noqa: N818 - it says what is the case
    """A file of kept examples that cannot be used, in one line."""


@dataclass(frozen=True)
class Kept:
    """One row."""

    id: str
    """Stable; what reports call it."""
    comment: str
    """What it is, and where it was found or why it matters."""
    example: Example
    requirement: str
    result: Result
    """What is due to it, as it was when it was kept: a test holds it against what its kinds say."""


def load(own: Path | None = None) -> tuple[Kept, ...]:
    """Return what was kept in `fixtures/kept` and in a file of the tester's own.

    Raises:
        BadKept: a file cannot be read, or one of its examples is none.
    """
    found: dict[str, Kept] = {}
    for path in sorted((folder("fixtures") / _FOLDER).glob("*.toml")):
        _enter(found, path, found)
    if own is not None:
        # What the suite has taken up meanwhile needs no second try.
        _enter(found, own, {it.example: it for it in found.values()})
    return tuple(found.values())


def _enter(found: dict[str, Kept], path: Path, known: Container[Example | str]) -> None:
    for row in _rows(path):
        if row.example in known:
            continue
        if row.id in found:
            raise BadKept(f"{path}: another example is called {row.id}: give it another id")
        found[row.id] = row


def keep(example: Example, into: Path | None = None, *, id_: str = "", comment: str = "") -> Kept:
    """Write an example behind those that were kept, and return its row; one that is there stays.

    Args:
        example: what to keep.
        into: the file; by default that of its family in `fixtures/kept`.
        id_: what it is called; by default after its changes.
        comment: what is said of it; by default what it is.

    Raises:
        NoExample: it is none.
        BadKept: the file cannot be used, or has another row of this id.
        OSError: it cannot be written.
    """
    kinds = kinds_of(example.family)
    said, blamed = kinds.said(example), kinds.blamed(example)
    if blamed is None:
        raise NoExample(f"{example.text} changes nothing")
    path = into or folder("fixtures") / _FOLDER / f"{example.family}.toml"
    rows = list(_rows(path)) if path.exists() else []
    row = Kept(
        id_ or _called(example),
        comment or f"{said}.",
        example,
        blamed.requirement,
        kinds.due_to(example),
    )
    if _ID.fullmatch(row.id) is None:
        raise BadKept(f"{row.id!r} is no id: lower case letters, digits and hyphens")
    for other in rows:
        if other.example == example:
            return other
        if other.id == row.id:
            raise BadKept(f"{path} has another example called {row.id}: give it another --id")
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{'' if not rows else chr(10)}{_written(row)}")
    return row


def _called(example: Example) -> str:
    words = [str(part) for it in example.changes for part in (it.kind, *it.values)]
    text = re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower()).strip("-")
    return text[:60].rstrip("-") or example.family


def _written(row: Kept) -> str:
    members = {
        "id": row.id,
        "comment": row.comment,
        "example": row.example.text,
        "requirement": row.requirement,
        "result": row.result,
    }
    lines = "".join(f"{name} = {_toml(value)}\n" for name, value in members.items())
    return f"[[example]]\n{lines}"


def _toml(text: str) -> str:
    """Return a TOML string: a literal one where there is nothing to escape."""
    if "'" not in text and text.isascii() and text.isprintable() and '"' in text:
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _rows(path: Path) -> Iterator[Kept]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadKept(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # no TOML, no UTF-8, no path
        raise BadKept(f"{path} cannot be read: {error}") from error
    rows = document.pop("example", [])
    if document or not isinstance(rows, list):
        other = next(iter(document), "example")
        raise BadKept(f"{path}: each example is a table [[example]], and there is {other!r}")
    for place, row in enumerate(rows, start=1):
        try:
            yield _row(row)
        except (NoExample, UnknownRequirement) as error:
            raise BadKept(f"{path}: example {place}: {error}") from error


def _row(row: object) -> Kept:
    members: dict[str, Any] = row if isinstance(row, dict) else {}
    if set(members) != set(_MEMBERS) or not all(isinstance(it, str) for it in members.values()):
        raise NoExample(f"it has to have {', '.join(_MEMBERS)}, each a text, and nothing else")
    if _ID.fullmatch(members["id"]) is None:
        raise NoExample(f"{members['id']!r} is no id: lower case letters, digits and hyphens")
    if members["result"] not in get_args(Result):
        raise NoExample(f"{members['result']!r} is no result: {', '.join(get_args(Result))}")
    example = parse(members["example"])
    kinds_of(example.family).of(example)
    requirement = catalogue()[members["requirement"]].id
    return Kept(members["id"], members["comment"], example, requirement, members["result"])
