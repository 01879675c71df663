"""Each change by itself, the kinds in turn: what is due to a single value is not left to chance."""

import itertools
import math
from collections.abc import Iterator, Sequence
from random import Random

from pact_conformance.fuzz.example import Change, Example, Value
from pact_conformance.fuzz.family import Family
from pact_conformance.fuzz.kind import OneOf, Parameter

# Of several parameters with this many values together some are drawn, and not all listed.
MOST_LISTED = 5000


def singles(family: Family, *, seed: int) -> Iterator[Example]:
    """Yield examples of one change: one of each kind, then a second one of each, and so on.

    Args:
        family: whose kinds.
        seed: shuffles the kinds, and the values of each.
    """
    random = Random(seed)  # noqa: S311 - it keeps no secret
    rows = [[Change(kind.id, it) for it in _values(kind.takes, random)] for kind in family.kinds]
    random.shuffle(rows)
    for changes in itertools.zip_longest(*rows):
        yield from (family.example(it) for it in changes if it is not None)


def _values(takes: Sequence[Parameter], random: Random) -> list[tuple[Value, ...]]:
    rows = [_row(parameter, random) for parameter in takes]
    if math.prod(map(len, rows)) > MOST_LISTED:
        return [tuple(map(random.choice, rows)) for _ in range(max(map(len, rows)))]
    listed = list(itertools.product(*rows))
    random.shuffle(listed)
    return listed


def _row(parameter: Parameter, random: Random) -> Sequence[Value]:
    if isinstance(parameter, OneOf):
        return parameter.values
    between = random.randint(parameter.least, parameter.most)
    return list(dict.fromkeys((parameter.least, parameter.most, between)))
