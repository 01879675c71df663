"""Scenes as scripts of the stage: what a Brand answers in them, changed or not."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from pact_conformance.counterpart.provider.stage.script import read_script
from pact_conformance.fuzz.example import Change
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.hostile_answers.draft import Area, Draft, areas_of, closed
from pact_conformance.fuzz.hostile_answers.kinds import KINDS
from pact_conformance.fuzz.hostile_answers.making import attach, draft, script
from pact_conformance.fuzz.hostile_answers.writing import Manner, Raw, Twice, written
from pact_conformance.fuzz.kind import Kind, OneOf
from pact_conformance.wire.schema import problems

from .test_astray import ADDRESS

# What the control of the stage takes at once, in bytes.
MOST = 1 << 20


def scripts() -> Iterator[tuple[Kind[Draft], Any]]:
    """The script of each kind of change, with its last values: these are the oddest."""
    for kind in KINDS.all.values():
        values = (it.values[-1] if isinstance(it, OneOf) else it.most for it in kind.takes)
        made = draft(ADDRESS)
        with suppress(Impossible):
            kind.apply(made, *Change(kind.id, tuple(values)).values)
            attach(made)
            yield kind, script(made, areas_of(kind.slots))


def test_every_change_makes_a_script_that_the_stage_takes() -> None:
    for kind, made in scripts():
        assert len(json.dumps({"hook": "open_brand", "script": made})) < MOST, kind.id
        read_script(made)


def documents(made: dict[str, Any], operation: str) -> list[Any]:
    return [json.loads(it["text"]) for it in made["answers"][operation]]


def test_what_is_not_changed_is_as_the_schemas_say() -> None:
    good = draft(ADDRESS)
    attach(good)
    made = script(good, ["step-up"])

    for operation, schema in {
        "card": "agent-card",
        "metadata": "authorization-server-metadata",
        "device_authorization": "device-authorization-response",
        "token": "token-response",
        "jwks": "jwks",
        "message:send": "send-message-response",
    }.items():
        for document in documents(made, operation):
            assert problems(document, schema) == [], operation


@pytest.mark.parametrize("area", ["token", "step-up"])
def test_every_reply_under_delegation_has_a_receipt(area: Area) -> None:
    for goes_on, is_closed in ((False, False), (True, False), (False, True)):
        made = draft(ADDRESS)
        made.goes_on = goes_on
        if is_closed:
            closed(made)
        attach(made)

        replies = [
            it["message"]
            for it in documents(script(made, [area]), "message:send")
            if "message" in it
        ]

        assert replies
        for reply in replies:
            assert "pact.receipt" in reply["metadata"]


def test_the_conversation_goes_on_under_its_id() -> None:
    made = draft(ADDRESS)
    made.goes_on = True

    first, second = documents(script(made, ["reply"]), "message:send")

    assert first["message"]["contextId"] == second["message"]["contextId"]
    assert first["message"]["messageId"] != second["message"]["messageId"]


def test_json_is_written_in_another_manner_and_stays_the_same() -> None:
    value = {"a": [1, {"b": None}], "ü": "x"}

    for manner in (Manner(backwards=True), Manner(comma=" ,\n", colon=" : "), Manner(escapes=True)):
        assert json.loads(written(value, manner)) == value
        assert written(value, manner) != written(value)


def test_a_member_stands_twice_in_its_order_whatever_the_manner() -> None:
    value = {"a": Twice(1, 2), "b": Raw("1e999")}

    assert written(value) == '{"a":1,"a":2,"b":1e999}'
    assert written(value, Manner(backwards=True)) == '{"b":1e999,"a":1,"a":2}'
