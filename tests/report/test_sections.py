from pact_conformance.report import sections
from tests.report import making


def test_every_section_of_the_catalogue_has_its_heading() -> None:
    numbers = {row.section for row in making.CATALOGUE.requirements.values()}

    assert numbers - sections.TITLES.keys() == set()


def test_unknown_names_are_shown_as_they_are() -> None:
    assert sections.title("9.9") == "9.9"
    assert sections.role("referee") == "referee"
    assert sections.profile("delegated") == "PACT Delegated"
