"""Two flaws at once: neither may hide the other from the suite."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pact_conformance.matrix.subjects import Subject


def sample(subjects: Sequence[Subject], count: int, number: int) -> list[Subject]:
    """Return pairs of flaws of one role that break nothing in common, each to be held by section.

    The same number gives the same pairs; other numbers give others, so that they rotate.

    Args:
        subjects: those whose flaws are paired.
        count: how many pairs at most; fewer where there are not enough flaws.
        number: of the turn.
    """
    every = [it for it in subjects if it.kind == "flaw"]
    pairs: dict[frozenset[str], Subject] = {}
    for one, other in _drawn(every, number) if every else ():
        if len(pairs) == count:
            break
        fit = one is not other and one.role == other.role
        if fit and not one.declared & other.declared:
            pairs.setdefault(frozenset({one.name, other.name}), pair(one, other))
    return list(pairs.values())


def pair(one: Subject, other: Subject) -> Subject:
    """Return the mock with both flaws, the second substituted last."""
    declared = one.declared | other.declared
    return Subject(
        f"{one.name}+{other.name}",
        "pair",
        "delegated" if "delegated" in {one.profile, other.profile} else "identity",
        declared,
        {**one.settings, **other.settings},
        role=one.role,
        parts=(one.name, other.name),
        description=f"{one.description} {other.description}",
    )


def swapped(subject: Subject) -> Subject:
    """Return a pair with its flaws substituted in the other order."""
    one, other = subject.parts
    return replace(subject, name=f"{other}+{one}", parts=(other, one))


def _drawn(flaws: Sequence[Subject], number: int) -> Iterator[tuple[Subject, Subject]]:
    """Draw two flaws again and again, often enough to draw each pair of a few."""
    for draw in range(len(flaws) ** 2 + 64):
        digest = hashlib.sha256(f"{number} {draw}".encode()).digest()
        first, second = (int.from_bytes(digest[at : at + 8]) for at in (0, 8))
        yield flaws[first % len(flaws)], flaws[second % len(flaws)]
