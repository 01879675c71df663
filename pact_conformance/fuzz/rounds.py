"""Where Hypothesis draws examples and shrinks one that shows something: the only place for it.

Its own database is not used, and its home is a folder of the system's for what is thrown away: the
same seed draws the same examples whatever was run before.
"""

import tempfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir

from pact_conformance.fuzz.example import Change, Example
from pact_conformance.fuzz.family import Family
from pact_conformance.fuzz.kind import Kind, OneOf, Parameter

# Hypothesis spends about a millisecond on each of its test cases, whatever is in it: so one holds
# several examples. What fails is shrunk to one.
MOST_TOGETHER = 12
USUALLY_TOGETHER = 6

# Most examples are of one change or two: what several hide behind each other finds nothing.
MOST_CHANGES = 4

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

    def each(examples: Sequence[Example]) -> None:
        for example in examples:
            if shows(example):
                raise _ShownError(example)

    drawn = st.lists(examples(family, only), min_size=1, max_size=MOST_TOGETHER)
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
        hypothesis.seed(seed)(quiet(hypothesis.given(drawn)(each)))()
    except _ShownError as shown:
        return shown.example
    return None


def examples(family: Family, only: Collection[str] | None = None) -> st.SearchStrategy[Example]:
    """Return what draws examples of a family: half of them of one change."""
    kinds = [kind for kind in family.kinds if only is None or kind.id in only]
    one = st.sampled_from([_changes(kind) for kind in kinds]).flatmap(_itself)
    several = st.lists(one, min_size=1, max_size=MOST_CHANGES)
    return st.one_of(st.tuples(one), several).map(lambda changes: family.example(*changes))


def _itself(strategy: st.SearchStrategy[Change]) -> st.SearchStrategy[Change]:
    return strategy


def _changes(kind: Kind[Any]) -> st.SearchStrategy[Change]:
    if not kind.takes:
        return st.just(Change(kind.id))
    values = st.tuples(*map(_values, kind.takes))
    return values.map(lambda drawn: Change(kind.id, drawn))


def _values(parameter: Parameter) -> st.SearchStrategy[Any]:
    if isinstance(parameter, OneOf):
        return st.sampled_from(parameter.values)
    return st.integers(parameter.least, parameter.most)
