"""Changes by themselves come kind by kind, each once, before any is left to chance."""

from collections import Counter
from itertools import islice

from pact_conformance.fuzz.forged_tokens.kinds import KINDS
from pact_conformance.fuzz.kind import OneOf
from pact_conformance.fuzz.singles import singles

from .at_the_mock import AtTheMock


def drawn(seed: int, most: int | None = None) -> list[str]:
    family = AtTheMock()
    try:
        return [it.text for it in islice(singles(family, seed=seed), most)]
    finally:
        family.close()


def test_every_kind_comes_once_before_any_comes_again() -> None:
    family = AtTheMock()
    try:
        first = [*islice(singles(family, seed=1), len(family.kinds))]
    finally:
        family.close()

    assert {len(it.changes) for it in first} == {1}
    assert {it.changes[0].kind for it in first} == {it.id for it in family.kinds}


def test_every_value_of_a_list_comes_once() -> None:
    assert max(Counter(drawn(1)).values()) == 1
    family = AtTheMock()
    try:
        seen = {it.changes[0] for it in singles(family, seed=1)}
    finally:
        family.close()

    kind = KINDS.all["iat-text"]
    (parameter,) = kind.takes
    assert isinstance(parameter, OneOf)
    assert {it.values[0] for it in seen if it.kind == kind.id} == {*parameter.values}


def test_another_seed_has_them_in_another_order() -> None:
    assert drawn(1, 50) == drawn(1, 50)
    assert drawn(1, 50) != drawn(2, 50)
    assert sorted(drawn(1)) != drawn(1)
