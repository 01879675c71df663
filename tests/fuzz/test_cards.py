"""Changes of a card that meet in one example."""

import pytest

from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.hostile_answers.kinds import KINDS
from pact_conformance.fuzz.hostile_answers.making import draft
from pact_conformance.fuzz.hostile_answers.writing import Raw
from pact_conformance.subject.stage_address import StageAddress

ADDRESS = StageAddress(
    control="http://127.0.0.1:1/control",
    base="http://127.0.0.1:1",
    audience="aud",
    issuer="https://agent.example",
    jwks="https://agent.example/jwks.json",
    other="http://localhost:2",
)


def test_what_is_no_card_cannot_be_a_large_one() -> None:
    made = draft(ADDRESS)
    made.card.document = Raw("null")

    with pytest.raises(Impossible):
        KINDS.all["card-large"].apply(made, "100 KB")
