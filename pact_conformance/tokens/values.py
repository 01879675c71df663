"""The values that forgeries put into header and claims, as their data writes them.

A plain TOML value stands for itself. What TOML cannot say, or what depends on caller and time, is a
table with one of the words below; `schemas/forgeries.schema.json` describes them.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pact_conformance.tokens.caller import MISSING


@dataclass(frozen=True)
class Scene:
    """What values are worked out from."""

    now: float
    issued: int
    """The `iat` of the control."""
    uncertainty: float
    """How far the Provider's clock may be from ours, in seconds."""
    names: Mapping[str, str]
    """What stands for `{issuer}` and the like."""
    embedded: Mapping[str, Callable[[], object]] = field(default_factory=dict)
    """What a forgery carries of its own key: `jwk`, `x5c`, `jku`, `x5u`, made when asked for."""


def resolve(value: object, scene: Scene) -> Any:  # noqa: ANN401 - any JSON value, or MISSING
    """Return what a written value stands for.

    Raises:
        KeyError: no word of a table is known, or a `{name}` in a text is not.
    """
    if not isinstance(value, dict):
        return value
    word = next((name for name in _WORDS if name in value), None)
    if word is None:
        raise KeyError(f"none of {', '.join(_WORDS)} in {value}")
    return _WORDS[word](value, scene)


def _time(value: Mapping[str, Any], scene: Scene) -> float | str:
    """Work out a NumericDate: later times are rounded up and earlier ones down, away from now."""
    offset = value["now"] + value.get("uncertainty", 0) * scene.uncertainty
    seconds = math.ceil(scene.now + offset) if offset > 0 else math.floor(scene.now + offset)
    return _written(seconds, value)


def _after_issue(value: Mapping[str, Any], scene: Scene) -> float | str:
    return _written(scene.issued + value["iat"], value)


def _written(seconds: int, value: Mapping[str, Any]) -> float | str:
    match value.get("as"):
        case "string":
            return str(seconds)
        case "fraction":
            return seconds + 0.5
        case _:
            return seconds


_WORDS: Mapping[str, Callable[[Mapping[str, Any], Scene], Any]] = MappingProxyType(
    {
        "missing": lambda _, __: MISSING,
        "json": lambda value, _: json.loads(value["json"]),
        "now": _time,
        "iat": _after_issue,
        "text": lambda value, scene: value["text"].format_map(scene.names),
        "texts": lambda value, scene: [it.format_map(scene.names) for it in value["texts"]],
        "embedded": lambda value, scene: scene.embedded[value["embedded"]](),
    }
)
