"""Judges JSON values by the published schemas, in lines that a person can act on."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource

from pact_conformance.assets import folder

_SUFFIX = ".schema.json"
_LONGEST = 60


def problems(value: object, schema: str) -> list[str]:
    """Return what a schema finds wrong with a value: lines like `message.parts: [] is too short`.

    Args:
        value: what `json.loads` made of a body.
        schema: the stem of a file in `schemas/`, for instance `agent-card`.

    Raises:
        FileNotFoundError: there is no such schema; the message names those there are.
    """
    errors = _validator(schema).iter_errors(value)
    return sorted({f"{_path(error)}: {_explain(error)}" for error in errors})


def names() -> list[str]:
    """Return the names of all published schemas."""
    return sorted(path.name.removesuffix(_SUFFIX) for path in folder("schemas").glob(f"*{_SUFFIX}"))


@cache
def _validator(schema: str) -> Draft202012Validator:
    path = folder("schemas") / f"{schema}{_SUFFIX}"
    if not path.is_file():
        raise FileNotFoundError(f"no schema {schema!r}; there are {', '.join(names())}")
    registry: Registry[bool | Mapping[str, Any]] = Registry(retrieve=_read)  # type: ignore[call-arg]
    return Draft202012Validator({"$ref": path.name}, registry=registry)


@cache
def _read(uri: str) -> Resource[bool | Mapping[str, Any]]:
    """Load a schema by the file name that others refer to it by; schemas carry no `$id`."""
    text = (folder("schemas") / uri).read_text(encoding="utf-8")
    return Resource.from_contents(json.loads(text))


def _path(error: ValidationError) -> str:
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path]
    return _short("".join(steps).removeprefix(".")) or "$"


def _explain(error: ValidationError) -> str:
    explain = _EXPLANATIONS.get(str(error.validator))
    return explain(error) if explain else _short(error.message)


def _explain_type(error: ValidationError) -> str:
    wanted = _wanted(error)
    kinds = [wanted] if isinstance(wanted, str) else [kind for kind in wanted if kind != "null"]
    return f"{_show(_found(error))} is not {_either(_NAMES[kind] for kind in kinds)}"


def _explain_required(error: ValidationError) -> str:
    # One error for each missing member; only the message tells which one this is.
    missing = [name for name in _wanted(error) if name not in _found(error)]
    named = [name for name in missing if error.message.startswith(repr(name))]
    return f"{_either(named or missing)} is missing"


def _explain_one_of(error: ValidationError) -> str:
    members = [branch.get("required", [None])[0] for branch in _wanted(error)]
    if None in members or not isinstance(_found(error), dict):
        return f"{_show(_found(error))} has none of the allowed shapes, or more than one"
    held = [name for name in members if name in _found(error)]
    return f"must hold exactly one of {', '.join(members)}; holds {', '.join(held) or 'none'}"


def _explain_enum(error: ValidationError) -> str:
    return f"{_show(_found(error))} is not {_either(_show(it) for it in _wanted(error))}"


def _explain_const(error: ValidationError) -> str:
    return f"{_show(_found(error))} is not {_show(_wanted(error))}"


def _explain_pattern(error: ValidationError) -> str:
    return f"{_show(_found(error))} does not have the form it must have"


def _explain_not(error: ValidationError) -> str:
    # The value is left out: what must not be there may be a secret.
    branches = _wanted(error).get("anyOf", [_wanted(error)])
    held = [name for branch in branches for name in branch["required"] if name in _found(error)]
    return f"must not hold {_either(held)}"


def _explain_shortness(error: ValidationError) -> str:
    return f"{_show(_found(error))} is too short"


def _wanted(error: ValidationError) -> Any:  # noqa: ANN401 - whatever the keyword takes
    return error.validator_value


def _found(error: ValidationError) -> Any:  # noqa: ANN401 - whatever the subject wrote
    return error.instance


_EXPLANATIONS: Mapping[str, Callable[[ValidationError], str]] = MappingProxyType(
    {
        "type": _explain_type,
        "required": _explain_required,
        "oneOf": _explain_one_of,
        "enum": _explain_enum,
        "const": _explain_const,
        "not": _explain_not,
        "pattern": _explain_pattern,
        "minItems": _explain_shortness,
        "minLength": _explain_shortness,
        "minProperties": _explain_shortness,
    }
)

_NAMES = MappingProxyType(
    {
        "object": "an object",
        "array": "an array",
        "string": "a string",
        "integer": "an integer",
        "number": "a number",
        "boolean": "a boolean",
        "null": "null",
    }
)


def _either(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def _show(value: object) -> str:
    return _short(json.dumps(value, ensure_ascii=False, default=repr))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
