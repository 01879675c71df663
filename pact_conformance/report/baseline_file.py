"""The file of a baseline: read for a run, and rewritten so that what people wrote in it stays."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeAlias

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Item, Key, Table, Whitespace

from pact_conformance.catalogue import Catalogue, UnknownRequirement
from pact_conformance.report.baseline import Known
from pact_conformance.report.writing import write_whole
from pact_conformance.wire.schema import problems

Body: TypeAlias = list[tuple[Key | None, Item]]
"""How tomlkit holds a table: what has no key is a comment or a blank line."""

_KEYS = tuple(field.name for field in fields(Known))

_HEADING = """\
# Known failures of this subject, by requirement, check and case. They are shown as known and do not
# fail a run; one that no longer fails, or has expired, does until it is taken out. Write down why,
# and a date if there is one: `expires = 2027-01-31` is the last day on which an entry counts.
"""


class BadBaseline(ValueError):  # noqa: N818 - it says what is bad
    """The file of the baseline cannot be used: one line for the tester."""


def read(path: Path, rows: Catalogue) -> tuple[Known, ...]:
    """Return the entries of a file.

    Raises:
        BadBaseline: there is no such file, or it is not what `baseline.schema.json` describes.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadBaseline(
            f"there is no file {path}; --pact-update-baseline makes it from a run"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BadBaseline(f"{path} cannot be read: {said}") from None
    try:
        return tuple(_entries(text, rows))
    except BadBaseline as error:
        raise BadBaseline(f"{path}: {error}") from None


def _entries(text: str, rows: Catalogue) -> Iterator[Known]:
    known: dict[tuple[str, str, str], int] = {}
    for number, table in enumerate(_tables(text), start=1):
        entry = _entry(table.unwrap(), number)
        try:
            rows[entry.requirement]
        except UnknownRequirement as error:
            raise BadBaseline(f"entry {number}: {error}") from None
        identity = (entry.requirement, entry.check.replace(" ", "_"), entry.case)
        if identity in known:
            raise BadBaseline(f"entry {number} repeats entry {known[identity]}: {entry}")
        known[identity] = number
        yield entry


def _tables(text: str) -> list[Table]:
    try:
        document = tomlkit.parse(text)
    except (TOMLKitError, ValueError) as error:
        raise BadBaseline(f"it is not TOML: {error}") from None
    others = sorted(set(document) - {"known"})
    if others:
        raise BadBaseline(f"unknown key {others[0]!r}; each entry is a table [[known]]")
    entries = document.get("known")
    if entries is None:
        return []
    if not isinstance(entries, AoT):
        raise BadBaseline("each entry is a table of its own, below a line [[known]]")
    return list(entries.body)


def _entry(plain: dict[str, Any], number: int) -> Known:
    unknown = sorted(set(plain) - set(_KEYS))
    if unknown:
        raise BadBaseline(
            f"entry {number}: unknown key {unknown[0]!r}; there are {', '.join(_KEYS)}"
        )
    expires = plain.get("expires")
    if isinstance(expires, datetime) or not isinstance(expires, date | None):
        raise BadBaseline(
            f"entry {number}: expires is a date without quotes, for instance 2027-01-31"
        )
    wrong = problems({"known": [{**plain, "expires": None}]}, "baseline")
    if wrong:
        said = wrong[0].replace("known[0].", "").replace("known[0]: ", "")
        raise BadBaseline(f"entry {number}: {said}")
    return Known(
        plain["requirement"], plain["check"], plain.get("case", ""), plain["reason"], expires
    )


def rewrite(path: Path, *, gone: Collection[Known], fresh: Sequence[Known]) -> None:
    """Take entries out of the file and append others; everything else in it stays as it is.

    Raises:
        OSError: it cannot be written.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else _HEADING
    write_whole(path, rewritten(text, gone=gone, fresh=fresh))


def rewritten(text: str, *, gone: Collection[Known], fresh: Sequence[Known]) -> str:
    """Return the text of a baseline without some of its entries and with others at its end.

    Comments right above an entry go with it; what the file begins with stays.
    """
    if gone:
        text = _thinned(text, gone)
    if not fresh:
        return text
    added = tomlkit.dumps({"known": [_plain(entry) for entry in fresh]}).strip("\n")
    return "\n\n".join(block for block in (text.rstrip("\n"), added) if block) + "\n"


def _thinned(text: str, gone: Collection[Known]) -> str:
    """Return the text without the entries that are gone.

    tomlkit holds what stands between two entries at the end of the former. It is taken out as text,
    above and below each, and what is left of it is put back.
    """
    document = tomlkit.parse(text)
    entries = document["known"]
    assert isinstance(entries, AoT)
    above = [_take(document.body, 0, _places(document.body)[0])]
    for number, table in enumerate(list(entries.body), start=1):
        body = table.value.body
        below = _take(body, _places(body)[-1] + 1, len(body))
        if _entry(table.unwrap(), number) in gone:
            above[-1] = _closed(above[-1], below, first=number == 1)
            del entries[len(above) - 1]
        else:
            above.append(below)
    for table, below in zip(entries.body, above[1:], strict=True):
        table.value.body.append((None, Whitespace(below)))
    return above[0] + (tomlkit.dumps(document) if entries.body else "")


def _places(body: Body) -> list[int]:
    """Return where in a body there are keys."""
    return [place for place, (key, _) in enumerate(body) if key is not None]


def _take(body: Body, start: int, stop: int) -> str:
    """Take comments and blank lines out of a body, and return them as they stand there."""
    text = "".join(item.as_string() for _, item in body[start:stop])
    body[start:stop] = [(None, Whitespace("")) for _ in body[start:stop]]
    return text


def _closed(above: str, below: str, *, first: bool) -> str:
    """Return what stands between two entries when the one in the middle is gone."""
    lines = above.splitlines(keepends=True)
    while lines and lines[-1].startswith("#") and not (first and "\n" not in lines):
        lines.pop()
    left = "".join(lines)
    return left.removesuffix("\n") + below if below.startswith("\n") else left + below


def _plain(entry: Known) -> dict[str, Any]:
    """Return what the file holds of an entry that a run adds."""
    case = {"case": entry.case} if entry.case else {}
    return {
        "requirement": entry.requirement,
        "check": entry.check,
        **case,
        "reason": entry.reason,
    }
