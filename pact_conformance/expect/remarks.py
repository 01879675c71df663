"""What a check says besides its verdict: demands of its own, warnings and notes."""

from collections.abc import Callable
from typing import Never

from pact_conformance.verdicts import Deviation, Measure, NotApplicable, open_notebook


def that(
    holds: bool,  # noqa: FBT001 - reads as a sentence
    expected: str,
    got: object | Callable[[], object],
) -> None:
    """Demand something that no other verb names.

    Args:
        holds: whether it does.
        expected: in words.
        got: likewise; a function is asked only where it does not hold, and may end the check.

    Raises:
        Deviation: it does not hold.
    """
    if not holds:
        raise Deviation(expected, str(got() if callable(got) else got))


def warn(remark: str) -> None:
    """Record that the subject leaves a SHOULD or takes a reading that draws a warning."""
    open_notebook().warnings.append(remark)


def warn_unless(holds: bool, remark: str) -> None:  # noqa: FBT001 - reads as a sentence
    """Warn unless it holds."""
    if not holds:
        warn(remark)


def note(remark: str) -> None:
    """Record something worth knowing that changes no verdict."""
    open_notebook().notes.append(remark)


def measured(what: str, value: float, unit: str = "") -> None:
    """Record a number that was taken of the subject.

    Args:
        what: in words.
        value: the number.
        unit: empty for a count.
    """
    open_notebook().measures.append(Measure(what, value, unit))


def absent(reason: str) -> Never:
    """End the check: the subject does not offer the thing.

    Raises:
        NotApplicable: always.
    """
    raise NotApplicable(reason)
