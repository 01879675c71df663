"""Examples that fuzzing found once: each is tried again in every run, fuzzing or not."""

from pact_conformance.fuzz.fuzzing import Fuzzing
from pact_conformance.fuzz.kept import Kept


def test_a_kept_example_gets_what_is_due(fuzzing: Fuzzing, example: Kept) -> None:
    fuzzing.again(example)
