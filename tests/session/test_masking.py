"""What a check says is masked whole, and then cut to what people read."""

from dataclasses import replace

from pact_conformance.journal.mask import Mask
from pact_conformance.session.masking import LONGEST, masked
from tests.report.making import FAILED

SECRET = "kT7pZ0qv4hX2mB9sW6yD1cR8uE3nJ5aL"


def test_ten_megabytes_of_a_subject_are_cut() -> None:
    said = masked(replace(FAILED, got="x" * 10_000_000, notes=("y" * 5_000,)), Mask())

    assert said.got == "x" * LONGEST + "… (9,996,000 more characters)"
    assert said.notes == ("y" * LONGEST + "… (1,000 more characters)",)


def test_no_part_of_a_secret_is_left_where_a_text_is_cut() -> None:
    mask = Mask()
    mask.add(SECRET, "token")

    said = masked(replace(FAILED, got="x" * (LONGEST - 10) + SECRET), mask)

    assert SECRET[:10] not in said.got
