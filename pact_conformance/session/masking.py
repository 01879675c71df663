"""Takes secrets out of what checks say: an answer that they quote may echo a token."""

from dataclasses import replace
from typing import TypeVar

from pact_conformance.journal.mask import Mask
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.text import shortened
from pact_conformance.subject.findings import Finding

# What a subject says may be of any length; the journal has what was kept of it.
LONGEST = 4_000

Told = TypeVar("Told", Outcome, Finding)


def masked(told: Told, mask: Mask) -> Told:
    """Return what was told without secrets, and no longer than people read."""
    if isinstance(told, Finding):
        expected, got, do = _cut(mask, [told.expected, told.got, told.do])
        return replace(told, expected=expected, got=got, do=do)
    expected, got, reason, do, *said = _cut(
        mask, [told.expected, told.got, told.reason, told.do, *told.warnings, *told.notes]
    )
    return replace(
        told,
        expected=expected,
        got=got,
        reason=reason,
        do=do,
        warnings=tuple(said[: len(told.warnings)]),
        notes=tuple(said[len(told.warnings) :]),
    )


def _cut(mask: Mask, texts: list[str]) -> list[str]:
    """Mask first: a secret of which a part is left would no longer be known."""
    return [shortened(it, LONGEST) for it in mask.apply_all(texts)]
