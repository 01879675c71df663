"""Where Hypothesis draws examples and shrinks one that shows something: the only place for it.

Its own database is not used, and its home is a folder of the system's for what is thrown away: the
same seed draws the same examples whatever was run before.
"""

import math
import tempfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir

from pact_conformance.fuzz.example import Change, Example, Value
from pact_conformance.fuzz.family import Family
from pact_conformance.fuzz.kind import Kind, OneOf, Parameter

# Hypothesis spends about a millisecond on each of its test cases, whatever is in it: so one holds
# several examples. What fails is shrunk to one.
MOST_TOGETHER = 40
USUALLY_TOGETHER = 16
_GO_ON = st.integers(0, 19)

# How many changes an example has, mostly one or two, for what hides behind another finds nothing;
# and whether all are such as may leave it good.
COUNTS = (
    *((1, False), (1, False), (1, False), (2, False), (2, False), (3, False), (4, False)),
    *((1, True), (2, True), (3, True)),
)
_HOW_MANY = st.integers(0, len(COUNTS) - 1)

set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "pact-conformance-hypothesis")


class _ShownError(Exception):
    """Carries an example that shows something out of Hypothesis."""

    def __init__(self, example: Example) -> None:
        super().__init__(example.text)
        self.example = example


def draw(
    family: Family,
    shows: Callable[[Example], bool],
    *,
    seed: int,
    most: int,
    only: Collection[str] | None = None,
) -> Example | None:
    """Draw examples until one shows something; return the least that does, or None.

    Args:
        family: whose examples.
        shows: tries an example; what it says of one must not change.
        seed: draws the same examples again.
        most: about how many examples.
        only: the kinds to draw from, to make less of one example; by default all.
    """

    def each(drawn: Sequence[Sequence[Example]]) -> None:
        for example in drawn[0]:
            if shows(example):
                raise _ShownError(example)

    quiet = hypothesis.settings(
        max_examples=max(1, most // USUALLY_TOGETHER),
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=tuple(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    try:
        hypothesis.seed(seed)(quiet(hypothesis.given(batches(family, only))(each)))()
    except _ShownError as shown:
        return shown.example
    return None


def batches(
    family: Family, only: Collection[str] | None = None
) -> st.SearchStrategy[Sequence[tuple[Example, ...]]]:
    """Return what draws several examples, each but the first after a draw that shrinks to none.

    Nothing but whole numbers is drawn: that takes Hypothesis least time. The examples stand in a
    collection of one: what is in a collection without duplicates Hypothesis does not vary by
    copying parts of it, which would mostly give examples that were tried already.
    """
    kinds = [it for it in family.kinds if only is None or it.id in only for _ in range(_weight(it))]
    good = [kind for kind in kinds if kind.due in {"accepted", "either"}]
    which = st.integers(0, len(kinds) - 1)
    values = {kind.id: [_places(parameter) for parameter in kind.takes] for kind in kinds}

    def change(draw: st.DrawFn, among: Sequence[Kind[Any]]) -> Change:
        kind = among[draw(which) % len(among)]
        drawn = [draw(places) for places in values[kind.id]]
        return Change(kind.id, tuple(map(_value, kind.takes, drawn)))

    def example(draw: st.DrawFn) -> Example:
        count, is_good = COUNTS[draw(_HOW_MANY)]
        among = good if is_good and good else kinds
        return family.example(*(change(draw, among) for _ in range(count)))

    @st.composite
    def several(draw: st.DrawFn) -> tuple[Example, ...]:
        drawn = [example(draw)]
        while len(drawn) < MOST_TOGETHER and draw(_GO_ON):
            drawn.append(example(draw))
        return tuple(drawn)

    return st.lists(several(), min_size=1, max_size=1, unique=True)


def _weight(kind: Kind[Any]) -> int:
    """Return how often a kind is drawn: more often where there is more to try."""
    values = math.prod(len(it.values) for it in kind.takes if isinstance(it, OneOf))
    return 1 + min(5, values // 8)


def _places(parameter: Parameter) -> st.SearchStrategy[int]:
    if isinstance(parameter, OneOf):
        return st.integers(0, len(parameter.values) - 1)
    return st.integers(0, parameter.most - parameter.least)


def _value(parameter: Parameter, place: int) -> Value:
    if isinstance(parameter, OneOf):
        return parameter.values[place]
    return parameter.least + place
