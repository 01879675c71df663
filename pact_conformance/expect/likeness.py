"""Whether two answers can be told apart: what §4.2 asks of a foreign context and an unknown one.

A Provider puts request ids, dates and counters into its answers. What differs between two answers
about two unknown contexts says nothing, and is left out of the comparison with the foreign one.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pact_conformance.expect.answers import describe, settled
from pact_conformance.journal.answer import NOT_JSON, Answer
from pact_conformance.verdicts import Deviation

# Headers that speak of time, of the connection or of a quota, not of the request's subject.
_SILENT = (
    "date",
    "age",
    "connection",
    "keep-alive",
    "content-length",
    "expires",
    "via",
    "set-cookie",
    "server-timing",
    "ratelimit",
    "x-ratelimit-",
    "x-rate-limit-",
    "x-response-time",
    "x-runtime",
    "x-served-by",
    "x-cache",
    "x-envoy-",
    "x-timer",
    "request-id",
    "x-request-id",
    "x-correlation-id",
    "x-trace",
    "traceparent",
    "x-amzn-",
    "x-b3-",
    "cf-ray",
)

# When an answer was made says nothing of what it is about.
_TIMES = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")

# A shorter one may well be a part of another word or number.
_SURELY_AN_ID = 8

_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True)
class _Trait:
    """Something of an answer: as it is, and with the id that was asked about left out.

    Two are alike where either is the same. A short id stands in many a text by chance, as 4 in 400.
    """

    said: str
    bare: str

    def is_like(self, other: "_Trait | None") -> bool:
        return other is not None and (self.said == other.said or self.bare == other.bare)


def indistinguishable(
    foreign: Answer, asked: str, unknown: Mapping[str, Answer], *, what: str
) -> None:
    """Demand that an answer about a foreign id looks like answers about ids that nobody has.

    Args:
        foreign: the answer about the foreign id.
        asked: that id, which the answer may repeat.
        unknown: at least two answers about unknown ids, by id; what differs among them is noise.
        what: names the foreign thing.

    Raises:
        Deviation: it can be told apart; `got` names the differing parts.
    """
    traits = [dict(_traits(settled(answer), id_)) for id_, answer in unknown.items()]
    steady = {
        name: value
        for name, value in traits[0].items()
        if all(value.is_like(other.get(name)) for other in traits[1:])
    }
    noise = {name for other in traits for name in other} - steady.keys()
    seen = dict(_traits(settled(foreign), asked))
    telling = sorted(
        name
        for name in (seen.keys() | steady.keys()) - noise
        if name not in seen or not seen[name].is_like(steady.get(name))
    )
    if telling:
        differences = "; ".join(
            f"{name}: {_told(seen.get(name))} instead of {_told(steady.get(name))}"
            for name in telling[:4]
        )
        some_unknown = next(iter(unknown.values()))
        raise Deviation(
            f"the answer about {what} to look like that about an unknown one "
            f"({describe(some_unknown)})",
            f"{describe(foreign)}; telling them apart: {differences}",
        )


def _told(trait: _Trait | None) -> str:
    return repr("absent" if trait is None else trait.bare)


def _traits(answer: Answer, asked: str) -> Iterator[tuple[str, _Trait]]:
    """Yield by name what an observer could compare."""
    id_ = re.escape(asked)
    if len(asked) < _SURELY_AN_ID:
        id_ = rf"(?<![0-9A-Za-z]){id_}(?![0-9A-Za-z])"
    for name, said in _said(answer):
        yield name, _Trait(said, re.sub(id_, "…", said))


def _said(answer: Answer) -> Iterator[tuple[str, str]]:
    yield "status", str(answer.status)
    for name, value in answer.headers.multi_items():
        if not name.lower().startswith(_SILENT):
            yield f"header {name.lower()}", value
    if answer.json is NOT_JSON:
        yield "body", answer.text
    else:
        yield from ((f"body{path}", leaf) for path, leaf in _leaves(answer.json))
        # Members may come in any order, so the layout is compared by how much of it there is.
        layout = _STRINGS.sub("", answer.text)
        yield "white space in the body", str(sum(map(str.isspace, layout)))


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for name, member in value.items():
            yield from _leaves(member, f"{path}.{name}")
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}[{index}]")
    else:
        yield path, _TIMES.sub("(a time)", repr(value))
