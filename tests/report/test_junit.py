from xml.etree.ElementTree import Element, fromstring

import pytest

from pact_conformance.report import junit
from pact_conformance.report.outcome import Outcome
from tests.report import making

NOTHING_TRIED = "4.1-parts"


def cases(*outcomes: Outcome) -> dict[str, Element]:
    root = fromstring(junit.render(making.as_read(making.built(outcomes))))
    return {str(case.get("name")): case for case in root.iter("testcase")}


@pytest.mark.parametrize(
    ("outcome", "element"),
    [
        (making.FAILED, "failure"),
        (making.INCONCLUSIVE, "error"),
        (making.UNTESTED, "skipped"),
        (making.PASSED, None),
        (making.WARNED, None),
    ],
)
def test_each_verdict_has_its_element(outcome: Outcome, element: str | None) -> None:
    title = outcome.name.replace("_", " ") + (f" [{outcome.case}]" if outcome.case else "")
    case = cases(outcome)[title]

    found = {it.tag for it in case} & {"failure", "error", "skipped"}
    assert found == ({element} if element else set())
    verdict = next(it for it in case.iter("property") if it.get("name") == "verdict")
    assert verdict.get("value") == outcome.verdict


def test_a_failure_tells_expected_got_and_the_statement() -> None:
    (said,) = cases(making.FAILED)["a forged token is refused [alg-none]"].iter("failure")

    assert said.get("message") == f"expected {making.FAILED.expected}; got {making.FAILED.got}"
    assert making.CATALOGUE["3.2-alg"].statement in str(said.text)
    assert "main-1, main-2" in str(said.text)


def test_a_check_of_several_requirements_is_one_case_that_names_them() -> None:
    several = Outcome("it_is_served", "", ("2-version-1-0", "2-request-json"), "passed")

    case = cases(several)["it is served"]

    named = [it.get("value") for it in case.iter("property") if it.get("name") == "requirement"]
    assert named == ["2-version-1-0", "2-request-json"]


def test_a_requirement_for_which_nothing_was_tried_is_skipped_and_not_left_out() -> None:
    case = cases(making.PASSED)[NOTHING_TRIED]

    (skipped,) = case.iter("skipped")
    assert "untested: not selected" in str(skipped.get("message"))


def test_the_counts_are_those_of_the_cases() -> None:
    root = fromstring(junit.render(making.as_read(making.built())))

    for element in (root, *root):
        every = list(element.iter("testcase"))
        assert element.get("tests") == str(len(every))
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert element.get(name) == str(sum(it.find(tag) is not None for it in every))


def test_what_xml_cannot_hold_is_made_visible() -> None:
    hostile = Outcome("x", "\x00]]>\ufffe", ("3.2-alg",), "failed", "a", "\x1b[31m\ud800</failure>")

    case = cases(hostile)["x [\\x00]]>\\ufffe]"]

    assert "\\x1b[31m\\ud800</failure>" in str(case.find("failure").text)  # type: ignore[union-attr]
