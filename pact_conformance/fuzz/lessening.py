"""What is simpler than an example: with a change fewer, or with a value that stands further up."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from pact_conformance.fuzz.example import Change, Example, Value
from pact_conformance.fuzz.family import Composing, Family
from pact_conformance.fuzz.kind import OneOf, Parameter

# Of a long list of values the first ones are tried: Hypothesis has looked at the others.
MOST_VALUES = 12


def least(family: Family, shows: Callable[[Example], bool], example: Example) -> Example:
    """Return an example than which none next to it is simpler and shows something.

    It takes few tries: those are dear where each of them costs a subject something.
    """
    while True:
        lesser = next((it for it in simpler(family, example) if shows(it)), None)
        if lesser is None:
            return example
        example = lesser


def simpler(family: Family, example: Example) -> Iterator[Example]:
    """Yield the examples next to one that are simpler, the simplest first.

    Hypothesis lessens a value by leaps; where only some values fail it may pass by the first.
    """
    changes = example.changes
    if len(changes) > 1:
        for place in reversed(range(len(changes))):
            yield family.example(*changes[:place], *changes[place + 1 :])
    known = {kind.id: kind for kind in family.kinds}
    if isinstance(family, Composing):
        yield from _simpler_everywhere(family, example)
    for place, change in enumerate(changes):
        for other in _simpler_values(known[change.kind].takes, change):
            yield family.example(*changes[:place], other, *changes[place + 1 :])


def rank(family: Family, example: Example) -> tuple[int, int]:
    """Return what sorts examples by how simple they are: of two the simpler one has the less."""
    known = {kind.id: kind for kind in family.kinds}
    places = (
        _place(parameter, value)
        for change in example.changes
        for parameter, value in zip(known[change.kind].takes, change.values, strict=True)
    )
    return len(example.changes), sum(places)


def _place(parameter: Parameter, value: Value) -> int:
    if isinstance(parameter, OneOf):
        same = (it == value and type(it) is type(value) for it in parameter.values)
        return list(same).index(True)
    return int(value or 0) - parameter.least


def _simpler_everywhere(family: Composing, example: Example) -> Iterator[Example]:
    """Yield examples with another value wherever one stands that several changes have."""
    known = {kind.id: kind for kind in family.kinds}
    standing = [
        (place, number, parameter.values)
        for place, change in enumerate(example.changes)
        for number, parameter in enumerate(known[change.kind].takes)
        if isinstance(parameter, OneOf)
    ]
    held = {
        (tuple(values), example.changes[place].values[number]) for place, number, values in standing
    }
    for values, value in sorted(held, key=repr):
        for other in values[: values.index(value)][:MOST_VALUES]:
            changes = [
                replace(
                    change,
                    values=tuple(
                        other if it == value and (place, number, values) in standing else it
                        for number, it in enumerate(change.values)
                    ),
                )
                for place, change in enumerate(example.changes)
            ]
            yield family.example(*changes)


def _simpler_values(takes: object, change: Change) -> Iterator[Change]:
    parameters = takes if isinstance(takes, tuple) else ()
    for place, parameter in enumerate(parameters):
        if not isinstance(parameter, OneOf):
            continue
        before = list(parameter.values)[: list(parameter.values).index(change.values[place])]
        for value in before[:MOST_VALUES]:
            values = (*change.values[:place], value, *change.values[place + 1 :])
            yield replace(change, values=values)
