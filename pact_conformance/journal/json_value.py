"""Reads a body as JSON without ever raising, whatever a subject sent."""

import json
from typing import Any, Final, NoReturn, TypeAlias

Json: TypeAlias = Any
"""What a JSON text says; checks look into it freely and are told when it is `NOT_JSON`."""


class NotJson:
    """The value of a body that is not JSON, so that it differs from a body `null`."""

    def __repr__(self) -> str:
        return "NOT_JSON"

    def __bool__(self) -> bool:
        return False


NOT_JSON: Final = NotJson()


def read_json(text: str | bytes) -> Json:
    """Return the value of an RFC 8259 text, or `NOT_JSON`.

    NaN and Infinity are no JSON (RFC 8259 §6), though Python reads them. Nesting that exhausts the
    stack and numbers beyond Python's limit count as not JSON, too: nobody can act on them.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return NOT_JSON


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
