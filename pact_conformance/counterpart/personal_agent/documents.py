"""JSON from others, which may be anything."""

import json
from typing import Any

from pact_conformance.wire.media_types import A2A_JSON, JSON, essence

TYPES = frozenset({A2A_JSON, JSON, "application/jwk-set+json", ""})
"""The media types under which JSON is looked for, that of key sets among them (RFC 7517 §8.5); an
answer without any is given a chance."""


def read_json(body: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Return the JSON value of a body.

    Raises:
        ValueError: it is none.
    """
    try:
        return json.loads(body.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None


def is_json(content_type: str | None) -> bool:
    """Say whether a Content-Type, with or without parameters, may stand for JSON (§2)."""
    return essence(content_type) in TYPES


def member(value: object, *names: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Return what stands under names that lead into objects; None where there is nothing."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def text(value: object, *names: str) -> str | None:
    """Return a text that is not empty; None for anything else."""
    found = member(value, *names)
    return found if isinstance(found, str) and found else None


def number(value: object, *names: str) -> float | None:
    """Return a finite number; None for anything else."""
    found = member(value, *names)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return float(found) if abs(found) < _BEYOND else None


_BEYOND = 1e15
