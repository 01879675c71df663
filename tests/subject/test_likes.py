"""Unknown ids of the form of known ones."""

import re
import uuid

import pytest

from pact_conformance.subject.likes import like


@pytest.mark.parametrize(
    ("held", "form"),
    [
        ("ctx_01HZX9-abc.7", r"[a-z]{3}_\d\d[A-Z]{3}\d-[a-z]{3}\.\d"),
        ("0a1b2c3d4e", r"[0-9a-f]{10}"),
        ("0A1B2C3D4E", r"[0-9A-F]{10}"),
        ("1234567890", r"[0-9]{10}"),
        ("größe-12345678", r"[a-z]{2}öß[a-z]-[0-9]{8}"),
    ],
)
def test_an_id_is_of_the_same_form_and_another(held: str, form: str) -> None:
    made = like(held)

    assert re.fullmatch(form, made)
    assert made != held


def test_a_uuid_gives_a_uuid_of_version_4() -> None:
    assert uuid.UUID(like("018f4e2a-7c00-7abc-9def-0123456789ab")).version == 4


@pytest.mark.parametrize(
    ("held", "form"), [("3", r"[0-9]{15}"), ("c-12", r"[a-z]-[0-9]{12}"), ("", r"[0-9]{16}")]
)
def test_an_id_of_which_many_are_held_gives_a_longer_one(held: str, form: str) -> None:
    assert re.fullmatch(form, like(held))
