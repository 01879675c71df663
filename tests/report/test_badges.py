import json
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from pact_conformance.report import badges
from tests.report import making
from tests.report.contrast import contrast

SVG = "{http://www.w3.org/2000/svg}"


def test_each_profile_has_a_badge_and_an_endpoint(tmp_path: Path) -> None:
    written = badges.write(making.built(), tmp_path)

    assert [it.name for it in written] == [
        "identity.svg",
        "identity.json",
        "delegated.svg",
        "delegated.json",
    ]
    assert json.loads((tmp_path / "identity.json").read_text()) == {
        "schemaVersion": 1,
        "label": "PACT 1.0 Identity",
        "message": "not conformant",
        "color": "#b42318",
        "isError": True,
    }


def test_what_a_run_may_write_is_what_the_next_one_takes_away(tmp_path: Path) -> None:
    document = making.as_read(making.built())
    for name, profile in list(document["profiles"].items()):
        document["profiles"][f"agent-{name}"] = profile

    written = badges.write(document, tmp_path / badges.FOLDER)

    assert {it.relative_to(tmp_path).as_posix() for it in written} == set(badges.FILES)


@pytest.mark.parametrize("verdict", ["conformant", "incomplete", "not conformant"])
def test_a_badge_says_its_verdict_in_words_that_can_be_read(verdict: str) -> None:
    root = fromstring(badges.svg("PACT 1.0 <Identity>", verdict))

    assert root.get("aria-label") == f"PACT 1.0 <Identity>: {verdict}"
    assert [it.text for it in root.iter(f"{SVG}text")] == ["PACT 1.0 <Identity>", verdict]
    for rect in root.findall(f"{SVG}g/{SVG}rect"):
        assert contrast("#ffffff", str(rect.get("fill"))) > 4.5
