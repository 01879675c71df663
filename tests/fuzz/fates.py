"""What becomes of many examples at a subject that conforms."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Family, Impossible
from pact_conformance.fuzz.kind import Due, Kinds


def fates(
    family: Family, kinds: Kinds[Any], examples: Iterable[Example]
) -> Counter[tuple[Due, str]]:
    """Return how often each fate became of what was due; nothing may fail or warn."""
    found: Counter[tuple[Due, str]] = Counter()
    for example in examples:
        with suppress(Impossible):
            trial = family.attempt(example)
            assert not trial.failed, (kinds.said(example), trial)
            assert not trial.warning, (kinds.said(example), trial)
            found[kinds.due_to(example), trial.fate] += 1
    return found
