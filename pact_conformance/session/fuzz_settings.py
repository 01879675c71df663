"""What a tester sets of the fuzzing, seen to make sense before anything is sent."""

from importlib.util import find_spec

import pytest

from pact_conformance.fuzz.example import NoExample, parse
from pact_conformance.settings import Settings


def validate(settings: Settings) -> None:
    """See that the fuzzing can be done.

    Raises:
        pytest.UsageError: what draws the examples is not installed, or one is none.
    """
    if settings.example is not None:
        try:
            parse(settings.example)
        except NoExample as error:
            raise pytest.UsageError(f"--pact-example: {error}") from None
    elif settings.fuzz and find_spec("hypothesis") is None:
        raise pytest.UsageError(
            "--pact-fuzz takes Hypothesis, which is not installed: "
            "pip install 'pact-conformance[fuzz]'"
        )
