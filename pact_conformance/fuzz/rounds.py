"""Where Hypothesis draws examples and shrinks one that shows something: the only place for it.

Its own database is not used, and its home is a folder of the system's for what is thrown away: the
same seed draws the same examples whatever was run before.
"""

import math
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir

from pact_conformance.fuzz.example import Change, Example, Value
from pact_conformance.fuzz.family import Composing, Family
from pact_conformance.fuzz.kind import Kind, OneOf, Parameter

# Hypothesis spends about a millisecond on each of its test cases, whatever is in it: so one holds
# several examples. What fails is shrunk to one.
MOST_TOGETHER = 40
USUALLY_TOGETHER = 16
_GO_ON = st.integers(0, 19)

# So many lesser examples of one that failed are drawn before the search for one is given up.
CASES_OF_ONE = 150
_KEEPS = st.integers(0, 3)

# How many changes an example has of any kind, and how many more of such as may leave it good. What
# has to be refused is mostly alone with those: behind another such change it would not be seen.
COUNTS = (
    *((1, 0),) * 8,
    *((1, 1), (1, 1), (1, 1), (1, 2)),
    *((0, 2), (0, 3), (2, 0), (3, 0)),
)

# A kind is drawn in two steps: of a longer row Hypothesis prefers the beginning.
SHELF = 8
_HOW_MANY = st.integers(0, len(COUNTS) - 1)

set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "pact-conformance-hypothesis")


class _ShownError(Exception):
    """Carries an example that shows something out of Hypothesis."""

    def __init__(self, example: Example) -> None:
        super().__init__(example.text)
        self.example = example


