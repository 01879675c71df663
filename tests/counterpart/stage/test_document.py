"""The document of the stage names everything that a script may have, and all that is seen."""

from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from pact_conformance.counterpart.provider.stage.script import (
    Answer,
    Decision,
    Endpoints,
    Fault,
    Operation,
    Script,
)
from pact_conformance.counterpart.provider.stage.seen import Judgement, Page, Record

TEXT = (Path(__file__).parents[3] / "docs" / "stage.md").read_text(encoding="utf-8")

MEMBERS = {
    field.alias or name
    for kind in (Script, Answer, Decision, Endpoints)
    for name, field in kind.model_fields.items()
}
SEEN = {field.name for kind in (Record, Judgement, Page) for field in fields(kind)}
WORDS = {*get_args(Operation), *get_args(Fault)}


@pytest.mark.parametrize("name", sorted(MEMBERS | SEEN | WORDS))
def test_each_word_is_explained(name: str) -> None:
    assert f"`{name}`" in TEXT or f'"{name}"' in TEXT
