import dataclasses
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.journal.exchange import Received
from pact_conformance.report import html
from pact_conformance.report.outcome import Outcome
from pact_conformance.report.view_of_checks import Exchanges
from tests.report import making

HOSTILE = (
    "</pre></style></script><script>alert(1)</script><img src=x onerror=alert(2)>"
    "\"' onmouseover='alert(3) {{ 7*7 }} {% raw %} `code` javascript:alert(4) &amp; "
    "\x1b[31m\u202e\ud800"
)


class Page(HTMLParser):
    """What stands in a page, as a parser sees it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = text
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw = Counter[str]()
        self.inside: dict[str, str] = {}
        self.text = ""
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_data(self, data: str) -> None:
        if self._open in {"style", "script"}:
            self.inside[self._open] = self.inside.get(self._open, "") + data
            self._open = ""
            return
        self.text += data

    def count(self, tag: str) -> int:
        return sum(1 for name, _ in self.tags if name == tag)

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] or "" for _, attrs in self.tags if attribute in attrs]


def page(folder: Path, document: dict[str, Any]) -> Page:
    return Page(html.write(document, folder, making.CATALOGUE).read_text(encoding="utf-8"))


def journaled(folder: Path, *ids: str) -> None:
    making.journal(folder, [making.exchange(it) for it in ids])


def test_a_failure_is_told_in_full(tmp_path: Path) -> None:
    journaled(tmp_path, "main-1", "main-2")

    text = page(tmp_path, making.built((making.FAILED,))).text

    row = making.CATALOGUE["3.2-alg"]
    told = (row.statement.replace("`", ""), row.pitfalls.replace("`", ""))
    for words in (*told, making.FAILED.expected, making.FAILED.got, "alg-none", "curl --include"):
        assert words in text


def test_the_top_says_what_was_judged_and_how(tmp_path: Path) -> None:
    text = page(tmp_path, making.built()).text

    digest = making.CATALOGUE.digest
    for words in (making.CARD, "PACT 1.0", digest, "1.5 s", "371", "15", "Not conformant"):
        assert words in text


@pytest.mark.parametrize("partial", [True, False])
def test_a_partial_run_says_so(tmp_path: Path, partial: bool) -> None:  # noqa: FBT001
    assert ("Partial." in page(tmp_path, making.built(partial=partial)).text) is partial


def test_a_finding_comes_before_everything_else(tmp_path: Path) -> None:
    text = page(tmp_path, making.built(findings=(making.FINDING,))).text

    assert text.index("401 every time") < text.index("The requirements at a glance")


def test_what_is_untested_stands_under_what_to_set(tmp_path: Path) -> None:
    text = page(tmp_path, making.built()).text

    assert text.index("set E2E_OTHER_BRAND") < text.index("not selected")


def test_a_rule_says_how_many_exchanges_broke_it(tmp_path: Path) -> None:
    assert "3 of 12 exchanges" in page(tmp_path, making.built((making.RULE,))).text


def test_a_fault_of_the_suite_is_called_one(tmp_path: Path) -> None:
    text = page(tmp_path, making.built((making.FAULT,))).text

    assert "A fault of this suite, not of the subject." in text


def test_notes_stand_with_their_requirements(tmp_path: Path) -> None:
    assert "the card is cached for a day" in page(tmp_path, making.built()).text


@pytest.mark.parametrize(
    "document",
    [
        making.built(),
        making.built(()),
        making.built(findings=(making.FINDING,), partial=True),
        making.built(roles=("provider", "personal-agent")),
        making.built((), roles=()),
    ],
    ids=["all verdicts", "nothing", "finding", "both roles", "no subject"],
)
def test_every_requirement_has_one_place_and_every_link_leads_somewhere(
    tmp_path: Path, document: dict[str, Any]
) -> None:
    journaled(tmp_path, "main-1", "main-2", "main-3", "gw1-7")

    made = page(tmp_path, document)

    ids = Counter(made.values("id"))
    assert {it: ids[it] for it in ids if ids[it] > 1} == {}
    assert {row["id"] for row in document["requirements"]} <= ids.keys()
    links = {link for link in made.values("href") if link != "data:,"}
    assert {link for link in links if link[0] != "#" or link[1:] not in ids} == set()
    assert {it for it in " ".join(made.values("aria-labelledby")).split() if it not in ids} == set()


def test_it_asks_for_nothing_from_elsewhere(tmp_path: Path) -> None:
    journaled(tmp_path, "main-1")

    made = page(tmp_path, making.built())

    loading = {"img", "link", "iframe", "object", "embed", "audio", "video", "base"}
    assert [(tag, it) for tag, it in made.tags if tag in loading] == [
        ("link", {"rel": "icon", "href": "data:,"})
    ]
    assert made.values("src") == []
    assert "url(" not in made.inside["style"]
    assert "@import" not in made.inside["style"]


def test_the_browser_may_run_our_own_script_and_style_alone(tmp_path: Path) -> None:
    made = page(tmp_path, making.built())

    policy = next(
        it["content"] for _, it in made.tags if it.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for tag, text in made.inside.items():
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert made.values("style") == []


def hostile(outcome: Outcome) -> Outcome:
    return dataclasses.replace(
        outcome,
        case=HOSTILE,
        expected=HOSTILE,
        got=HOSTILE,
        reason=HOSTILE,
        do=HOSTILE,
        warnings=(HOSTILE,),
        notes=(HOSTILE,),
    )


def hostile_page(folder: Path) -> Page:
    answer = Received(418, ((HOSTILE, HOSTILE),), HOSTILE)
    made = [
        making.exchange(it, answer=answer, purpose=HOSTILE, token=HOSTILE)
        for it in ("main-1", "main-2", "main-3", "gw1-7")
    ]
    making.journal(folder, made)
    finding = making.FINDING | {"expected": HOSTILE, "got": HOSTILE, "do": HOSTILE}
    outcomes = [hostile(it) for it in making.OUTCOMES]
    return page(folder, making.built(outcomes, findings=(finding,), card=HOSTILE))


def test_text_of_a_subject_is_only_ever_text(tmp_path: Path) -> None:
    made = hostile_page(tmp_path)

    assert made.count("script") == 1
    assert made.count("style") == 1
    assert made.count("img") == 0
    assert [name for _, attrs in made.tags for name in attrs if name.startswith("on")] == []
    assert [it for it in made.values("href") if it[0] not in "#d"] == []
    assert "{{ 7*7 }} {% raw %}" in made.text
    assert "alert(" not in made.inside["script"]


def test_control_characters_of_a_subject_are_shown_as_escapes(tmp_path: Path) -> None:
    made = hostile_page(tmp_path)

    assert {char for char in made.source if not char.isprintable()} == {"\n"}
    assert r"\x1b[31m\u202e\ud800" in made.text


def test_only_the_last_exchanges_of_a_check_are_shown(tmp_path: Path) -> None:
    ids = tuple(f"main-{number}" for number in range(1, 7))
    journaled(tmp_path, *ids)
    failed = dataclasses.replace(making.FAILED, exchanges=ids)

    made = page(tmp_path, making.built((failed,)))

    assert [it for it in made.values("id") if it.startswith("x-")] == [
        "x-main-4",
        "x-main-5",
        "x-main-6",
    ]
    assert "In journal.ndjson: main-1, main-2, main-3" in made.text


def test_the_first_exchanges_of_a_rule_are_shown(tmp_path: Path) -> None:
    ids = tuple(f"main-{number}" for number in range(1, 7))
    journaled(tmp_path, *ids)
    broken = dataclasses.replace(making.RULE, exchanges=ids)

    made = page(tmp_path, making.built((broken,)))

    assert [it for it in made.values("id") if it.startswith("x-")] == [
        "x-main-1",
        "x-main-2",
        "x-main-3",
    ]


def test_a_family_of_cases_is_explained_by_some(tmp_path: Path) -> None:
    ids = [f"main-{number}" for number in range(1, 21)]
    journaled(tmp_path, *ids)
    family = [
        dataclasses.replace(making.FAILED, case=f"case of {it}", exchanges=(it,)) for it in ids
    ]

    made = page(tmp_path, making.built(family))

    assert sum(1 for it in made.values("id") if it.startswith("x-")) == 6
    assert all(f"case of {it}" in made.text for it in ids)


def test_an_exchange_of_two_requirements_is_shown_once(tmp_path: Path) -> None:
    journaled(tmp_path, "main-1", "main-2")
    twice = dataclasses.replace(making.FAILED, requirements=("3.2-alg", "3.2-signature"))

    made = page(tmp_path, making.built((twice,)))

    assert Counter(made.values("id"))["x-main-1"] == 1
    assert made.values("href").count("#x-main-1") == 1


def test_passed_checks_show_no_exchange(tmp_path: Path) -> None:
    journaled(tmp_path, "main-1")
    passed = dataclasses.replace(making.PASSED, exchanges=("main-1",))

    assert "x-main-1" not in page(tmp_path, making.built((passed,))).values("id")


def test_without_a_journal_the_verdicts_stand(tmp_path: Path) -> None:
    made = page(tmp_path, making.built((making.FAILED,)))

    assert making.FAILED.got in made.text
    assert "In journal.ndjson: main-1, main-2" in made.text


def test_a_report_names_no_journal_outside_of_its_folder(tmp_path: Path) -> None:
    inner = tmp_path / "reports"
    inner.mkdir()
    journaled(tmp_path, "main-1", "main-2")
    document = making.built((making.FAILED,)) | {"journal": "../journal.ndjson"}

    assert "x-main-1" not in page(inner, document).values("id")


def test_no_bystander_pays_for_the_template_engine() -> None:
    program = "import sys, pact_conformance.report.html; print('jinja2' in sys.modules)"

    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert run.stdout == "False\n"


def test_pictures_of_the_users_way_stand_in_the_page(tmp_path: Path) -> None:
    (tmp_path / "approvals").mkdir()
    (tmp_path / "approvals" / "01-login.png").write_bytes(b"\x89PNG, as it were")
    document = making.built() | {"pictures": ["approvals/01-login.png", "approvals/gone.png"]}

    shown = page(tmp_path, document)

    (picture,) = [attrs for name, attrs in shown.tags if name == "img"]
    coded = b64encode(b"\x89PNG, as it were").decode()
    assert picture["src"] == f"data:image/png;base64,{coded}"
    assert picture["alt"] == "login 01"
    assert "What the User saw" in shown.text


def test_cases_with_the_same_to_say_stand_together(tmp_path: Path) -> None:
    journaled(tmp_path, "main-1", "main-2", "main-3")
    cases = [
        dataclasses.replace(making.FAILED, case=name, got=got, exchanges=(f"main-{number}",))
        for number, (name, got) in enumerate(
            [("alg-none", "200"), ("alg-hs256", "200"), ("alg-ps256", "500")], start=1
        )
    ]

    made = page(tmp_path, making.built(cases))

    assert made.text.count("expected") - made.text.count("expected,") == 2
    assert {it for it in made.values("id") if it.startswith("x-")} == {
        "x-main-1",
        "x-main-2",
        "x-main-3",
    }


def test_what_a_run_of_both_roles_found_can_be_told_apart(tmp_path: Path) -> None:
    made = page(tmp_path, making.built(roles=("provider", "personal-agent")))

    assert set(made.values("data-role")) == {"provider", "personal-agent"}
    options = {attrs.get("value") for tag, attrs in made.tags if tag == "option"}
    assert {"provider", "personal-agent", "identity", "delegated", "3.2"} <= options
    names = [it for it in made.values("aria-label") if it.startswith("3.2 Personal-agent JWT, ")]
    assert [it.partition(":")[0].rpartition(", ")[2] for it in names] == [
        "Provider",
        "Personal agent",
    ]


def test_a_run_of_one_role_has_no_filter_for_roles(tmp_path: Path) -> None:
    made = page(tmp_path, making.built())

    assert "role" not in {attrs.get("name") for tag, attrs in made.tags if tag == "select"}


def test_plots_stand_in_the_page_with_what_they_show_in_words(tmp_path: Path) -> None:
    made = page(tmp_path, making.built())

    for words in ("How long answers took", "message:send, a turn", "200 ms", "a first message"):
        assert words in made.text
    plots = [attrs for tag, attrs in made.tags if tag == "svg"]
    assert plots
    assert {attrs.get("aria-hidden") for attrs in plots} == {"true"}


def test_a_failure_that_the_baseline_knows_is_marked(tmp_path: Path) -> None:
    document = making.as_read(making.built((making.FAILED,)))
    document["requirements"] = [
        {**row, "checks": [{**it, "known": "ticket 4"} for it in row["checks"]]}
        for row in document["requirements"]
    ]

    made = page(tmp_path, document)

    assert "Known: ticket 4" in made.text
    assert [it for it in made.values("class") if it.startswith("cell ") and "known" in it]


def test_ten_megabytes_of_a_subject_leave_the_page_small(tmp_path: Path) -> None:
    much = "\x1b" * 10_000_000
    document = making.as_read(making.built((making.FAILED,)))
    (row,) = [it for it in document["requirements"] if it["verdict"] == "failed"]
    for text in ("expected", "got", "reason", "do"):
        row["checks"][0][text] = much
    row["checks"][0]["warnings"] = [much]
    row["notes"] = [much]

    made = page(tmp_path, document)

    assert len(made.source) < len(page(tmp_path, making.built((making.FAILED,))).source) + 200_000
    assert "(9,996,000 more characters)" in made.text


def test_a_hundred_thousand_exchanges_of_a_check_are_counted_and_not_listed(tmp_path: Path) -> None:
    ids = tuple(f"main-{number}" for number in range(100_000))
    failed = dataclasses.replace(making.FAILED, exchanges=ids)

    made = page(tmp_path, making.built((failed,)))

    assert "main-11 and 99,988 more" in made.text
    assert len(made.source) < 1_000_000


def test_so_many_exchanges_are_shown_on_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Exchanges, "MOST_OF_ALL", 5)
    ids = [f"main-{number}" for number in range(1, 13)]
    journaled(tmp_path, *ids)
    failed = [
        dataclasses.replace(making.FAILED, requirements=(row,), exchanges=tuple(ids[at : at + 3]))
        for at, row in zip(
            range(0, 12, 3), ["3.2-alg", "3.2-aud", "4.1-parts", "4.1-role"], strict=True
        )
    ]

    made = page(tmp_path, making.built(failed))

    assert sum(1 for it in made.values("id") if it.startswith("x-")) == 5
    assert "In journal.ndjson: main-10, main-11, main-12" in made.text


def test_a_report_of_an_earlier_edition_has_no_pictures(tmp_path: Path) -> None:
    document = making.built()
    del document["pictures"]

    assert "What the User saw" not in page(tmp_path, document).text
