import json
import re
from pathlib import Path
from typing import Any

import pytest

from pact_conformance.report import history_page
from pact_conformance.report.history import Course, History, Point, Series, gather
from pact_conformance.report.load import ReportUnreadable
from pact_conformance.report.outcome import Outcome
from tests.report import making
from tests.report.making import FAILED, PASSED, WARNED


def keep(folder: Path, day: int, *outcomes: Outcome, **members: Any) -> None:  # noqa: ANN401 - any
    document = making.as_read(making.built(outcomes)) | members
    rows = document["requirements"]  # those that nothing was tried for only take time to read
    document["requirements"] = [it for it in rows if it["checks"]]
    document["started"] = f"2026-11-{day:02}T03:00:00.000+00:00"
    place = folder / str(day)
    place.mkdir()
    (place / "report.json").write_text(json.dumps(document), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    keep(tmp_path, 12, PASSED, FAILED)
    keep(tmp_path, 3, PASSED, WARNED)
    keep(tmp_path, 5, partial=True)
    return tmp_path


def found(folder: Path) -> History:
    return gather(folder)


def test_reports_come_in_the_order_of_time_whatever_they_are_called(folder: Path) -> None:
    identity, delegated = found(folder).series

    assert [it.at[8:10] for it in identity.points] == ["03", "05", "12"]
    assert (identity.profile, delegated.profile) == ("identity", "delegated")
    assert identity.subject == making.CARD


def test_each_is_held_against_the_last_whole_one_before(folder: Path) -> None:
    first, partial, last = found(folder).series[0].points

    assert first.course.worse == partial.course.worse == ()
    assert last.course.worse == ()
    assert partial.partial
    keep(folder, 13, PASSED)
    keep(folder, 14, Outcome(**{**vars(PASSED), "verdict": "failed"}))
    *_, worse = found(folder).series[0].points
    assert worse.course.worse == ("3.2-exp-expired",)


def test_subjects_are_told_apart(folder: Path) -> None:
    other = [{"role": "provider", "card": "https://other.example/card"}]
    keep(folder, 14, PASSED, subject=other)

    assert len(found(folder).series) == 4


def test_what_cannot_be_compared_says_why(folder: Path) -> None:
    suite = making.built()["suite"]
    another = {**suite, "catalogue": {"version": "2", "digest": "0" * 64}}
    keep(folder, 20, PASSED, suite=another)

    assert found(folder).series[0].points[-1].course.objections


def test_what_is_no_report_is_told_or_passed_over(folder: Path) -> None:
    (folder / "package.json").write_text("{}")
    (folder / "3" / "more").mkdir()
    (folder / "3" / "more" / "report.json").write_text("{")

    [said] = found(folder).unreadable

    assert "is not JSON" in said


def test_a_folder_without_reports_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReportUnreadable, match="there is no report in"):
        gather(tmp_path)


def test_the_page_has_a_bar_for_each_report_and_says_the_same_in_words(folder: Path) -> None:
    (folder / "12" / "report.html").write_text("")

    page = history_page.write(found(folder), folder).read_text(encoding="utf-8")

    assert page.count("<svg ") == 2
    assert page.count("<g><title>") == 6
    assert '<a href="12/report.html">2026-11-12 03:00</a>' in page
    assert "not conformant" in page
    assert "3 reports; the table below says the same" in page


def test_the_page_needs_nothing_but_itself(folder: Path) -> None:
    page = history_page.render(found(folder))

    assert not re.search(r"<script|src=|@import|url\(|<link(?! rel=\"icon\" href=\"data:,\")", page)
    assert "default-src &#39;none&#39;" in page


def test_text_of_the_subject_is_only_text(tmp_path: Path) -> None:
    hostile = [{"role": "provider", "card": "https://x.example/<script>\x1b[2J\u202e"}]
    keep(tmp_path, 1, PASSED, subject=hostile)

    page = history_page.render(gather(tmp_path))

    assert "&lt;script&gt;\\x1b[2J\\u202e" in page
    assert "<script>" not in page


def test_a_thousand_reports_fit_into_the_plot() -> None:
    point = Point(
        at="2026-11-01T00:00:00",
        verdict="conformant",
        counts={"passed": 3},
        suite="1",
        partial=False,
        page="",
        course=Course(),
    )
    drawn = history_page.render(History((Series("identity", "x", (point,) * 1000),), ()))
    ends = [float(x) + float(w) for x, w in re.findall(r'x="([\d.]+)" width="([\d.]+)"', drawn)]

    assert max(ends) <= history_page.WIDTH
