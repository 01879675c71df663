"""Changes of a receipt that meet in one example."""

import json

import pytest

from pact_conformance.fuzz.example import parse
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.hostile_answers.kinds import KINDS
from pact_conformance.fuzz.hostile_answers.making import draft, receipt_of

from .test_cards import ADDRESS


def made(*changes: list[object]) -> object:
    """The receipt with these changes."""
    scene = draft(ADDRESS)
    for kind, change in KINDS.of(parse(json.dumps(["hostile-answers", *changes]))):
        kind.apply(scene, *change.values)
    return receipt_of(scene.receipt)


@pytest.mark.parametrize(
    "signed", [["receipt-unsigned", "None"], ["receipt-hmac", "HS256", "EC as PEM"]]
)
def test_a_byte_that_a_signature_has_not_cannot_be_another(signed: list[object]) -> None:
    assert made(signed)
    with pytest.raises(Impossible):
        made(signed, ["receipt-flipped", 32])


def test_any_byte_of_a_good_signature_can_be_another() -> None:
    assert made(["receipt-flipped", 63]) != made()
