"""What a tester sets of the fuzzing, seen to make sense before anything is sent."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from pact_conformance.fuzz.example import NoExample, parse
from pact_conformance.fuzz.families import kinds_of
from pact_conformance.settings import Settings


def validate(settings: Settings) -> None:
    """See that the fuzzing can be done.

    Raises:
        pytest.UsageError: what draws the examples is not installed, or one is none.
    """
    if settings.kept is not None:
        _readable(settings.kept)
    if settings.example is not None:
        try:
            example = parse(settings.example)
            kinds_of(example.family).of(example)
        except NoExample as error:
            raise pytest.UsageError(f"--pact-example: {error}") from None
    elif settings.fuzz and find_spec("hypothesis") is None:
        raise pytest.UsageError(
            "--pact-fuzz takes Hypothesis, which is not installed: "
            "pip install 'pact-conformance[fuzz]'"
        )


def _readable(own: Path) -> None:
    from pact_conformance.fuzz import kept  # noqa: PLC0415 - few have a file of their own

    try:
        kept.load(own)
    except kept.BadKept as error:
        raise pytest.UsageError(f"--pact-kept: {error}") from None
