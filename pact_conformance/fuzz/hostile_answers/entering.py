"""How changes of one answer are entered: named values at a place, more members, another writing."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from pact_conformance.fuzz import entering
from pact_conformance.fuzz.entering import Apply
from pact_conformance.fuzz.example import Value
from pact_conformance.fuzz.hostile_answers.draft import DELEGATED, Answered, Draft, areas_of
from pact_conformance.fuzz.hostile_answers.writing import Manner, Raw, at, drop, held, put
from pact_conformance.fuzz.kind import Due, Kind, OneOf, Parameter

# What stands where something else should, as JSON texts; the simplest first.
ODD: Mapping[str, str] = {
    "null": "null",
    "a number": "7",
    "a negative number": "-1",
    "a fraction": "1.5",
    "a huge number": "1" + "0" * 30,
    "a number beyond all": "1e999",
    "a number of 5000 digits": "9" * 5000,
    "NaN": "NaN",
    "true": "true",
    "an empty text": '""',
    "a text": '"x"',
    "a text with NUL": '"a\\u0000b"',
    "half a character": '"\\ud800"',
    "a long text": f'"{"x" * 70_000}"',
    "an empty array": "[]",
    "an array of null": "[null]",
    "an array of a text": '["x"]',
    "an empty object": "{}",
    "an object": '{"a":{"b":[1]}}',
    "a deep array": "[" * 2000 + "]" * 2000,
}

TURNS = "message.turns"
"""The slot of what says which messages there are: a scene has a step-up, an error or the end of its
conversation, and never two of them."""

MORE = "more"
"""The name of what is put beside the members that there are."""

_MORE: Mapping[str, str] = {
    "a text": '"hello"',
    "null": "null",
    "an object": '{"a":[1,null,{"b":true}]}',
    "a long text": f'"{"x" * 20_000}"',
}

_NAMES = ("x-note", "_links", "$schema", "näme", "__proto__", "toString", "https://x.example/#m")

MANNERS: Mapping[str, Manner] = {
    "with its members in the opposite order": Manner(backwards=True),
    "with white space between all": Manner(comma=" ,\n\t", colon=" : "),
    "with its names escaped": Manner(escapes=True),
}


def kind(
    id_: str,
    words: str,
    due: Due | Callable[..., Due],
    requirement: str,
    apply: Apply,
    *slots: str,
    takes: Sequence[Parameter] = (),
    needs: Sequence[str] = (),
) -> Kind[Draft]:
    """Return a kind; its first slot begins with its area."""
    if slots[0].startswith("step-up.") and TURNS not in slots:
        slots = (*slots, TURNS)
    areas = areas_of(slots)
    needed = {*needs, *(areas & {"closing", "step-up"})}
    needed |= set() if DELEGATED.isdisjoint(areas) else {"delegation"}
    return entering.kind(
        id_, words, due, requirement, apply, *slots, takes=takes, needs=sorted(needed)
    )


def odd(
    area: str,
    answer: str,
    places: Sequence[str],
    what: str,
    requirement: str,
    *,
    needs: Sequence[str] = (),
) -> Kind[Draft]:
    """Return a kind that puts values of another sort in the place of members.

    Nothing is due to that but that the agent survives it.
    """

    def apply(draft: Draft, place: str, value: str) -> None:
        path = at(place)
        document = draft.answered(answer).document
        if path:
            put(document, path, Raw(ODD[value]))
        else:
            draft.answered(answer).document = Raw(ODD[value])

    takes = [OneOf(tuple(places)), OneOf(tuple(ODD))]
    words = f"in {what} `{{0}}` is {{1}}"
    return kind(f"{area}-odd", words, "either", requirement, apply, f"{area}.document",
                takes=takes, needs=needs)  # fmt: skip


def more(area: str, answer: str, places: Sequence[str], what: str) -> Kind[Draft]:
    """Return a kind that puts members which nobody knows into objects."""

    def apply(draft: Draft, place: str, name: str, value: str) -> None:
        document = draft.answered(answer).document
        held(document, at(place))[name] = Raw(_MORE[value])

    takes = [OneOf(tuple(places)), OneOf(_NAMES), OneOf(tuple(_MORE))]
    words = f"in {what}, below `{{0}}`, a member `{{1}}` that nobody knows: {{2}}"
    return kind(f"{area}-more", words, "accepted", "2-agent-unknown-members", apply,
                f"{area}.more", takes=takes)  # fmt: skip


def otherwise_written(area: str, answer: str, what: str, requirement: str) -> Kind[Draft]:
    """Return a kind that writes the same JSON in another way."""

    def apply(draft: Draft, manner: str) -> None:
        draft.answered(answer).manner = MANNERS[manner]

    return kind(f"{area}-writing", f"{what} is written {{0}}", "accepted", requirement, apply,
                f"{area}.writing", takes=[OneOf(tuple(MANNERS))])  # fmt: skip


def without(  # noqa: PLR0917 - as above
    area: str, id_: str, answer: str, places: Sequence[str], what: str, due: Due, requirement: str
) -> Kind[Draft]:
    """Return a kind that leaves members out."""

    def apply(draft: Draft, place: str) -> None:
        drop(draft.answered(answer).document, at(place))

    return kind(id_, f"{what} has no `{{0}}`", due, requirement, apply, f"{area}.document",
                takes=[OneOf(tuple(places))])  # fmt: skip


def valued(  # noqa: PLR0917 - as above
    area: str,
    id_: str,
    words: str,
    due: Due,
    requirement: str,
    answer: str,
    place: str,
    values: Mapping[str, Any] | Sequence[Value],
    *,
    needs: Sequence[str] = (),
) -> Kind[Draft]:
    """Return a kind that gives one member values, by what they are called or as they are."""
    table = values if isinstance(values, Mapping) else {it: it for it in values}

    def apply(draft: Draft, value: str) -> None:
        put(draft.answered(answer).document, at(place), deepcopy(table[value]))

    return kind(id_, words, due, requirement, apply, f"{area}.document",
                takes=[OneOf(tuple(table))], needs=needs)  # fmt: skip


def typed(  # noqa: PLR0917 - as above
    area: str,
    answer: str,
    what: str,
    types: Sequence[str],
    due: Due,
    requirement: str,
    *,
    id_: str = "",
) -> Kind[Draft]:
    """Return a kind that gives an answer another media type."""

    def apply(draft: Draft, value: str) -> None:
        draft.answered(answer).content_type = value

    return kind(id_ or f"{area}-type", f"the Content-Type of {what} is `{{0}}`", due, requirement,
                apply, f"{area}.type", takes=[OneOf(tuple(types))])  # fmt: skip


def changed(answer: str, change: Callable[[Answered], None]) -> Apply:
    """Return what changes a whole answer."""
    return lambda draft: change(draft.answered(answer))
