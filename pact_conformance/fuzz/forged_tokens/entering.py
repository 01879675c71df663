"""How the kinds of this family are entered, in a line or two each."""

import json
from collections.abc import Callable, Iterable
from typing import TypeAlias

from pact_conformance.fuzz import entering
from pact_conformance.fuzz.entering import Apply
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.draft import Draft, Members
from pact_conformance.fuzz.kind import Due, Kind, Parameter

Rewrite: TypeAlias = Callable[[str], str]

PARTS = ("header", "claims")


def kind(
    id_: str,
    words: str,
    due: Due | Callable[..., Due],
    requirement: str,
    apply: Apply,
    *slots: str,
    takes: Iterable[Parameter] = (),
    needs: Iterable[str] = (),
) -> Kind[Draft]:
    """Return a kind; one that takes a key of an algorithm occupies the algorithm as well."""
    needed = tuple(needs)
    base = ("base",) if {"es256", "rs256"}.intersection(needed) else ()
    return entering.kind(
        id_, words, due, requirement, apply, *slots, *base, takes=takes, needs=needed
    )


def members(draft: Draft, part: str) -> Members:
    """Return the header or the claims of a draft."""
    found: Members = getattr(draft, part)
    return found


def changed(before: str, after: str) -> str:
    """Return a rewritten text.

    Raises:
        Impossible: there was nothing to rewrite in it.
    """
    if before == after:
        raise Impossible("it would change nothing")
    return after


def filled(draft: Draft, text: str) -> str:
    """Return the JSON text of a value in which words in braces stand for the draft's own values."""
    own = {
        "{iss}": draft.caller.issuer,
        "{aud}": draft.caller.audience,
        "{kid}": draft.key.kid or "",
        "{alg}": draft.key.alg,
    }
    for word, value in own.items():
        text = text.replace(word, json.dumps(value)[1:-1])
    numbers = {"{now}": draft.now, "{soon}": draft.now + 120}
    for word, number in numbers.items():
        text = text.replace(word, str(number))
    return text


def written(part: str, name: str) -> Apply:
    """Return what gives a member the value that a JSON text says, or what is no JSON."""

    def apply(draft: Draft, text: str) -> None:
        members(draft, part).write(name, filled(draft, text))

    return apply
