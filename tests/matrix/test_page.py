"""`matrix.json` and `matrix.html`: what they hold, and that text is only ever text there."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pact_conformance.assets import folder
from pact_conformance.catalogue import load
from pact_conformance.matrix import document, page
from pact_conformance.matrix.judged import Judged
from pact_conformance.wire.schema import problems
from tests.report.test_html import HOSTILE, Page
from tests.report.test_schema import closed

from .making import CHECKED, RULE, gathering, judged

ROWS = [
    judged("honest", "honest", description="The mock as it is."),
    judged("pages-by-20", description="A page has 20 `tasks`."),
    judged("pages-by-100", problem=f"missed {RULE}"),
    judged("shouts-bearer", "variant", tripped=frozenset({CHECKED})),
    judged("a+b", "pair", parts=("pages-by-20", "pages-by-100")),
    judged("has-a-blank-sub", role="personal-agent", sections=frozenset({"2.2"})),
]
COURSE = document.Course(1_800_000_000.0, 1_800_000_090.0, "all by section")


def built(rows: list[Judged], **course: Any) -> dict[str, Any]:  # noqa: ANN401 - of a course
    return document.build(load(), gathering(rows), document.Course(**{**vars(COURSE), **course}))


MATRICES = {
    "of everything": built(ROWS),
    "of nothing": built([]),
    "partial": built([], partial=True),
}


def shown(matrix: dict[str, Any]) -> Page:
    return Page(page.render(matrix))


@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_obeys_the_schema_and_has_no_member_that_it_does_not_describe(name: str) -> None:
    schema = json.loads((folder("schemas") / "matrix.schema.json").read_text(encoding="utf-8"))

    assert problems(MATRICES[name], "matrix") == []
    assert [
        it.message for it in Draft202012Validator(closed(schema)).iter_errors(MATRICES[name])
    ] == []


def test_it_says_which_check_caught_which_flaw() -> None:
    checks = {(it["role"], it["name"]): it for it in MATRICES["of everything"]["checks"]}

    assert checks["provider", "a_check"]["caught"] == ["pages-by-20", "pages-by-100"]
    assert checks["provider", "a_rule"]["caught"] == []
    assert checks["personal-agent", "a_check"]["caught"] == ["has-a-blank-sub"]


def test_it_counts_by_role_and_names_the_suite() -> None:
    matrix = MATRICES["of everything"]

    assert matrix["counts"]["provider"] == {
        "flaws": 2,
        "variants": 1,
        "pairs": 1,
        "checks": 1,
        "rules": 1,
        "requirements": 1,
    }
    assert matrix["suite"]["catalogue"]["digest"] == load().digest


def test_the_order_is_the_same_whichever_run_ended_first() -> None:
    assert built(ROWS[::-1])["subjects"] == built(ROWS)["subjects"]


@pytest.mark.parametrize("name", MATRICES)
def test_every_link_leads_somewhere_and_every_id_is_there_once(name: str) -> None:
    made = shown(MATRICES[name])

    ids = Counter(made.values("id"))
    assert {it for it in ids if ids[it] > 1} == set()
    assert {it for it in made.values("href") if it[1:] not in ids} == {"data:,"}
    assert {it for it in made.values("aria-labelledby") if it not in ids} == set()


def test_the_page_tells_findings_counts_and_who_caught_what() -> None:
    text = shown(MATRICES["of everything"]).text

    for words in (
        "1 finding",
        f"the flaw pages-by-100 does not trip what it declares: missed {RULE}",
        "All by section.",
        "1 min 30 s",
        load().digest,
        "a check",
        "A page has 20 tasks.",
    ):
        assert words in " ".join(text.split())


def test_without_findings_it_says_that_all_is_as_declared() -> None:
    assert "Everything is as declared" in shown(built(ROWS[:2])).text


def test_a_matrix_that_was_interrupted_says_so() -> None:
    assert "Partial." in shown(MATRICES["partial"]).text


def test_text_is_only_ever_text() -> None:
    hostile = json.loads(json.dumps(MATRICES["of everything"]))
    for subject in hostile["subjects"]:
        subject |= {"description": HOSTILE, "problem": HOSTILE}
        for catch in subject["caught_by"]:
            catch |= {"cases": [HOSTILE]}
    hostile |= {"told": HOSTILE, "findings": [HOSTILE]}
    for check in hostile["checks"]:
        check["excuse"] = HOSTILE

    made = shown(hostile)

    assert made.count("script") == 1
    assert made.count("img") == 0
    assert [name for _, attrs in made.tags for name in attrs if name.startswith("on")] == []
    assert {char for char in made.source if not char.isprintable()} == {"\n"}


def test_it_asks_for_nothing_from_elsewhere(tmp_path: Path) -> None:
    made = Page(page.write(MATRICES["of everything"], tmp_path).read_text(encoding="utf-8"))

    policy = next(it["content"] for _, it in made.tags if "http-equiv" in it)
    assert str(policy).startswith("default-src 'none'; ")
    assert made.values("src") == []
    assert made.values("style") == []