def draw(
    family: Family, shows: Callable[[Example], bool], *, seed: int, most: int
) -> Example | None:
    """Draw examples until one shows something, and return it as it was drawn; None if none does.

    Args:
        family: whose examples.
        shows: tries an example; what it says of one must not change.
        seed: draws the same examples again.
        most: about how many examples.
    """
    cases = max(1, most // USUALLY_TOGETHER)
    return _run(batches(family, seed), shows, seed=seed, cases=cases, phases=(Phase.generate,))


def lessen(
    family: Family, shows: Callable[[Example], bool], example: Example, *, seed: int
) -> Example | None:
    """Return the least example that shows something, of those that are no more than one that does.

    Args:
        family: whose examples.
        shows: as in `draw`.
        example: what to make less of.
        seed: as in `draw`.
    """
    phases = (Phase.generate, Phase.shrink)
    return _run(lesser(family, example), shows, seed=seed, cases=CASES_OF_ONE, phases=phases)


def _run(
    examples: st.SearchStrategy[Sequence[Sequence[Example]]],
    shows: Callable[[Example], bool],
    *,
    seed: int,
    cases: int,
    phases: Sequence[Phase],
) -> Example | None:
    def each(drawn: Sequence[Sequence[Example]]) -> None:
        for example in drawn[0]:
            if shows(example):
                raise _ShownError(example)

    quiet = hypothesis.settings(
        max_examples=cases,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=tuple(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    try:
        hypothesis.seed(seed)(quiet(hypothesis.given(examples)(each)))()
    except _ShownError as shown:
        return shown.example
    return None


def batches(family: Family, seed: int = 0) -> st.SearchStrategy[Sequence[tuple[Example, ...]]]:
    """Return what draws several examples.

    Nothing but whole numbers is drawn: that takes Hypothesis least time. The examples stand in a
    collection of one: what is in a collection without duplicates Hypothesis does not vary by
    copying parts of it, which would mostly give examples that were tried already.
    """
    one = _composed(family, seed) if isinstance(family, Composing) else _unrelated(family)

    @st.composite
    def several(draw: st.DrawFn) -> tuple[Example, ...]:
        drawn = [one(draw, 0)]
        while len(drawn) < MOST_TOGETHER and draw(_GO_ON):
            drawn.append(one(draw, len(drawn)))
        return Several(drawn)

    return st.lists(several(), min_size=1, max_size=1, unique=True)


class Several(tuple[Example, ...]):
    """Examples that are drawn together. Hypothesis writes down what fails, so they say little."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{len(self)} examples"


One: TypeAlias = Callable[[st.DrawFn, int], Example]
"""Draws one example; is given how many were drawn together with it before."""


def _composed(family: Composing, seed: int) -> One:
    """Return what draws an example that the family composes.

    What Hypothesis draws first only counts up, whatever the seed: where few examples can be
    afforded there would be no others. So each number is shifted by one that the seed gives.
    """
    upto = cache(lambda most: st.integers(0, most))

    def example(draw: st.DrawFn, place: int) -> Example:
        shift = Random(f"{seed} {place}")  # noqa: S311 - it keeps no secret

        def choose(most: int) -> int:
            return (draw(upto(most)) + shift.randint(0, most)) % (most + 1)

        return family.example(*family.compose(choose))

    return example


def _unrelated(family: Family) -> One:
    """Return what draws an example of changes that know nothing of each other."""
    kinds = [it for it in family.kinds for _ in range(_weight(it))]
    good = [kind for kind in kinds if kind.due in {"accepted", "either"}]
    which, within = st.integers(0, -(-len(kinds) // SHELF) - 1), st.integers(0, SHELF - 1)
    values = {kind.id: [_places(parameter) for parameter in kind.takes] for kind in kinds}

    def change(draw: st.DrawFn, among: Sequence[Kind[Any]]) -> Change:
        kind = among[(draw(which) * SHELF + draw(within)) % len(among)]
        drawn = [draw(places) for places in values[kind.id]]
        return Change(kind.id, tuple(map(_value, kind.takes, drawn)))

    def example(draw: st.DrawFn, _: int) -> Example:
        of_any, of_good = COUNTS[draw(_HOW_MANY)]
        drawn = [change(draw, kinds) for _ in range(of_any)]
        drawn += [change(draw, good or kinds) for _ in range(of_good)]
        return family.example(*drawn)

    return example


def lesser(family: Family, example: Example) -> st.SearchStrategy[Sequence[tuple[Example, ...]]]:
    """Return what draws an example with some of the changes of one, and no value further down."""
    known = {kind.id: kind for kind in family.kinds}
    changes = [
        (it, [_places(*both) for both in zip(known[it.kind].takes, it.values, strict=True)])
        for it in example.changes
    ]

    @st.composite
    def one(draw: st.DrawFn) -> tuple[Example, ...]:
        kept = []
        for change, places in changes:
            takes = known[change.kind].takes
            if draw(_KEEPS):
                drawn = [draw(it) for it in places]
                kept.append(Change(change.kind, tuple(map(_value, takes, drawn))))
        return (family.example(*kept),)

    return st.lists(one(), min_size=1, max_size=1, unique=True)


def _weight(kind: Kind[Any]) -> int:
    """Return how often a kind is drawn: more often where there is more to try."""
    values = math.prod(len(it.values) if isinstance(it, OneOf) else 10 for it in kind.takes)
    return math.ceil(math.sqrt(values))


def _places(parameter: Parameter, upto: Value = None) -> st.SearchStrategy[int]:
    """Return what draws the place of a value: of all of them, or of those up to one."""
    if isinstance(parameter, OneOf):
        last = len(parameter.values) if upto is None else 1 + _place(parameter.values, upto)
        return st.integers(0, last - 1)
    most = parameter.most if upto is None else int(upto)
    return st.integers(0, most - parameter.least)


def _place(values: Sequence[Value], value: Value) -> int:
    return next(place for place, it in enumerate(values) if it == value and type(it) is type(value))


def _value(parameter: Parameter, place: int) -> Value:
    if isinstance(parameter, OneOf):
        return parameter.values[place]
    return parameter.least + place
