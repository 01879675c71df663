"""Examples that were kept: found once, and tried again in every run, without Hypothesis.

They are rows of `fixtures/kept`, a file for each family, and of a file of the tester's own.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pact_conformance.assets import folder
from pact_conformance.fuzz.example import Example, NoExample, parse
from pact_conformance.fuzz.families import kinds_of
from pact_conformance.tokens.forgery import Result

_FOLDER = "kept"
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
    paths = sorted((folder("fixtures") / _FOLDER).glob("*.toml"))
    found = [row for path in [*paths, *([] if own is None else [own])] for row in _rows(path)]
    for place, row in enumerate(found):
        if row.id in {it.id for it in found[:place]}:
            raise BadKept(f"two kept examples are called {row.id}")
    return tuple(found)


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
        for row in document.get("example", []):
            yield _row(row)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadKept(f"{path} cannot be read: {error}") from error
    except (NoExample, KeyError, TypeError) as error:
        raise BadKept(f"{path}: {error}") from error


def _row(row: dict[str, Any]) -> Kept:
    example = parse(row["example"])
    kinds_of(example.family).of(example)
    return Kept(row["id"], row["comment"], example, row["requirement"], row["result"])
