"""Takes secrets out of what checks say: an answer that they quote may echo a token."""

from dataclasses import replace
from typing import TypeVar

from pact_conformance.journal.mask import Mask
from pact_conformance.report.outcome import Outcome
from pact_conformance.subject.findings import Finding

Told = TypeVar("Told", Outcome, Finding)


def masked(told: Told, mask: Mask) -> Told:
    """Return what was told without secrets."""
    if isinstance(told, Finding):
        expected, got, do = mask.apply_all([told.expected, told.got, told.do])
        return replace(told, expected=expected, got=got, do=do)
    expected, got, reason, do, *said = mask.apply_all(
        [told.expected, told.got, told.reason, told.do, *told.warnings, *told.notes]
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
