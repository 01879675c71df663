import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pact_conformance.assets import folder
from pact_conformance.wire.schema import problems
from tests.report import making

SCHEMA = json.loads((folder("schemas") / "report.schema.json").read_text(encoding="utf-8"))

DOCUMENTS = {
    "of every verdict": making.built(),
    "of nothing tried": making.built(()),
    "partial": making.built(partial=True),
    "with a finding": making.built((making.FAILED,), findings=(making.FINDING,)),
    "of a rule": making.built((making.RULE,)),
    "of both roles": making.built(roles=("provider", "personal-agent")),
    "of a card never found": making.built((), card=""),
}


def closed(schema: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """Return a schema that refuses members which it does not describe."""
    if isinstance(schema, list):
        return [closed(it) for it in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(it) for name, it in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        inner.setdefault("additionalProperties", False)
    return inner


def members(schema: object, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(schema, dict):
        return
    for name, member in schema.get("properties", {}).items():
        yield f"{path}.{name}", member
        yield from members(member, f"{path}.{name}")
    for name in ("items", "additionalProperties"):
        yield from members(schema.get(name), f"{path}[]")
    for name, definition in schema.get("$defs", {}).items():
        yield from members(definition, name)


def described(member: dict[str, Any]) -> bool:
    reference = member.get("$ref", "").removeprefix("#/$defs/")
    return bool(member.get("description") or SCHEMA["$defs"].get(reference, {}).get("description"))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_obeys_the_schema(name: str) -> None:
    assert problems(making.as_read(DOCUMENTS[name]), "report") == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_has_no_member_that_the_schema_does_not_describe(name: str) -> None:
    document = making.as_read(DOCUMENTS[name])

    errors = [error.message for error in Draft202012Validator(closed(SCHEMA)).iter_errors(document)]

    assert errors == []


def test_every_member_is_described() -> None:
    silent = [path for path, member in members(SCHEMA) if not described(member)]

    assert silent == []


def test_members_to_come_are_allowed() -> None:
    document = making.as_read(making.built()) | {"weather": {"degrees": 20}}

    assert problems(document, "report") == []


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("schema", "https://pact-conformance.dev/schemas/report/1"),
        ("partial", "no"),
        ("turns", -1),
        ("started", "yesterday"),
        ("profiles", {"identity": {"verdict": "passed"}}),
    ],
)
def test_a_member_of_another_meaning_is_refused(member: str, value: object) -> None:
    document = making.as_read(making.built()) | {member: value}

    assert problems(document, "report")
