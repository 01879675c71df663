import pytest

from pact_conformance.wire.media_types import A2A_JSON, essence


@pytest.mark.parametrize(
    "header",
    ["application/a2a+json", "Application/A2A+JSON", " application/a2a+json ; charset=utf-8"],
)
def test_parameters_and_case_do_not_count(header: str) -> None:
    assert essence(header) == A2A_JSON


@pytest.mark.parametrize("header", [None, "", " ;charset=utf-8"])
def test_no_media_type_is_the_empty_string(header: str | None) -> None:
    assert not essence(header)
